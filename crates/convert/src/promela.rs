//! Promela: a `proctype` for each process, a loop over its steps. Where processes are, and all their variables, are kept
//! in globals, since a step of two processes is written as one of the sender's.
//!
//! A step is a `d_step` that blocks at its beginning or not at all. Where a value must fit, that is asked for before it is
//! assigned: a `d_step` that blocks in its middle is an error, as the value would be.

use std::fmt::Write;

use stubborn_ir::{ChanTest, Comm, Expr, LocationId, Model, Pattern, Place, SlotType, Transition};

use crate::Refused;
use crate::action::{Action, Body};
use crate::expression::{Dialect, Writer, bounds};
use crate::system::System;

/// Names of the variables that say where processes are.
struct Promela {
    locations: Vec<String>,
    channels: Vec<String>,
}

impl Dialect for Promela {
    fn and(&self) -> &'static str {
        "&&"
    }

    fn or(&self) -> &'static str {
        "||"
    }

    fn not(&self) -> &'static str {
        "!"
    }

    fn local(&self, _owner: usize, _seen_from: Option<usize>, name: &str) -> String {
        name.to_owned()
    }

    fn at(&self, process: usize, location: LocationId) -> String {
        format!("({} == {})", self.locations[process], location.0)
    }

    fn conditional(&self, condition: &str, [yes, no]: [&str; 2]) -> Result<String, Refused> {
        Ok(format!("({condition} -> {yes} : {no})"))
    }

    fn channel(&self, test: ChanTest, channel: usize) -> Result<String, Refused> {
        let name = &self.channels[channel];
        Ok(match test {
            ChanTest::Len => format!("len({name})"),
            ChanTest::Full => format!("full({name})"),
            ChanTest::Empty => format!("empty({name})"),
            ChanTest::NotFull => format!("nfull({name})"),
            ChanTest::NotEmpty => format!("nempty({name})"),
        })
    }
}

pub(crate) fn write(model: &Model) -> Result<String, Refused> {
    let mut system = System::new(model)?;
    let names: Vec<String> = system.processes.iter().map(|process| format!("{}_at", process.name)).collect();
    let locations = names.iter().map(|name| system.fresh.name(name)).collect();
    let dialect = Promela { locations, channels: system.channels.clone() };
    let mut text = String::new();
    declare(&system, &dialect, &mut text);
    for process in 0..system.processes.len() {
        let writer = Writer { system: &system, dialect: &dialect, process };
        let mut options = Vec::new();
        let ty = &model.processes[system.processes[process].ty];
        for t in ty.locations.iter().flat_map(|location| location.transition_ids()) {
            let t = &model.transitions[t];
            steps(&writer, &dialect, t, &mut options).map_err(|refused| refused.at(t.origin.span))?;
        }
        if options.is_empty() {
            options.push("false".to_owned());
        }
        let _ = writeln!(text, "\nactive proctype {}() {{\n    do", system.processes[process].name);
        for option in &options {
            let _ = writeln!(text, "    :: {option}");
        }
        text.push_str("    od\n}\n");
    }
    Ok(text)
}

fn declare(system: &System<'_>, dialect: &Promela, text: &mut String) {
    let owners = (0..system.processes.len()).map(Some);
    for owner in std::iter::once(None).chain(owners) {
        let names = owner.map_or(&system.globals, |process| &system.processes[process].locals);
        for named in &names.all {
            let initial: Vec<i32> =
                named.slots.iter().map(|&slot| system.initial(owner, slot, &named.ty)).collect();
            let (ty, width) = type_name(&named.ty);
            let size = if named.is_array { format!("[{}]", named.slots.len()) } else { String::new() };
            let value = match &*initial {
                values if values.iter().all(|&value| value == 0) => String::new(),
                [first, rest @ ..] if rest.iter().all(|value| value == first) => format!(" = {first}"),
                values => {
                    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                    format!(" = {{ {} }}", values.join(", "))
                }
            };
            let _ = writeln!(text, "{ty} {}{width}{size}{value};", named.name);
        }
        if let Some(process) = owner {
            let ty = &system.model.processes[system.processes[process].ty];
            let kind = if ty.locations.len() < 256 { "byte" } else { "short" };
            let _ = writeln!(text, "{kind} {} = {};", dialect.locations[process], ty.start.0);
        }
    }
    for (channel, name) in system.model.channels.iter().zip(&system.channels) {
        if channel.capacity > 0 {
            let fields: Vec<&str> = channel.fields.iter().map(|field| type_name(field).0).collect();
            let _ = writeln!(text, "chan {name} = [{}] of {{ {} }};", channel.capacity, fields.join(", "));
        }
    }
}

/// The name of a type, and what comes after the name of the variable.
fn type_name(ty: &SlotType) -> (&'static str, String) {
    match ty {
        SlotType::Bit => ("bit", String::new()),
        SlotType::Byte | SlotType::Symbol(_) | SlotType::Pid | SlotType::Token { wide: false, .. } => {
            ("byte", String::new())
        }
        SlotType::Short => ("short", String::new()),
        SlotType::Int | SlotType::Unsigned(32) => ("int", String::new()),
        SlotType::Unsigned(bits) => ("unsigned", format!(" : {bits}")),
        SlotType::Token { wide: true, .. } | SlotType::Chan | SlotType::Location => {
            ("unsigned", " : 16".to_owned())
        }
    }
}

/// Writes a transition: alone, or with each that may take part in its rendezvous.
fn steps(
    writer: &Writer<'_, '_>,
    dialect: &Promela,
    t: &Transition,
    options: &mut Vec<String>,
) -> Result<(), Refused> {
    let model = writer.system.model;
    let body = Body::of(model, t)?;
    let mut step = Step::new(writer, dialect, t, &body)?;
    match body.comm {
        None => step.actions(writer, &body)?,
        Some(comm) => {
            let (Comm::Send(stubborn_ir::Send { chan, .. })
            | Comm::Receive(stubborn_ir::Receive { chan, .. })) = comm;
            let channel = writer.system.channel(chan)?;
            if model.channels[channel].capacity == 0 {
                // A rendezvous is a step of the sender's.
                return match comm {
                    Comm::Send(send) => meetings(writer, dialect, (t, &body, send, channel), options),
                    Comm::Receive(_) => Ok(()),
                };
            }
            step.buffered(writer, comm, channel)?;
            step.actions(writer, &body)?;
        }
    }
    step.moves(dialect, writer.process, t);
    options.push(step.show(&t.origin.text));
    Ok(())
}

/// A sender with each of its partners.
fn meetings(
    writer: &Writer<'_, '_>,
    dialect: &Promela,
    (t, body, send, channel): (&Transition, &Body<'_>, &stubborn_ir::Send, usize),
    options: &mut Vec<String>,
) -> Result<(), Refused> {
    let system = writer.system;
    for process in (0..system.processes.len()).filter(|&process| process != writer.process) {
        let ty = &system.model.processes[system.processes[process].ty];
        for other in ty.locations.iter().flat_map(|location| location.transition_ids()) {
            let other = &system.model.transitions[other];
            let partner = Body::of(system.model, other)?;
            let Some(Comm::Receive(receive)) = partner.comm else { continue };
            if system.channel(&receive.chan)? != channel {
                continue;
            }
            let receiver = Writer { process, ..*writer };
            let mut step = Step::new(writer, dialect, t, body)?;
            let theirs = Step::new(&receiver, dialect, other, &partner)?;
            step.guards.extend(theirs.guards);
            step.hand_over(writer, &receiver, send, receive, &system.model.channels[channel].fields)?;
            let both = [(writer, body), (&receiver, &partner)];
            let order = if system.model.receiver_first { [both[1], both[0]] } else { both };
            for (writer, body) in order {
                step.actions(writer, body)?;
            }
            step.moves(dialect, writer.process, t);
            step.moves(dialect, process, other);
            options.push(step.show(&format!("{}, with {}: {}", t.origin.text, ty.name, other.origin.text)));
        }
    }
    Ok(())
}

/// A step as it is written.
struct Step {
    guards: Vec<String>,
    statements: Vec<String>,
}

impl Step {
    /// With what has to hold for a transition.
    fn new(
        writer: &Writer<'_, '_>,
        dialect: &Promela,
        t: &Transition,
        body: &Body<'_>,
    ) -> Result<Self, Refused> {
        let model = writer.system.model;
        let mut guards = Vec::new();
        if model.processes[t.process].locations.len() > 1 {
            guards.push(dialect.at(writer.process, t.from));
        }
        for guard in &body.guards {
            guards.push(writer.expr(guard)?);
        }
        for &inhibitor in &t.inhibitors {
            let other = &model.transitions[inhibitor];
            if other.comm.is_some() || !other.inhibitors.is_empty() && model.net.is_none() {
                return Err(Refused::new("it waits for a message not to be there"));
            }
            let parts: Result<Vec<String>, Refused> =
                other.guards.iter().map(|&guard| writer.expr(&model.guards[guard])).collect();
            guards.push(match &*parts? {
                [] => "false".to_owned(),
                parts => format!("!({})", parts.join(" && ")),
            });
        }
        if body.ends {
            return Err(Refused::new("a process ends"));
        }
        Ok(Step { guards, statements: Vec::new() })
    }

    fn actions(&mut self, writer: &Writer<'_, '_>, body: &Body<'_>) -> Result<(), Refused> {
        for action in &body.actions {
            match action {
                Action::Hold(guard) => self.statements.push(writer.expr(guard)?),
                Action::Fail => self.statements.push("false".to_owned()),
                Action::Assign(place, value) => {
                    let known = value.as_const().map(|value| (value, value)).or_else(|| known(writer, value));
                    let value = writer.expr(value)?;
                    self.assign(writer, place, &value, known)?;
                }
                Action::Count { place, by, most } => {
                    let name = writer.place(place)?;
                    if let Some(most) = most {
                        self.statements.push(format!("({name} + {by} <= {most})"));
                    }
                    self.statements.push(format!("{name} = {name} + {by}"));
                }
            }
        }
        Ok(())
    }

    /// Assigns a value that is known to be within bounds, or has to be looked at.
    fn assign(
        &mut self,
        writer: &Writer<'_, '_>,
        place: &Place,
        value: &str,
        known: Option<(i32, i32)>,
    ) -> Result<(), Refused> {
        let name = writer.place(place)?;
        let (least, greatest) = bounds(&writer.ty(place)?);
        let fits = known.is_some_and(|(low, high)| least <= low && high <= greatest);
        if writer.system.model.overflow_fails && !fits {
            self.statements.push(format!("({value} >= {least} && {value} <= {greatest})"));
        }
        self.statements.push(format!("{name} = {value}"));
        Ok(())
    }

    fn buffered(&mut self, writer: &Writer<'_, '_>, comm: &Comm, channel: usize) -> Result<(), Refused> {
        let name = &writer.system.channels[channel];
        match comm {
            Comm::Send(send) => {
                self.guards.push(format!("nfull({name})"));
                let args: Result<Vec<String>, Refused> =
                    send.args.iter().map(|arg| writer.expr(arg)).collect();
                self.statements.push(format!("{name}!{}", args?.join(", ")));
            }
            Comm::Receive(receive) => {
                self.guards.push(format!("nempty({name})"));
                let mut places = Vec::new();
                for (field, ty) in receive.pattern.iter().zip(&writer.system.model.channels[channel].fields) {
                    let Pattern::Bind(place) = field else {
                        return Err(Refused::new("a receive asks what the message is"));
                    };
                    let ((least, greatest), (low, high)) = (bounds(&writer.ty(place)?), bounds(ty));
                    if writer.system.model.overflow_fails && (low < least || high > greatest) {
                        return Err(Refused::new(
                            "a message may not fit the variable that it is received in",
                        ));
                    }
                    places.push(writer.place(place)?);
                }
                self.statements.push(format!("{name}?{}", places.join(", ")));
            }
        }
        Ok(())
    }

    /// What is sent comes to where it is received.
    fn hand_over(
        &mut self,
        sender: &Writer<'_, '_>,
        receiver: &Writer<'_, '_>,
        send: &stubborn_ir::Send,
        receive: &stubborn_ir::Receive,
        fields: &[SlotType],
    ) -> Result<(), Refused> {
        if receive.pattern.len() > 1 {
            let binds = receive.pattern.iter().filter(|field| matches!(field, Pattern::Bind(_)));
            let are_fixed = send.args.iter().all(|arg| arg.as_const().is_some());
            if binds.count() > 1 && !are_fixed {
                self.refuse_overlap(sender, receiver, send, receive)?;
            }
        }
        for ((arg, field), ty) in send.args.iter().zip(&receive.pattern).zip(fields) {
            let (value, known) = kept(sender, arg, ty)?;
            match field {
                Pattern::Any => {}
                Pattern::Match(expr) => self.guards.push(format!("({value} == {})", receiver.expr(expr)?)),
                Pattern::Bind(place) => self.assign(receiver, place, &value, known)?,
            }
        }
        Ok(())
    }

    /// Several values are handed over at once: none may be computed from what another one is stored in.
    fn refuse_overlap(
        &self,
        sender: &Writer<'_, '_>,
        receiver: &Writer<'_, '_>,
        send: &stubborn_ir::Send,
        receive: &stubborn_ir::Receive,
    ) -> Result<(), Refused> {
        let mut stored = Vec::new();
        for field in &receive.pattern {
            if let Pattern::Bind(place) = field {
                let name = receiver.place(place)?;
                stored.push(name.split('[').next().unwrap_or_default().to_owned());
            }
        }
        for arg in &send.args {
            let text = sender.expr(arg)?;
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            if words.any(|word| stored.iter().any(|name| name == word)) {
                return Err(Refused::new("a value that is sent depends on where another one is received"));
            }
        }
        Ok(())
    }

    fn moves(&mut self, dialect: &Promela, process: usize, t: &Transition) {
        if let Some(to) = t.to.filter(|to| *to != t.from) {
            self.statements.push(format!("{} = {}", dialect.locations[process], to.0));
        }
    }

    fn show(&self, origin: &str) -> String {
        let guard = if self.guards.is_empty() { "true".to_owned() } else { self.guards.join(" && ") };
        let statements = std::iter::once(&guard).chain(&self.statements).cloned().collect::<Vec<_>>();
        let origin = origin.replace("*/", "* /").replace("/*", "/ *");
        format!("d_step {{ {} }} /* {origin} */", statements.join("; "))
    }
}

/// A value as a field of a channel keeps it.
fn kept(writer: &Writer<'_, '_>, arg: &Expr, ty: &SlotType) -> Result<(String, Option<(i32, i32)>), Refused> {
    let (least, greatest) = bounds(ty);
    let known = arg.as_const().map(|value| (value, value)).or_else(|| known(writer, arg));
    let text = writer.expr(arg)?;
    Ok(match (known, ty) {
        (Some((low, high)), _) if least <= low && high <= greatest => (text, known),
        (_, SlotType::Int) => (text, None),
        (_, SlotType::Short) => (format!("((({text} & 65535) ^ 32768) - 32768)"), Some((least, greatest))),
        _ => (format!("({text} & {greatest})"), Some((least, greatest))),
    })
}

/// The bounds of a value that is a variable.
fn known(writer: &Writer<'_, '_>, value: &Expr) -> Option<(i32, i32)> {
    match value {
        Expr::Load(place) => writer.ty(place).ok().map(|ty| bounds(&ty)),
        _ => None,
    }
}
