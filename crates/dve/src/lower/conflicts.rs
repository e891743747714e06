//! Variables that both sides of a rendezvous set: a mistake in a model, says DiVinE's manual.

use stubborn_base::Diagnostic;
use stubborn_ir::{Comm, Effect, Model, Place, Region, Transition};

/// Warns where a sender and a receiver assign to the same global variable in one step.
pub(crate) fn report(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for receiver in model.transitions.iter() {
        let Some(Comm::Receive(receive)) = &receiver.comm else { continue };
        for sender in model.transitions.iter().filter(|sender| sender.process != receiver.process) {
            let meets = matches!(&sender.comm, Some(Comm::Send(send)) if send.chan == receive.chan);
            let Some(name) = meets.then(|| both(model, sender, receiver)).flatten() else { continue };
            let message = format!("`{name}` is assigned on both sides of this synchronisation");
            let diagnostic = Diagnostic::warning("assigned-twice", receiver.origin.span, message);
            let diagnostic = diagnostic.label(sender.origin.span, "the other side, whose value stays");
            diagnostics.push(diagnostic.help("let one side assign it"));
            break;
        }
    }
}

/// The name of a global that two transitions assign to.
fn both(model: &Model, one: &Transition, other: &Transition) -> Option<String> {
    let assigned = |t: &Transition| -> Vec<Place> {
        let place = |effect: &Effect| match effect {
            Effect::Assign(place, _) if place.region == Region::Global => Some(place.clone()),
            _ => None,
        };
        t.effects.iter().filter_map(place).collect()
    };
    let others = assigned(other);
    let same = assigned(one).into_iter().find(|place| others.iter().any(|o| o.slot == place.slot))?;
    model.globals.iter().find(|variable| variable.slot == same.slot).map(|variable| variable.name.to_string())
}
