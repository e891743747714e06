//! Bodies of responses and events.

use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) supports_configuration_done_request: bool,
    pub(crate) supports_conditional_breakpoints: bool,
    pub(crate) supports_hit_conditional_breakpoints: bool,
    pub(crate) supports_log_points: bool,
    pub(crate) supports_evaluate_for_hovers: bool,
    pub(crate) supports_step_back: bool,
    pub(crate) supports_step_in_targets_request: bool,
    pub(crate) supports_restart_request: bool,
    pub(crate) supports_terminate_request: bool,
    pub(crate) supports_cancel_request: bool,
    pub(crate) supports_exception_info_request: bool,
    pub(crate) supports_loaded_sources_request: bool,
    pub(crate) supports_breakpoint_locations_request: bool,
    pub(crate) exception_breakpoint_filters: Vec<ExceptionFilter>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ExceptionFilter {
    pub(crate) filter: &'static str,
    pub(crate) label: &'static str,
    pub(crate) description: &'static str,
    pub(crate) default: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) path: String,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Thread {
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// Where something stands in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Range {
    pub(crate) line: i64,
    pub(crate) column: i64,
    pub(crate) end_line: i64,
    pub(crate) end_column: i64,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct StackFrame {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) source: Source,
    #[serde(flatten)]
    pub(crate) range: Range,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scope {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) presentation_hint: Option<&'static str>,
    pub(crate) variables_reference: i64,
    pub(crate) named_variables: usize,
    pub(crate) expensive: bool,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evaluate_name: Option<String>,
    #[serde(flatten)]
    pub(crate) parts: Parts,
}

/// How many parts something has, and how to ask for them; 0 if it has none.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parts {
    pub(crate) variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) named_variables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) indexed_variables: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Evaluated {
    pub(crate) result: String,
    #[serde(flatten)]
    pub(crate) parts: Parts,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct StepInTarget {
    pub(crate) id: i64,
    pub(crate) label: String,
    #[serde(flatten)]
    pub(crate) range: Range,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Breakpoint {
    pub(crate) id: u32,
    pub(crate) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    pub(crate) line: i64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stopped {
    pub(crate) reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    pub(crate) thread_id: i64,
    pub(crate) all_threads_stopped: bool,
    pub(crate) hit_breakpoint_ids: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Output {
    pub(crate) category: &'static str,
    pub(crate) output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<i64>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionInfo {
    pub(crate) exception_id: &'static str,
    pub(crate) description: String,
    pub(crate) break_mode: &'static str,
}
