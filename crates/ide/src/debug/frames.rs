//! Processes as threads, and where each of them is.

use stubborn_base::Span;
use stubborn_ir::{InstanceId, LocationId, Pid, ProcessTypeId};

use super::Debugger;

/// A process that exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Its number.
    pub pid: Pid,
    /// Its type and number.
    pub name: String,
}

/// A place where a process is: its statement, then the calls around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The process type, or what is called.
    pub name: String,
    /// The statement that comes next, or the call.
    pub span: Span,
}

impl Debugger<'_> {
    /// The processes that exist, by number.
    pub fn threads(&mut self) -> Vec<Thread> {
        let waiting = self.run.simulation().waiting();
        let is_net = self.program.model.net.is_some();
        let thread = |w: &stubborn_check::Waiting| Thread {
            pid: w.pid,
            name: if is_net { w.process.to_string() } else { format!("{}({})", w.process, w.pid) },
        };
        waiting.iter().map(thread).collect()
    }

    /// Where a process is, innermost first; nothing if it does not exist.
    pub fn frames(&mut self, pid: Pid) -> Vec<Frame> {
        let Some((_, process, location)) = self.place(pid) else { return Vec::new() };
        let model = &self.program.model;
        let own = self.run.upcoming().and_then(|made| match made.partner {
            Some((partner, with)) if partner == pid => Some(with),
            _ => (made.pid == pid).then_some(made.transition),
        });
        let (mut span, calls) = match own {
            Some(transition) => {
                let origin = &model.transitions[transition].origin;
                (origin.span, &origin.calls)
            }
            None => {
                let location = model.processes[process].location(location);
                (location.span, &location.calls)
            }
        };
        let mut frames = Vec::new();
        for call in calls.iter() {
            frames.push(Frame { name: call.name.to_string(), span });
            span = call.span;
        }
        // What a net is about to do says more than its name.
        let firing = own.filter(|_| model.net.is_some()).map(|t| &model.transitions[t].origin.text);
        let name = firing.unwrap_or(&model.processes[process].name);
        frames.push(Frame { name: name.to_string(), span });
        frames
    }

    /// A process that exists now, its type and its location.
    pub(super) fn place(&mut self, pid: Pid) -> Option<(InstanceId, ProcessTypeId, LocationId)> {
        let run = self.run.simulation();
        let id = run.layout().alive(run.state(), pid)?;
        let instance = run.layout().instance(id);
        let location = LocationId((instance.location.read(run.state()) - 1) as u16);
        Some((id, instance.process, location))
    }
}
