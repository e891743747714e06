//! Variables that both sides of a rendezvous set: a mistake in a model, says DiVinE's manual.

use hashbrown::HashMap;
use stubborn_base::Diagnostic;
use stubborn_ir::{self as ir, Comm, Effect, Model, Place, Region, Transition};

/// Warns where a sender and a receiver assign to the same global variable in one step.
pub(crate) fn report(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    // Those that assign something, by channel.
    let mut senders: HashMap<i32, Vec<(&Transition, Vec<&Place>)>> = HashMap::new();
    let mut receivers: Vec<(i32, &Transition, Vec<&Place>)> = Vec::new();
    for transition in model.transitions.iter() {
        let (Some(comm), places) = (&transition.comm, assigned(transition)) else { continue };
        let (Comm::Send(ir::Send { chan, .. }) | Comm::Receive(ir::Receive { chan, .. })) = comm;
        let (Some(chan), false) = (chan.as_const(), places.is_empty()) else { continue };
        match comm {
            Comm::Send(_) => senders.entry(chan).or_default().push((transition, places)),
            Comm::Receive(_) => receivers.push((chan, transition, places)),
        }
    }
    for (chan, receiver, places) in receivers {
        let others = senders.get(&chan).into_iter().flatten().filter(|(t, _)| t.process != receiver.process);
        let both =
            |sender: &[&Place]| places.iter().find(|p| sender.iter().any(|s| s.slot == p.slot)).copied();
        let Some((sender, place)) = others.filter_map(|(t, own)| Some((t, both(own)?))).next() else {
            continue;
        };
        let name = model.globals.iter().find(|variable| variable.slot == place.slot);
        let name = name.map_or("a variable", |variable| &variable.name);
        let message = format!("`{name}` is assigned on both sides of this synchronisation");
        let diagnostic = Diagnostic::warning("assigned-twice", receiver.origin.span, message);
        let diagnostic = diagnostic.label(sender.origin.span, "the other side, whose value stays");
        diagnostics.push(diagnostic.help("let one side assign it"));
    }
}

/// Global places that a transition assigns to.
fn assigned(transition: &Transition) -> Vec<&Place> {
    let global = transition.effects.iter().filter_map(|effect| match effect {
        Effect::Assign(place, _) if place.region == Region::Global => Some(place),
        _ => None,
    });
    global.collect()
}
