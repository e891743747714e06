//! Where everybody is at the end, and what they wait for.

use stubborn_ir::{
    ChannelStatus, Comm, Effect, Expr, InstanceId, Interpreter, Location, Pid, Receive, RuntimeErrorKind,
    Send, TransitionId, Valued,
};

use super::dead_marking;
use super::lives::Lives;
use super::reads::{Read, Reader};
use super::{Obstacle, Standing};
use crate::machine::Machine;

/// Where each process is, in order of their numbers.
pub(super) fn standing(machine: &mut Machine<'_>, lives: &Lives) -> Vec<Standing> {
    let steps = machine.interpreter.enabled_steps(&machine.at.state, None);
    let movers = steps.iter().flat_map(|(step, _)| [Some(step.process), step.partner.map(|(p, _)| p)]);
    let movers: Vec<InstanceId> = movers.flatten().collect();
    let mut processes: Vec<InstanceId> = lives.alive().collect();
    processes.sort_by_key(|&process| machine.interpreter.layout().instance(process).pid);
    let tell = |process: InstanceId| {
        let look = Look { interpreter: &machine.interpreter, state: &machine.at.state, process };
        let (location, can_move) = (look.location(), movers.contains(&process));
        let obstacles = match (can_move, &machine.interpreter.model().net) {
            (true, _) => Vec::new(),
            (false, Some(net)) => dead_marking::obstacles(machine.interpreter.model(), net, look.state),
            (false, None) => look.obstacles(),
        };
        let life = lives.of(process);
        Standing { life, span: location.span, is_end: location.is_end, can_move, goes_on: false, obstacles }
    };
    processes.into_iter().map(tell).collect()
}

/// What keeps a process from moving looks at.
pub(super) fn reads(machine: &Machine<'_>, process: InstanceId) -> Vec<Read> {
    let look = Look { interpreter: &machine.interpreter, state: &machine.at.state, process };
    let mut reader = Reader::new(look.interpreter, look.state);
    for transition in look.location().transition_ids() {
        reader.disabled(process, transition);
    }
    reader.reads
}

/// A process that cannot move.
struct Look<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    process: InstanceId,
}

impl<'m> Look<'_, 'm> {
    fn location(&self) -> &'m Location {
        self.location_of(self.process)
    }

    fn location_of(&self, process: InstanceId) -> &'m Location {
        let instance = self.interpreter.layout().instance(process);
        let at = instance.location.read(self.state) - 1;
        &self.interpreter.model().processes[instance.process].locations[at as usize]
    }

    fn obstacles(&self) -> Vec<Obstacle> {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for transition in self.location().transition_ids() {
            let origin = &self.interpreter.model().transitions[transition].origin;
            let why = self.why(transition).unwrap_or_else(|kind| kind.to_string());
            let obstacle = Obstacle { span: origin.span, text: origin.text.clone(), why, fires: None };
            if !obstacles.contains(&obstacle) {
                obstacles.push(obstacle);
            }
        }
        obstacles
    }

    /// What is in the way of a transition.
    fn why(&self, transition: TransitionId) -> Result<String, RuntimeErrorKind> {
        let model = self.interpreter.model();
        let t = &model.transitions[transition];
        for &guard in &t.guards {
            let guard = &model.guards[guard];
            if self.interpreter.eval(self.state, self.process, guard)? == 0 {
                return Ok(self.why_not(guard, &t.effects));
            }
        }
        for &inhibitor in &t.inhibitors {
            if self.interpreter.is_enabled(self.state, self.process, inhibitor)? {
                let other = &model.transitions[inhibitor].origin.text;
                return Ok(format!("{other} comes first"));
            }
        }
        match &t.comm {
            Some(comm) => self.why_no_message(comm),
            None => Ok("a process with a higher priority can move".to_owned()),
        }
    }

    /// Why a guard is false: the values it looks at.
    fn why_not(&self, guard: &Expr, effects: &[Effect]) -> String {
        if effects.contains(&Effect::End) {
            return "a process that was created later has not ended".to_owned();
        }
        if matches!(guard, Expr::Timeout) {
            return "something else can move".to_owned();
        }
        if let Some((token, is_asked_for)) = self.interpreter.model().asked_token(guard) {
            return format!("{token} = {}", u8::from(!is_asked_for));
        }
        let mut reader = Reader::new(self.interpreter, self.state);
        reader.expr(self.process, guard);
        let layout = self.interpreter.layout();
        let values = layout.values(self.interpreter.model(), self.state);
        let instance = layout.instance(self.process);
        let own = format!("{}({}):", self.interpreter.model().processes[instance.process].name, instance.pid);
        let tell = |valued: &Valued| {
            let name = valued.name.strip_prefix(&*own).unwrap_or(&valued.name);
            format!("{name} = {}", valued.value)
        };
        let mut told: Vec<String> = Vec::new();
        for read in &reader.reads {
            let told_now = match read {
                Read::Bytes(bytes) => {
                    let named = values.iter().find(|valued| valued.bytes.contains(&bytes.start));
                    named.map(tell)
                }
                Read::Level { channel } => {
                    let name = layout.channel_name(self.interpreter.model(), i32::from(*channel));
                    let named = values.iter().find(|valued| Some(&valued.name) == name.as_ref());
                    named.map(tell)
                }
                Read::Place(_) | Read::Places | Read::Messages { .. } => None,
            };
            if let Some(text) = told_now.filter(|text| !told.contains(text)) {
                told.push(text);
            }
        }
        if told.is_empty() { "it does not hold".to_owned() } else { told.join(", ") }
    }

    fn why_no_message(&self, comm: &Comm) -> Result<String, RuntimeErrorKind> {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        let number = self.interpreter.eval(self.state, self.process, chan)?;
        let (model, layout) = (self.interpreter.model(), self.interpreter.layout());
        let name = layout.channel_name(model, number).unwrap_or_default();
        Ok(match self.interpreter.channel_status(self.state, self.process, comm)? {
            ChannelStatus::Ready => "a process with a higher priority can move".to_owned(),
            ChannelStatus::Full => format!("{name} is full"),
            ChannelStatus::Empty => format!("{name} is empty"),
            ChannelStatus::Mismatch => {
                let values = layout.values(model, self.state);
                let contents = values.iter().find(|valued| valued.name == name);
                let contents = contents.map(|valued| valued.value.to_string()).unwrap_or_default();
                format!("{name} = {contents}")
            }
            ChannelStatus::Rendezvous => match (comm, self.is_somebody_there(comm, number)) {
                (Comm::Send(_), false) => format!("nobody receives on {name}"),
                (Comm::Send(_), true) => format!("nobody on {name} receives that message"),
                (Comm::Receive(_), false) => format!("nobody sends on {name}"),
                (Comm::Receive(_), true) => format!("nobody on {name} sends such a message"),
            },
        })
    }

    /// Whether another process is at the other end of a channel.
    fn is_somebody_there(&self, comm: &Comm, number: i32) -> bool {
        let (model, layout) = (self.interpreter.model(), self.interpreter.layout());
        let others = (0..=Pid::MAX).map_while(|pid| layout.alive(self.state, pid));
        let mut others = others.filter(|&other| other != self.process);
        others.any(|other| {
            self.location_of(other).transition_ids().any(|transition| {
                let chan = match (comm, &model.transitions[transition].comm) {
                    (Comm::Send(_), Some(Comm::Receive(receive))) => &receive.chan,
                    (Comm::Receive(_), Some(Comm::Send(send))) => &send.chan,
                    _ => return false,
                };
                self.interpreter.eval(self.state, other, chan) == Ok(number)
            })
        })
    }
}
