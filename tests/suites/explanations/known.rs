//! Small models whose causes are known.

use std::path::Path;

use libtest_mimic::Trial;
use stubborn_check::{Config, Explanation, Trail, explain, properties};
use stubborn_promela::load;
use stubborn_tests::reductions::NoFiles;

/// One trial for each.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, test: fn()| {
        Trial::test(name.to_owned(), move || {
            test();
            Ok(())
        })
    };
    vec![
        trial("the last writers are causes", the_last_writers_are_causes),
        trial("messages in order", messages_in_order),
        trial("sorted sends and random receives", sorted_sends_and_random_receives),
        trial("a rendezvous is one step", a_rendezvous_is_one_step),
        trial("else rests on its siblings", else_rests_on_its_siblings),
        trial("room in a channel", room_in_a_channel),
        trial("who emptied a channel", who_emptied_a_channel),
        trial("inside a d_step everything is read", inside_a_d_step_everything_is_read),
        trial("lives begin and end", lives_begin_and_end),
        trial("who waits for what", who_waits_for_what),
        trial("a cycle rests on the round before", a_cycle_rests_on_the_round_before),
    ]
}

/// A model with one violation, explained.
fn explained(text: &str, property: &str) -> (Trail, Explanation) {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let model = loaded.model.expect("a model without errors");
    let property =
        properties(&model).into_iter().find(|p| p.name == property).expect("the property is there");
    let trail = super::violation(&model, &property, &Config::default()).expect("it is violated");
    let explanation = explain(&model, &property, &trail).expect("it replays");
    super::is_consistent(&trail, &explanation).expect("it is consistent");
    (trail, explanation)
}

/// The causes of the step with that text: texts of steps, and what they do.
fn causes(told: &(Trail, Explanation), text: &str) -> Vec<(String, String)> {
    let (trail, explanation) = told;
    let step = trail.steps.iter().position(|step| step.mover.text == text);
    let step = step.unwrap_or_else(|| panic!("no step {text}"));
    let causes = explanation.steps[step].causes.iter();
    causes.map(|cause| (trail.steps[cause.step].mover.text.to_string(), cause.link.to_string())).collect()
}

fn are(causes: &[(String, String)], expected: &[(&str, &str)]) {
    let told: Vec<(&str, &str)> = causes.iter().map(|(text, why)| (text.as_str(), why.as_str())).collect();
    assert_eq!(told, expected);
}

fn mattering(told: &(Trail, Explanation)) -> Vec<&str> {
    let steps = told.0.steps.iter().zip(&told.1.steps);
    steps.filter(|(_, reason)| reason.matters).map(|(step, _)| &*step.mover.text).collect()
}

fn the_last_writers_are_causes() {
    let told = explained(
        "byte x, y, z; bool go;
         active proctype A() { z = 9; x = 1; y = 7; go = true }
         active proctype B() { go; x = x + 1; assert(x != 2) }",
        "assertions",
    );
    are(&causes(&told, "x = x + 1"), &[("x = 1", "sets x"), ("go", "the step before")]);
    are(&causes(&told, "go"), &[("go = true", "sets go")]);
    are(&causes(&told, "assert(x != 2)"), &[("x = x + 1", "the step before"), ("x = x + 1", "sets x")]);
    // Nobody reads y and z, but who sets go must get there.
    assert_eq!(mattering(&told).len(), 7);
}

fn messages_in_order() {
    let told = explained(
        "chan q = [3] of { byte };
         active proctype A() { q!1; q!2; q!3 }
         active proctype B() { byte a, b; q?a; q?b; assert(b != 2) }",
        "assertions",
    );
    let received: Vec<_> = told
        .1
        .messages
        .iter()
        .map(|m| (m.text.as_str(), m.received.map(|step| &*told.0.steps[step].mover.text)))
        .collect();
    assert_eq!(received[..2], [("1", Some("q?a")), ("2", Some("q?b"))]);
    assert!(received[2..].iter().all(|message| *message == ("3", None)));
    are(
        &causes(&told, "q?b"),
        &[("q!2", "sends the message"), ("q?a", "the step before"), ("q?a", "takes the message before it")],
    );
    assert!(!mattering(&told).contains(&"q!3"));
}

fn sorted_sends_and_random_receives() {
    let told = explained(
        "chan q = [4] of { byte, byte };
         active proctype A() { byte x; q!!3,1; q!!1,2; q!!2,3; q??2,x; q?1,x; q?_,x; assert(x != 1) }",
        "assertions",
    );
    let pairs: Vec<_> = told
        .1
        .messages
        .iter()
        .map(|m| {
            let text = |step: usize| told.0.steps[step].mover.text.as_str();
            (m.text.as_str(), text(m.sent), m.received.map(text))
        })
        .collect();
    assert_eq!(
        pairs,
        [
            ("3,1", "q!!3,1", Some("q?_,x")),
            ("1,2", "q!!1,2", Some("q?1,x")),
            ("2,3", "q!!2,3", Some("q??2,x"))
        ]
    );
}

fn a_rendezvous_is_one_step() {
    let told = explained(
        "chan c = [0] of { byte };
         byte other;
         active proctype A() { byte n = 4; n++; c!n }
         active proctype B() { byte x; c?x; assert(x == 0) }
         active proctype C() { other = 1 }",
        "assertions",
    );
    let message = &told.1.messages[0];
    assert_eq!((&*message.channel, &*message.text, Some(message.sent)), ("c", "5", message.received));
    let reason = &told.1.steps[message.sent];
    assert_eq!((reason.life, reason.partner), (0, Some(1)));
    assert_eq!(mattering(&told), ["n++", "c!n", "assert(x == 0)"]);
}

fn else_rests_on_its_siblings() {
    let told = explained(
        "byte x;
         active proctype A() { x = 1 }
         active proctype B() { (x == 1); if :: x == 0 -> skip :: else -> assert(false) fi }",
        "assertions",
    );
    are(&causes(&told, "else"), &[("x = 1", "sets x"), ("(x == 1)", "the step before")]);
}

fn room_in_a_channel() {
    let told = explained(
        "chan q = [1] of { byte };
         byte n;
         active proctype A() { q!1; q!2; assert(false) }
         active proctype B() { n = 1; q?_; n = 2 }",
        "assertions",
    );
    are(&causes(&told, "q!2"), &[("q!1", "the step before"), ("q?_", "makes room")]);
    assert!(mattering(&told).contains(&"n = 1") && !mattering(&told).contains(&"n = 2"));
}

fn who_emptied_a_channel() {
    let told = explained(
        "chan q = [2] of { byte };
         bool go;
         active proctype A() { q!1; go = true }
         active proctype B() { q?_ }
         active proctype C() { go; empty(q); assert(false) }",
        "assertions",
    );
    let found = causes(&told, "empty(q)");
    assert!(found.contains(&("q?_".to_owned(), "sets q".to_owned())), "{found:?}");
    assert!(found.iter().all(|(text, _)| text != "q!1"), "{found:?}");
}

fn inside_a_d_step_everything_is_read() {
    let told = explained(
        "byte x, y, z;
         active proctype A() { z = 1; x = 1 }
         active proctype B() { (x == 1); d_step { skip; if :: z == 1 -> y = x :: else fi }; assert(y == 0) }",
        "assertions",
    );
    let step = told.0.steps.iter().find(|step| step.mover.text.starts_with("d_step")).expect("a d_step");
    let found = causes(&told, &step.mover.text);
    for cause in [("z = 1", "sets z"), ("x = 1", "sets x")] {
        assert!(found.contains(&(cause.0.to_owned(), cause.1.to_owned())), "{found:?}");
    }
}

fn lives_begin_and_end() {
    let told = explained(
        "byte n;
         proctype P(byte k) { n = n + k }
         init { run P(1); (_nr_pr == 1); run P(2); (n == 3); assert(false) }",
        "assertions",
    );
    let lives: Vec<_> = told.1.lives.iter().map(|life| (&*life.process, life.pid)).collect();
    assert_eq!(lives, [(":init:", 0), ("P", 1), ("P", 1)]);
    let [init, first, second] = &told.1.lives[..] else { panic!("{:?}", told.1.lives) };
    assert_eq!((init.born, init.died), (None, None));
    assert!(first.died.is_some() && first.died < second.born, "{first:?} {second:?}");
    let created = causes(&told, "run P(2)");
    assert!(
        created.contains(&("end of process".to_owned(), "changes the number of processes".to_owned())),
        "{created:?}"
    );
}

fn who_waits_for_what() {
    let told = explained(
        "byte x = 1;
         chan q = [1] of { byte }; chan store = [1] of { byte }; chan c = [0] of { byte };
         active proctype A() { x == 3 }
         active proctype B() { q?_ }
         active proctype C() { store!1; store!2 }
         active proctype D() { c!1 }
         active proctype E() { q!7; q?8 }
         active proctype F() { end: c?2 }",
        "deadlock",
    );
    let standing: Vec<_> = told
        .1
        .standing
        .iter()
        .map(|standing| {
            let why = standing.obstacles.iter().map(|o| (&*o.text, o.why.as_str())).collect::<Vec<_>>();
            (standing.is_end, why)
        })
        .collect();
    // B or E's message: whoever is left waits.
    assert!(standing.contains(&(false, vec![("x == 3", "x = 1")])), "{standing:?}");
    assert!(standing.contains(&(false, vec![("store!2", "store is full")])), "{standing:?}");
    assert!(standing.contains(&(false, vec![("c!1", "nobody on c receives that message")])), "{standing:?}");
    let waits = standing
        .iter()
        .any(|(_, why)| why.contains(&("q?8", "q is empty")) || why.contains(&("q?8", "q = [7]")));
    assert!(waits, "{standing:?}");
    assert!(standing.iter().any(|(is_end, _)| *is_end), "{standing:?}");
}

fn a_cycle_rests_on_the_round_before() {
    let told = explained(
        "bit a; byte other;
         active proctype A() { do :: a == 0 -> a = 1 od }
         active proctype B() { do :: a == 1 -> a = 0 od }
         active proctype C() { other = 1 }
         ltl stays { <>[](a == 0) }",
        "stays",
    );
    let (trail, explanation) = &told;
    assert!(trail.cycle >= 4);
    let cycle = trail.prefix..trail.steps.len();
    let first = &explanation.steps[trail.prefix];
    assert!(
        first.causes.iter().any(|cause| cause.in_round_before && cycle.contains(&cause.step)),
        "{first:?}"
    );
    let of_c = trail.steps.iter().zip(&explanation.steps).filter(|(step, _)| &*step.mover.process == "C");
    assert!(of_c.into_iter().all(|(_, reason)| !reason.matters));
}
