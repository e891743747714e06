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
                let pid = process.checked_sub(lines.has_claim.into()).and_then(|pid| Pid::try_from(pid).ok());
                let (Some(pid), Ok(statement)) = (pid, u32::try_from(statement)) else {
                    return Err(ImportError::NotALine(number));
                };
                lines.lines.push(Line { number, pid, statement });
            }
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mean_nothing_are_no_line() {
        for text in
            ["-2:0:-2\n1:-2147483648:1", "1:-1:1", "1:70000:1", "1:0:-1", "1:0", "1:0:99999999999", "x"]
        {
            assert!(matches!(parse(text), Err(ImportError::NotALine(_))), "{text}");
        }
        assert_eq!(parse("-2:0:-2\n-4:-4:-4\n1:1:7\n").unwrap().lines.len(), 1);
    }
}
