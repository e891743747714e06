//! Settings: those of the editor, under `stubborn` or bare, and the file of a workspace folder.

use std::path::PathBuf;

use serde_json::Value;
use stubborn_ide::Settings;
use stubborn_ide::settings::{Written, of_folder};

/// All that was written somewhere; what is wrong with it is told once.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    editor: Written,
    pub(crate) folders: Vec<PathBuf>,
}

impl Sources {
    /// What the editor says.
    pub(crate) fn set_editor(&mut self, value: &Value) -> Result<(), String> {
        let value = value.get("stubborn").unwrap_or(value);
        if value.is_null() {
            return Ok(());
        }
        self.editor = serde_json::from_value(value.clone()).map_err(|error| format!("settings: {error}"))?;
        Ok(())
    }

    /// The settings, with what is wrong. The file of a folder goes before the editor.
    pub(crate) fn settle(&self) -> (Settings, Vec<String>) {
        let mut written = vec![self.editor.clone()];
        let mut wrong = Vec::new();
        for folder in &self.folders {
            match of_folder(folder) {
                Some(Ok(of_folder)) => written.push(of_folder),
                Some(Err(why)) => wrong.push(why),
                None => {}
            }
        }
        let (settings, more) = Settings::from_written(&written);
        wrong.extend(more);
        (settings, wrong)
    }
}
