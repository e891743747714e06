//! Values of expressions that somebody types, in the state where a run is.

use std::collections::HashMap;

use stubborn_ir::{LocationId, Pid, ProcessTypeId, Typed};
use stubborn_languages::BadExpression;

use super::variables::{self, Node};
use super::{Debugger, Program};

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// As it is shown.
    pub value: String,
    /// Its parts, if a whole array, structure or channel was asked for.
    pub parts: Vec<Node>,
}

/// Expressions that were read, by text and place.
#[derive(Debug, Default)]
pub(super) struct Expressions(HashMap<(String, Place), Result<Typed, BadExpression>>);

type Place = Option<(ProcessTypeId, LocationId)>;

impl Expressions {
    pub(super) fn read(&mut self, program: &Program, text: &str, at: Place) -> Result<Typed, String> {
        let key = (text.to_owned(), at);
        let read = self.0.entry(key).or_insert_with(|| program.expression(text, at));
        read.clone().map_err(|bad| describe(text, &bad))
    }
}

/// What is wrong, and where.
pub(super) fn describe(text: &str, bad: &BadExpression) -> String {
    let before = text.get(..bad.at.start).unwrap_or(text);
    let mut told = format!("{} (column {} of `{text}`)", bad.message, before.chars().count() + 1);
    if let Some(help) = &bad.help {
        told.push_str("; ");
        told.push_str(help);
    }
    told
}

impl Debugger<'_> {
    /// The value of an expression: to a process that exists, or to nobody.
    pub fn evaluate(&mut self, text: &str, pid: Option<Pid>) -> Result<Answer, String> {
        let text = text.trim();
        let place = match pid {
            Some(pid) => Some(self.place(pid).ok_or("the process does not exist any more")?),
            None => None,
        };
        if let Some(node) = self.whole(text, pid) {
            return Ok(Answer { value: node.value, parts: node.parts });
        }
        let at = place.map(|(_, process, location)| (process, location));
        let typed = self.expressions.read(self.program, text, at)?;
        let position = self.run.position();
        let run = self.run.simulation();
        let value = run.value(position, place.map(|place| place.0), &typed.expr);
        let value = value.map_err(|kind| format!("{kind} (in `{text}`)"))?;
        let shown = typed.ty.map(|ty| run.layout().show(&self.program.model, value, &ty).to_string());
        Ok(Answer { value: shown.unwrap_or_else(|| value.to_string()), parts: Vec::new() })
    }

    /// An array, a structure or a channel with that name.
    fn whole(&mut self, text: &str, pid: Option<Pid>) -> Option<Node> {
        let local = match pid {
            Some(pid) => Some(self.place(pid)?.0),
            None => None,
        };
        let model = &self.program.model;
        let run = self.run.simulation();
        let owners = local.map(Some).into_iter().chain([None]);
        owners.into_iter().find_map(|owner| {
            let variables = variables::variables(model, run, owner);
            let found = variables::find(&variables, text).filter(|node| !node.parts.is_empty()).cloned();
            found
                .or_else(|| variables::channels(model, run, owner).into_iter().find(|node| node.name == text))
        })
    }
}
