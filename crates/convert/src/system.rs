//! A model as processes that are all there from the start, with a name for everything.

use stubborn_base::Idx;
use stubborn_ir::{
    Comm, Effect, Expr, InstanceId, Interpreter, Model, Pattern, Place, ProcessTypeId, Region, Remote, Slot,
    Transition, Variable,
};

use crate::Refused;
use crate::names::{Fresh, Names};

/// A model with names.
pub(crate) struct System<'m> {
    pub(crate) model: &'m Model,
    /// By number.
    pub(crate) processes: Vec<Process>,
    pub(crate) globals: Names,
    /// Names of channels.
    pub(crate) channels: Vec<String>,
    pub(crate) fresh: Fresh,
    initial: Vec<u8>,
}

/// A process.
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) ty: ProcessTypeId,
    pub(crate) locals: Names,
    /// Where its frame begins in the initial state.
    base: u32,
}

impl<'m> System<'m> {
    pub(crate) fn new(model: &'m Model) -> Result<Self, Refused> {
        refuse_dynamics(model)?;
        let mut interpreter = Interpreter::new(model);
        let initial = interpreter
            .initial()
            .map_err(|kind| Refused::new(format!("there is no initial state: {kind}")))?;
        let mut fresh = Fresh::default();
        let is_channel = |variable: &&Variable| model.channels.iter().any(|c| c.variable == variable.slot);
        let variables: Vec<Variable> =
            model.globals.iter().filter(|variable| !is_channel(variable)).cloned().collect();
        let places = places(model);
        let chosen = |region: Region, process: Option<ProcessTypeId>| -> Vec<&Place> {
            let is_own = |&&(owner, place): &&(ProcessTypeId, &Place)| {
                place.region == region && process.is_none_or(|process| process == owner)
            };
            places.iter().filter(is_own).map(|(_, place)| *place).collect()
        };
        let globals = Names::new(&variables, &chosen(Region::Global, None), "", &mut fresh)?;
        let channels = model.channels.iter().map(|channel| fresh.name(&channel.name)).collect();
        let mut processes = Vec::new();
        for (pid, activation) in model.initial.iter().enumerate() {
            let ty = &model.processes[activation.process];
            let is_only = model.initial.iter().filter(|a| a.process == activation.process).count() == 1;
            let wanted = if is_only { ty.name.to_string() } else { format!("{}_{pid}", ty.name) };
            let name = fresh.name(&wanted);
            let own = chosen(Region::Local, Some(activation.process));
            let locals = Names::new(&ty.locals, &own, &format!("{name}_"), &mut fresh)?;
            let base = interpreter.layout().instance(InstanceId::new(pid)).base;
            processes.push(Process { name, ty: activation.process, locals, base });
        }
        Ok(System { model, processes, globals, channels, fresh, initial })
    }

    /// The value of a slot in the initial state.
    pub(crate) fn initial(&self, owner: Option<usize>, slot: u32, ty: &stubborn_ir::SlotType) -> i32 {
        let base = owner.map_or(0, |process| self.processes[process].base);
        Slot::new(base + slot, ty).read(&self.initial)
    }

    /// The channel that an expression names.
    pub(crate) fn channel(&self, chan: &Expr) -> Result<usize, Refused> {
        let unknown = || Refused::new("which channel is meant depends on the state");
        let found = match chan {
            Expr::Const(number) => usize::try_from(*number - 1).ok(),
            Expr::Load(place) if place.indices.is_empty() && place.region == Region::Global => {
                self.model.channels.iter().position(|channel| channel.variable == place.slot)
            }
            _ => None,
        };
        found.filter(|&channel| channel < self.model.channels.len()).ok_or_else(unknown)
    }

    /// The process that is meant.
    pub(crate) fn other(&self, remote: &Remote) -> Result<usize, Refused> {
        let is_it = |process: &Process| process.ty == remote.process;
        match &remote.pid {
            None => self.processes.iter().position(is_it),
            Some(Expr::Const(pid)) => usize::try_from(*pid).ok().filter(|&pid| pid < self.processes.len()),
            Some(_) => None,
        }
        .ok_or_else(|| Refused::new("which process is meant depends on the state"))
    }
}

/// What neither DVE nor a loop over variables can do.
fn refuse_dynamics(model: &Model) -> Result<(), Refused> {
    let whole = [
        (model.uses_priorities, "processes have priorities"),
        (model.uses_timeout, "it waits for timeout"),
        (model.last_pid.is_some(), "it asks which process moved last"),
        (model.processes.iter().any(|ty| !ty.channels.is_empty()), "processes have channels of their own"),
    ];
    if let Some((_, why)) = whole.iter().find(|(is_so, _)| *is_so) {
        return Err(Refused::new(*why));
    }
    for t in model.transitions.iter() {
        let parts = [
            (t.atomic, "an atomic sequence is more than one step"),
            (t.any_effect(|e| matches!(e, Effect::Run(_))), "a process is created while it runs"),
            (t.any_effect(|e| matches!(e, Effect::SetPriority(..))), "a priority is set"),
            (assigns_channel(model, t), "a channel is assigned"),
        ];
        if let Some((_, why)) = parts.iter().find(|(is_so, _)| *is_so) {
            return Err(Refused::new(*why).at(t.origin.span));
        }
    }
    Ok(())
}

fn assigns_channel(model: &Model, t: &Transition) -> bool {
    let is_channel = |place: &Place| {
        place.region == Region::Global && model.channels.iter().any(|c| c.variable == place.slot)
    };
    let bound = match &t.comm {
        Some(Comm::Receive(receive)) => &*receive.pattern,
        _ => &[],
    };
    t.any_effect(|effect| matches!(effect, Effect::Assign(place, _) if is_channel(place)))
        || bound.iter().any(|field| matches!(field, Pattern::Bind(place) if is_channel(place)))
}

/// All places whose elements are chosen by what is computed, with the process type that they are seen from, or that they
/// belong to.
fn places(model: &Model) -> Vec<(ProcessTypeId, &Place)> {
    let mut found = Vec::new();
    for t in model.transitions.iter() {
        for &guard in &t.guards {
            in_expr(&model.guards[guard], t.process, &mut found);
        }
        if let Some(comm) = &t.comm {
            in_comm(comm, t.process, &mut found);
        }
        in_effects(&t.effects, t.process, &mut found);
    }
    found
}

type Found<'m> = Vec<(ProcessTypeId, &'m Place)>;

fn in_place<'m>(place: &'m Place, owner: ProcessTypeId, seen: ProcessTypeId, found: &mut Found<'m>) {
    if !place.indices.is_empty() {
        found.push((owner, place));
    }
    place.indices.iter().for_each(|index| in_expr(&index.value, seen, found));
}

fn in_expr<'m>(expr: &'m Expr, process: ProcessTypeId, found: &mut Found<'m>) {
    match expr {
        Expr::Load(place) => in_place(place, process, process, found),
        Expr::Unary(_, operand) => in_expr(operand, process, found),
        Expr::Binary(_, operands) => operands.iter().for_each(|e| in_expr(e, process, found)),
        Expr::Conditional(parts) => parts.iter().for_each(|e| in_expr(e, process, found)),
        Expr::Remote(remote, place) => in_place(place, remote.process, process, found),
        // Everything else is refused when it is written.
        _ => {}
    }
}

fn in_comm<'m>(comm: &'m Comm, process: ProcessTypeId, found: &mut Found<'m>) {
    match comm {
        Comm::Send(send) => send.args.iter().for_each(|arg| in_expr(arg, process, found)),
        Comm::Receive(receive) => {
            for field in &receive.pattern {
                match field {
                    Pattern::Match(expr) => in_expr(expr, process, found),
                    Pattern::Bind(place) => in_place(place, process, process, found),
                    Pattern::Any => {}
                }
            }
        }
    }
}

fn in_effects<'m>(effects: &'m [Effect], process: ProcessTypeId, found: &mut Found<'m>) {
    for effect in effects {
        match effect {
            Effect::Assign(place, value) => {
                in_place(place, process, process, found);
                in_expr(value, process, found);
            }
            Effect::DStep(dstep) => {
                for alternative in dstep.nodes.iter().flatten() {
                    alternative.guards.iter().for_each(|guard| in_expr(guard, process, found));
                    alternative.comm.iter().for_each(|comm| in_comm(comm, process, found));
                    in_effects(&alternative.effects, process, found);
                }
            }
            _ => {}
        }
    }
}
