//! Numbers that the client knows things by, from one stop to the next.
//!
//! No number is used twice in a session, so one from an earlier stop is told from one of this stop.

use stubborn_ide::debug::Node;
use stubborn_ir::{Move, Pid};

use crate::protocol::{Parts, Variable};

/// What has a number at this stop.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    /// The number of the first.
    first: i64,
    all: Vec<Handle>,
}

#[derive(Debug)]
enum Handle {
    Frame(Pid),
    Variables(Vec<Node>),
    Target(Move),
}

impl Handles {
    /// Another stop.
    pub(crate) fn forget(&mut self) {
        self.first += self.all.len() as i64;
        self.all.clear();
    }

    fn add(&mut self, handle: Handle) -> i64 {
        self.all.push(handle);
        self.first + self.all.len() as i64
    }

    fn get(&self, number: i64) -> Option<&Handle> {
        self.all.get(usize::try_from(number - self.first - 1).ok()?)
    }

    pub(crate) fn add_frame(&mut self, pid: Pid) -> i64 {
        self.add(Handle::Frame(pid))
    }

    /// The process of a frame.
    pub(crate) fn frame(&self, number: i64) -> Result<Pid, String> {
        match self.get(number) {
            Some(Handle::Frame(pid)) => Ok(*pid),
            _ => Err(format!("there is no frame {number} here; frames are gone when the run goes on")),
        }
    }

    pub(crate) fn add_target(&mut self, made: Move) -> i64 {
        self.add(Handle::Target(made))
    }

    /// The move behind a choice.
    pub(crate) fn target(&self, number: i64) -> Result<Move, String> {
        match self.get(number) {
            Some(Handle::Target(made)) => Ok(*made),
            _ => Err(format!("there is no choice {number} here; choices are gone when the run goes on")),
        }
    }

    /// A number for some variables; 0 if there are none.
    pub(crate) fn add_variables(&mut self, nodes: Vec<Node>) -> Parts {
        let is_array = nodes.first().is_some_and(|node| node.name.starts_with('['));
        let n = (!nodes.is_empty()).then_some(nodes.len());
        let variables_reference = if nodes.is_empty() { 0 } else { self.add(Handle::Variables(nodes)) };
        Parts {
            variables_reference,
            named_variables: n.filter(|_| !is_array),
            indexed_variables: n.filter(|_| is_array),
        }
    }

    /// A number for the variables of a scope, which may be none.
    pub(crate) fn add_scope(&mut self, nodes: Vec<Node>) -> i64 {
        self.add(Handle::Variables(nodes))
    }

    /// Some of the variables behind a number.
    pub(crate) fn variables(
        &mut self,
        number: i64,
        start: usize,
        count: usize,
    ) -> Result<Vec<Variable>, String> {
        let Some(Handle::Variables(nodes)) = self.get(number) else {
            return Err(format!("there are no variables {number} here; they are gone when the run goes on"));
        };
        let count = if count == 0 { usize::MAX } else { count };
        let nodes: Vec<Node> = nodes.iter().skip(start).take(count).cloned().collect();
        let variable = |node: Node| Variable {
            name: node.name,
            value: node.value,
            evaluate_name: node.expression,
            parts: self.add_variables(node.parts),
        };
        Ok(nodes.into_iter().map(variable).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_an_earlier_stop_mean_nothing() {
        let mut handles = Handles::default();
        let frame = handles.add_frame(3);
        let scope = handles.add_scope(vec![Node::plain("x", "1"), Node::plain("y", "2")]);
        assert_eq!(handles.frame(frame), Ok(3));
        assert_eq!(handles.variables(scope, 0, 0).unwrap().len(), 2);
        assert_eq!(handles.variables(scope, 1, 7).unwrap()[0].name, "y");
        assert!(handles.frame(scope).is_err() && handles.variables(frame, 0, 0).is_err());
        handles.forget();
        assert!(handles.frame(frame).is_err() && handles.frame(0).is_err() && handles.frame(-5).is_err());
        assert_ne!(handles.add_frame(3), frame);
    }
}
