//! Steps and states in words.

use stubborn_ir::{LocationId, Model, Move, Pid, TransitionId, Value};

use crate::audit::graph::{Graph, Label, Node};
use crate::audit::report::Violation;

/// Variables of a state that are listed.
const MAX_VALUES: usize = 12;

impl Graph<'_> {
    /// Something wrong in a state.
    pub(crate) fn violation(&self, node: Node, step: Option<Label>, what: String) -> Violation {
        let step = step.map(|label| *self.step(label));
        Violation { way: self.way_to(node), state: self.tell_state(node), step, what }
    }

    /// `P(1): x = 2`; of a rendezvous both halves.
    pub(crate) fn tell(&self, label: Label) -> String {
        tell_move(self.model(), self.step(label))
    }

    /// Steps, one after the other.
    pub(crate) fn tell_all(&self, labels: &[Label]) -> String {
        labels.iter().map(|&label| self.tell(label)).collect::<Vec<_>>().join(", then ")
    }

    /// Where the processes are, and what has changed since the start.
    pub(crate) fn tell_state(&self, node: Node) -> String {
        let (model, layout) = (self.model(), self.layout());
        let state = self.bytes(node);
        let mut parts = Vec::new();
        for (id, instance) in layout.instances() {
            if layout.is_alive(&state, id) {
                let ty = &model.processes[instance.process];
                let location = ty.location(LocationId((instance.location.read(&state) - 1) as u16));
                let next = location.transition_ids().next();
                let next = next.map_or("the end".into(), |t| text_of(model, t));
                parts.push(format!("{}({}) at {next}", ty.name, instance.pid));
            }
        }
        let changes = layout.changes(model, &self.bytes(0), &state);
        for change in changes.iter().take(MAX_VALUES) {
            let value = match &change.to {
                Value::Number(number) => number.to_string(),
                Value::Text(text) => text.to_string(),
            };
            parts.push(format!("{} = {value}", change.name));
        }
        if changes.len() > MAX_VALUES {
            parts.push("…".to_owned());
        }
        parts.join(", ")
    }
}

/// `P(1): x = 2`; of a rendezvous both halves.
pub fn tell_move(model: &Model, step: &Move) -> String {
    let half = |pid: Pid, transition: TransitionId| {
        let ty = &model.processes[model.transitions[transition].process];
        format!("{}({pid}): {}", ty.name, text_of(model, transition))
    };
    match step.partner {
        Some((pid, with)) => format!("{} → {}", half(step.pid, step.transition), half(pid, with)),
        None => half(step.pid, step.transition),
    }
}

fn text_of(model: &Model, transition: TransitionId) -> String {
    format!("`{}`", model.transitions[transition].origin.text)
}
