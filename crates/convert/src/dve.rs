//! DVE: a process for each, with its states and variables.
//!
//! DVE's variables have 8 bits, or 16 with a sign, and a value that does not fit is an error; where it should wrap, that
//! is computed. Where something must hold in the middle of a step, a variable that is always 0 is assigned a value that
//! fits only if it does. A process that ends goes to a state of its own, when all that were created after it have.

use std::fmt::Write;

use stubborn_ir::{ChanTest, Comm, Expr, LocationId, Model, Pattern, Place, SlotType, Transition};

use crate::Refused;
use crate::action::{Action, Body};
use crate::expression::{Dialect, Writer, bounds};
use crate::system::System;

struct Dve {
    processes: Vec<String>,
    /// By process: names of its locations, and of where it is gone to.
    states: Vec<Vec<String>>,
    gone: Vec<String>,
    /// Always 0.
    fault: String,
}

impl Dialect for Dve {
    fn and(&self) -> &'static str {
        "and"
    }

    fn or(&self) -> &'static str {
        "or"
    }

    fn not(&self) -> &'static str {
        "not "
    }

    fn local(&self, owner: usize, seen_from: Option<usize>, name: &str) -> String {
        match seen_from == Some(owner) {
            true => name.to_owned(),
            false => format!("{}->{name}", self.processes[owner]),
        }
    }

    fn at(&self, process: usize, location: LocationId) -> String {
        format!("{}.{}", self.processes[process], self.states[process][usize::from(location.0)])
    }

    fn conditional(&self, _: &str, _: [&str; 2]) -> Result<String, Refused> {
        Err(Refused::new("DVE has no conditional expressions"))
    }

    fn channel(&self, _: ChanTest, _: usize) -> Result<String, Refused> {
        Err(Refused::new("DVE cannot ask how many messages a channel holds"))
    }
}

pub(crate) fn write(model: &Model) -> Result<String, Refused> {
    let mut system = System::new(model)?;
    let mut states = Vec::new();
    let mut gone = Vec::new();
    for process in &system.processes {
        let locations = model.processes[process.ty].locations.iter().enumerate();
        let wanted = locations.map(|(i, location)| match location.labels.first() {
            Some(label) => label.to_string(),
            None => format!("at_{i}"),
        });
        states.push(wanted.map(|wanted| system.fresh.name(&wanted)).collect());
        gone.push(system.fresh.name("gone"));
    }
    let fault = system.fresh.name("fault");
    let processes = system.processes.iter().map(|process| process.name.clone()).collect();
    let dialect = Dve { processes, states, gone, fault };
    let mut text = String::new();
    declare(&system, None, "", &mut text)?;
    let mut needs_fault = false;
    let mut processes = String::new();
    for process in 0..system.processes.len() {
        let writer = Writer { system: &system, dialect: &dialect, process };
        needs_fault |= write_process(&writer, &dialect, &mut processes)?;
    }
    if needs_fault {
        let _ = writeln!(text, "byte {} = 0;", dialect.fault);
    }
    for (channel, name) in model.channels.iter().zip(&system.channels) {
        let fields: Result<Vec<&str>, Refused> = channel.fields.iter().map(type_name).collect();
        let fields = if fields.as_ref().is_ok_and(Vec::is_empty) { None } else { Some(fields) };
        let size = if channel.capacity > 0 { format!("[{}]", channel.capacity) } else { String::new() };
        match fields {
            Some(Ok(fields)) => {
                let _ = writeln!(text, "channel {{{}}} {name}{size};", fields.join(", "));
            }
            // A rendezvous may hand over what no variable holds.
            Some(Err(refused)) if channel.capacity > 0 => return Err(refused),
            _ => {
                let _ = writeln!(text, "channel {name}{size};");
            }
        }
    }
    text.push_str(&processes);
    text.push_str("\nsystem async;\n");
    Ok(text)
}

fn declare(
    system: &System<'_>,
    owner: Option<usize>,
    indent: &str,
    text: &mut String,
) -> Result<(), Refused> {
    let names = owner.map_or(&system.globals, |process| &system.processes[process].locals);
    for named in &names.all {
        let ty = type_name(&named.ty)
            .map_err(|_| Refused::new(format!("`{}` has more bits than DVE's variables", named.name)))?;
        let initial: Vec<String> =
            named.slots.iter().map(|&slot| system.initial(owner, slot, &named.ty).to_string()).collect();
        let _ = match named.is_array {
            true => {
                writeln!(text, "{indent}{ty} {}[{}] = {{{}}};", named.name, initial.len(), initial.join(", "))
            }
            false => writeln!(text, "{indent}{ty} {} = {};", named.name, initial[0]),
        };
    }
    Ok(())
}

fn type_name(ty: &SlotType) -> Result<&'static str, Refused> {
    match bounds(ty) {
        (0, 0..=255) => Ok("byte"),
        (-32768..=0, 0..=32767) => Ok("int"),
        _ => Err(Refused::new("DVE's variables have no more than 16 bits, one for the sign")),
    }
}

/// Writes a process; whether it may do what must hold in the middle of a step.
fn write_process(writer: &Writer<'_, '_>, dialect: &Dve, text: &mut String) -> Result<bool, Refused> {
    let system = writer.system;
    let own = writer.process;
    let ty = &system.model.processes[system.processes[own].ty];
    let mut transitions = Vec::new();
    let (mut needs_fault, mut ends) = (false, false);
    for (i, location) in ty.locations.iter().enumerate() {
        for t in location.transition_ids() {
            let t = &system.model.transitions[t];
            let step = Step::of(writer, dialect, t).map_err(|refused| refused.at(t.origin.span))?;
            needs_fault |= step.needs_fault;
            ends |= t.to.is_none();
            let to = match t.to {
                Some(to) => &dialect.states[own][usize::from(to.0)],
                None => &dialect.gone[own],
            };
            transitions.push(format!("        {} -> {to} {{{}}}", dialect.states[own][i], step.show()));
        }
    }
    let _ = writeln!(text, "\nprocess {} {{", system.processes[own].name);
    declare(system, Some(own), "    ", text)?;
    let mut states = dialect.states[own].clone();
    if ends || is_asked_for(system.model) {
        states.push(dialect.gone[own].clone());
    }
    let start = &dialect.states[own][usize::from(ty.start.0)];
    let _ = writeln!(text, "    state {};\n    init {start};", states.join(", "));
    if !transitions.is_empty() {
        let _ = writeln!(text, "    trans\n{};", transitions.join(",\n"));
    }
    text.push_str("}\n");
    Ok(needs_fault)
}

/// Whether some process looks whether others are gone.
fn is_asked_for(model: &Model) -> bool {
    model.transitions.iter().any(|t| t.to.is_none())
}

/// A transition as it is written.
#[derive(Default)]
struct Step {
    guards: Vec<String>,
    sync: Option<String>,
    effects: Vec<String>,
    needs_fault: bool,
}

impl Step {
    fn of(writer: &Writer<'_, '_>, dialect: &Dve, t: &Transition) -> Result<Self, Refused> {
        let model = writer.system.model;
        let body = Body::of(model, t)?;
        let mut step = Step::default();
        for guard in &body.guards {
            if !is_implied(writer, guard, body.comm) {
                step.guards.push(writer.expr(guard)?);
            }
        }
        for &inhibitor in &t.inhibitors {
            let other = &model.transitions[inhibitor];
            if other.comm.is_some() {
                return Err(Refused::new("it waits for a message not to be there"));
            }
            let parts: Result<Vec<String>, Refused> =
                other.guards.iter().map(|&guard| writer.expr(&model.guards[guard])).collect();
            step.guards.push(match &*parts? {
                [] => "0".to_owned(),
                parts => format!("not ({})", parts.join(" and ")),
            });
        }
        if let Some(comm) = body.comm {
            step.communicate(writer, comm)?;
            if !model.receiver_first && !body.actions.is_empty() && step.is_meeting(writer, comm)? {
                return Err(Refused::new("in DVE the receiver of a rendezvous acts before the sender"));
            }
        }
        for action in &body.actions {
            match action {
                Action::Hold(guard) => {
                    let guard = writer.expr(guard)?;
                    step.needs_fault = true;
                    step.effects.push(format!("{} = 256 * (not {guard})", dialect.fault));
                }
                Action::Fail => {
                    step.needs_fault = true;
                    step.effects.push(format!("{} = 256 * (0 == 0)", dialect.fault));
                }
                Action::Assign(place, value) => step.assign(writer, place, value)?,
                Action::Count { place, by, most } => {
                    let greatest = bounds(&writer.ty(place)?).1;
                    if most.is_some_and(|most| most != greatest) {
                        return Err(Refused::new("a place has room for only so many tokens"));
                    }
                    let name = writer.place(place)?;
                    step.effects.push(format!("{name} = {name} + {by}"));
                }
            }
        }
        if body.ends {
            step.end(writer, dialect);
        }
        Ok(step)
    }

    /// The process created last goes first, and leaves nothing.
    fn end(&mut self, writer: &Writer<'_, '_>, dialect: &Dve) {
        let own = writer.process;
        let later = own + 1..writer.system.processes.len();
        self.guards
            .extend(later.map(|other| format!("{}.{}", dialect.processes[other], dialect.gone[other])));
        for named in &writer.system.processes[own].locals.all {
            match named.is_array {
                true => {
                    self.effects.extend((0..named.slots.len()).map(|i| format!("{}[{i}] = 0", named.name)))
                }
                false => self.effects.push(format!("{} = 0", named.name)),
            }
        }
    }

    fn is_meeting(&self, writer: &Writer<'_, '_>, comm: &Comm) -> Result<bool, Refused> {
        let (Comm::Send(stubborn_ir::Send { chan, .. }) | Comm::Receive(stubborn_ir::Receive { chan, .. })) =
            comm;
        Ok(writer.system.model.channels[writer.system.channel(chan)?].capacity == 0)
    }

    fn communicate(&mut self, writer: &Writer<'_, '_>, comm: &Comm) -> Result<(), Refused> {
        let list = |values: Vec<String>| match &*values {
            [only] => only.clone(),
            [] => String::new(),
            values => format!("{{{}}}", values.join(", ")),
        };
        let text = match comm {
            Comm::Send(send) => {
                if send.sorted {
                    return Err(Refused::new("a message is sent in order of its value"));
                }
                let channel = writer.system.channel(&send.chan)?;
                let args: Result<Vec<String>, Refused> =
                    send.args.iter().map(|arg| writer.expr(arg)).collect();
                format!("{}!{}", writer.system.channels[channel], list(args?))
            }
            Comm::Receive(receive) => {
                if receive.random || receive.peek {
                    return Err(Refused::new("it receives something else than the first message"));
                }
                let channel = writer.system.channel(&receive.chan)?;
                let fields = &writer.system.model.channels[channel].fields;
                if fields.len() != receive.pattern.len() {
                    return Err(Refused::new("a receive has fewer values than the message"));
                }
                let mut places = Vec::new();
                for (field, ty) in receive.pattern.iter().zip(fields) {
                    let Pattern::Bind(place) = field else {
                        return Err(Refused::new("a receive asks what the message is, or forgets it"));
                    };
                    let ((least, greatest), (low, high)) = (bounds(&writer.ty(place)?), bounds(ty));
                    if !writer.system.model.overflow_fails && (low < least || high > greatest) {
                        return Err(Refused::new(
                            "a message may not fit the variable that it is received in",
                        ));
                    }
                    places.push(writer.place(place)?);
                }
                format!("{}?{}", writer.system.channels[channel], list(places))
            }
        };
        self.sync = Some(text);
        Ok(())
    }

    fn assign(&mut self, writer: &Writer<'_, '_>, place: &Place, value: &Expr) -> Result<(), Refused> {
        let name = writer.place(place)?;
        let ty = writer.ty(place)?;
        let (least, greatest) = bounds(&ty);
        let text = match value {
            _ if writer.system.model.overflow_fails => writer.expr(value)?,
            Expr::Const(value) => ty.wrap(*value).to_string(),
            _ => {
                let text = writer.expr(value)?;
                let fits = match value {
                    Expr::Load(from) => {
                        let (low, high) = bounds(&writer.ty(from)?);
                        least <= low && high <= greatest
                    }
                    _ => false,
                };
                match ty {
                    _ if fits => text,
                    SlotType::Short => format!("((({text}) & 65535) ^ 32768) - 32768"),
                    _ => format!("({text}) & {greatest}"),
                }
            }
        };
        self.effects.push(format!("{name} = {text}"));
        Ok(())
    }

    fn show(&self) -> String {
        let mut text = String::new();
        if !self.guards.is_empty() {
            let _ = write!(text, " guard {};", self.guards.join(" and "));
        }
        if let Some(sync) = &self.sync {
            let _ = write!(text, " sync {sync};");
        }
        if !self.effects.is_empty() {
            let _ = write!(text, " effect {};", self.effects.join(", "));
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text
    }
}

/// Whether a guard only says that the channel operation is possible.
fn is_implied(writer: &Writer<'_, '_>, guard: &Expr, comm: Option<&Comm>) -> bool {
    let Expr::Chan(test, chan) = guard else { return false };
    let own = match (test, comm) {
        (ChanTest::NotFull, Some(Comm::Send(send))) => &send.chan,
        (ChanTest::NotEmpty, Some(Comm::Receive(receive))) => &receive.chan,
        _ => return false,
    };
    writer.system.channel(chan).is_ok() && writer.system.channel(chan) == writer.system.channel(own)
}
