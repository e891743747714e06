//! The lines of a trail file.

use stubborn_ir::Pid;

use super::read::ImportError;

/// A line about a process of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// In the file, from 1.
    pub(super) number: usize,
    pub(super) pid: Pid,
    pub(super) statement: u32,
}

/// The lines that matter.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    /// How many of them are before the cycle.
    pub(super) cycle_at: Option<usize>,
    /// The verifier merged statements.
    pub(super) is_merged: bool,
    /// The verifier looked for violations of a claim.
    pub(super) has_claim: bool,
}

pub(super) fn parse(text: &str) -> Result<Lines, ImportError> {
    let mut lines = Lines::default();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = i + 1;
        let fields: Option<Vec<i32>> = line.split(':').map(|field| field.trim().parse().ok()).collect();
        let Some(&[depth, process, statement]) = fields.as_deref() else {
            return Err(ImportError::NotALine(number));
        };
        match depth {
            -1 => lines.cycle_at = Some(lines.lines.len()),
            -2 => lines.has_claim = true,
            -4 => lines.is_merged = true,
            -8..=-5 => return Err(ImportError::Permuted(number)),
            _ if lines.has_claim && process == 0 => {}
            _ => {
                let pid = process - i32::from(lines.has_claim);
                let (Ok(pid), Ok(statement)) = (Pid::try_from(pid), u32::try_from(statement)) else {
                    return Err(ImportError::NotALine(number));
                };
                lines.lines.push(Line { number, pid, statement });
            }
        }
    }
    Ok(lines)
}
