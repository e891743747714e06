//! A run as it is made, for people.
//!
//! What processes print is shown where they print it, moved to the right by the number of the process, as SPIN
//! does.

use std::io::IsTerminal;

use stubborn_base::Sources;
use stubborn_check::simulation::{Choice, Over, Simulation};
use stubborn_check::standing_after;
use stubborn_ir::{Change, Model};

use super::Ended;
use crate::human::{lines, movers, participants, place, statements};
use crate::output::{self, BAD, BOLD, DIM, GOOD};

/// Tells what happens.
pub(crate) struct Teller<'a> {
    sources: &'a Sources,
    model: &'a Model,
    /// Results are for a program: what people are told goes elsewhere.
    aside: bool,
    /// What was printed last did not end its line.
    is_inside_line: bool,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(sources: &'a Sources, model: &'a Model, aside: bool) -> Self {
        Teller { sources, model, aside, is_inside_line: false }
    }

    fn write(&mut self, text: &str) {
        if self.aside { output::remarks(text) } else { output::results(text) }
    }

    fn line(&mut self, text: &str) {
        self.end_line();
        self.write(&format!("{}\n", text.trim_end()));
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_inside_line) {
            self.write("\n");
        }
    }

    pub(crate) fn remark(&mut self, text: &str) {
        self.line(text);
    }

    /// Tells the last step, after what was printed in it.
    pub(crate) fn step(&mut self, simulation: &Simulation<'_>) {
        let (Some(step), Some(printed)) = (simulation.steps().last(), simulation.printed().last()) else {
            return;
        };
        for printed in printed {
            let indent = 4 * (usize::from(printed.pid) + 1) + 2;
            self.write(&format!("{:indent$}{}", "", printed.text));
            self.is_inside_line = !printed.text.ends_with('\n');
        }
        let number = simulation.steps().len();
        let (movers, lines, statements) = (movers(step), lines(self.sources, step), statements(step));
        let changes = Change::in_a_row(&step.changes);
        if step.mover.fires.is_some() {
            self.line(&format!("{DIM}{number:>5}  {lines:<8}{DIM:#}  {statements:<26}  {changes}"));
            return;
        }
        self.line(&format!(
            "{DIM}{number:>5}{DIM:#}  {movers:<16}  {DIM}{lines:<8}{DIM:#}  {statements:<26}  {changes}"
        ));
    }

    /// Tells what the transitions of a net lack.
    fn lacking(&mut self, simulation: &Simulation<'_>) {
        let Ok((standing, _)) = standing_after(self.model, simulation.steps()) else { return };
        for obstacle in standing.iter().flat_map(|standing| &standing.obstacles) {
            self.line(&format!("  {} for {}", obstacle.why, obstacle.text));
        }
    }

    /// Shows what there is to choose from, and asks.
    pub(crate) fn choices(&mut self, choices: &[Choice], over: Option<Over>) {
        if over.is_some() {
            self.line(&format!("{BOLD}nothing to choose{BOLD:#}: the run is over"));
        }
        for (i, choice) in choices.iter().enumerate() {
            let told = participants(&choice.mover, choice.partner.as_ref());
            let at = place(self.sources, choice.mover.span);
            let number = format!("[{}]", i + 1);
            let who = if told.0.is_empty() { String::new() } else { format!("{:<16}  ", told.0) };
            self.line(&format!("{BOLD}{number:>5}{BOLD:#}  {who}{DIM}{at:<8}{DIM:#}  {}", told.1));
        }
        self.end_line();
        let numbers = match choices.len() {
            0 => String::new(),
            1 => "1, ".to_owned(),
            n => format!("1-{n}, r by chance, "),
        };
        self.write(&format!("{numbers}u back, q quit: "));
        self.is_inside_line = true;
    }

    /// An answer ends the line of the question, where somebody types it.
    pub(crate) fn answered(&mut self) {
        if std::io::stdin().is_terminal() {
            self.is_inside_line = false;
        }
        self.end_line();
    }

    /// Tells why the run ended.
    pub(crate) fn ended(&mut self, simulation: &mut Simulation<'_>, ended: Ended) {
        let n = simulation.steps().len();
        let steps = if n == 1 { "1 step".to_owned() } else { format!("{n} steps") };
        let why = match ended {
            Ended::Over(Over::End) => format!("{GOOD}the end{GOOD:#}: nothing can move, and nothing has to"),
            Ended::Over(Over::Wrong(violation)) => format!("{BAD}{}{BAD:#}", violation.told(self.model)),
            Ended::Enough => "as many as were asked for; --steps asks for more".to_owned(),
            Ended::Quit => "quit".to_owned(),
        };
        self.line(&format!("{BOLD}{steps}{BOLD:#}: {why}"));
        if matches!(ended, Ended::Over(Over::Wrong(stubborn_ir::Violation::InvalidEnd))) {
            if self.model.net.is_some() {
                self.lacking(simulation);
                return;
            }
            for waiting in simulation.waiting().iter().filter(|waiting| !waiting.is_end) {
                let at = place(self.sources, waiting.span);
                let statement = self.sources.text(waiting.span).lines().next().unwrap_or_default().trim();
                self.line(&format!("  {}({}) waits at {at}: {statement}", waiting.process, waiting.pid));
            }
        }
    }
}
