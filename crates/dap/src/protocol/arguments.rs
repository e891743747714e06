//! Arguments of requests.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct InitializeArguments {
    #[serde(rename = "linesStartAt1")]
    pub(crate) lines_start_at_1: bool,
    #[serde(rename = "columnsStartAt1")]
    pub(crate) columns_start_at_1: bool,
    pub(crate) path_format: Option<String>,
    pub(crate) supports_progress_reporting: bool,
}

impl Default for InitializeArguments {
    fn default() -> Self {
        InitializeArguments {
            lines_start_at_1: true,
            columns_start_at_1: true,
            path_format: None,
            supports_progress_reporting: false,
        }
    }
}

/// What is debugged, and how. The names are a contract with launch configurations: add, never rename.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LaunchArguments {
    /// The model's file.
    pub(crate) program: String,
    /// Whose counterexample is followed: a name, or `auto` for the first that is violated; none is a free simulation.
    pub(crate) property: Option<String>,
    /// An expression: the trail to a state where it is true is followed, whatever `property` says.
    pub(crate) reach: Option<String>,
    /// `NAME` or `NAME=VALUE`.
    pub(crate) defines: Option<Vec<String>>,
    /// What chance begins with.
    pub(crate) seed: Option<u64>,
    /// Whether to stop before the first step.
    pub(crate) stop_on_entry: Option<bool>,
    /// Weak fairness.
    pub(crate) fair: Option<bool>,
    /// For the check, in seconds.
    pub(crate) time: Option<u64>,
    /// For the check, in MiB.
    pub(crate) memory: Option<u64>,
    /// So many steps are made by chance before somebody is asked again.
    pub(crate) steps: Option<usize>,
    /// Run, and stop nowhere.
    #[serde(default)]
    pub(crate) no_debug: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RestartArguments {
    pub(crate) arguments: Option<LaunchArguments>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CancelArguments {
    pub(crate) request_id: Option<i64>,
    pub(crate) progress_id: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SourceArgument {
    pub(crate) path: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SetBreakpointsArguments {
    pub(crate) source: SourceArgument,
    #[serde(default)]
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: i64,
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SetExceptionBreakpointsArguments {
    pub(crate) filters: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BreakpointLocationsArguments {
    pub(crate) source: SourceArgument,
    pub(crate) line: i64,
    pub(crate) end_line: Option<i64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ThreadArguments {
    pub(crate) thread_id: i64,
    /// Of `stepIn`.
    pub(crate) target_id: Option<i64>,
    /// Of `stackTrace`.
    pub(crate) start_frame: Option<usize>,
    /// Of `stackTrace`.
    pub(crate) levels: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameArguments {
    pub(crate) frame_id: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariablesArguments {
    pub(crate) variables_reference: i64,
    pub(crate) start: Option<usize>,
    pub(crate) count: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvaluateArguments {
    pub(crate) expression: String,
    pub(crate) frame_id: Option<i64>,
}
