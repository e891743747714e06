//! Grounding, groups and lowering on a net whose size is known: the election of Chang and Roberts on a ring.

use std::ops::ControlFlow;
use std::sync::Arc as Shared;

use hashbrown::HashSet;
use stubborn_base::{FileId, Idx, IndexVec, Span};
use stubborn_ir::{Interpreter, Kept, Model, Outcome};
use stubborn_nets::{
    Addend, Arc, Bounds, Domain, Expression, Limit, Net, Notation, Pattern, Place, PlaceId, Transition,
    Undefined, Value, Variable, VariableId, ground, lower,
};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// `x`, `c`, `(x + 1) % n`, `x < y`, `1 / x`
#[derive(Clone, Debug)]
enum Term {
    Variable(usize),
    Constant(i64),
    Next(usize, i64),
    Less(usize, usize),
    Inverse(usize),
}

impl Expression for Term {
    fn variables(&self, found: &mut dyn FnMut(VariableId)) {
        match *self {
            Term::Variable(v) | Term::Next(v, _) | Term::Inverse(v) => found(VariableId::new(v)),
            Term::Less(v, w) => [v, w].map(VariableId::new).into_iter().for_each(found),
            Term::Constant(_) => {}
        }
    }

    fn as_variable(&self) -> Option<VariableId> {
        match *self {
            Term::Variable(v) => Some(VariableId::new(v)),
            _ => None,
        }
    }

    fn eval(&self, variables: &[Value]) -> Result<Value, Undefined> {
        let value = |v: usize| variables[v].as_int().unwrap();
        Ok(Value::Int(match *self {
            Term::Variable(v) => value(v),
            Term::Constant(c) => c,
            Term::Next(v, n) => (value(v) + 1) % n,
            Term::Less(v, w) => i64::from(value(v) < value(w)),
            Term::Inverse(v) => {
                1i64.checked_div(value(v)).ok_or_else(|| Undefined("division by zero".to_owned()))?
            }
        }))
    }
}

fn notation() -> Notation {
    Notation(Shared::new(|value| format!("{value:?}")))
}

fn place(name: &str, initial: Vec<Vec<i64>>) -> Place {
    let token = |token: Vec<i64>| (Value::seq(token.into_iter().map(Value::Int)), 1);
    let initial = initial.into_iter().map(token).collect();
    Place { name: name.into(), span: NOWHERE, initial, capacity: None, notation: notation() }
}

fn arc(place: usize, components: &[Term]) -> Arc<Term> {
    let pattern = Pattern { count: 1, components: components.to_vec() };
    Arc { place: PlaceId::new(place), addends: vec![Addend::Pattern(pattern)] }
}

fn transition(
    name: &str,
    inputs: Vec<Arc<Term>>,
    outputs: Vec<Arc<Term>>,
    guards: Vec<Term>,
) -> Transition<Term> {
    let variable =
        |name: &&str| Variable { name: (*name).into(), domain: Domain::Pattern, notation: notation() };
    Transition {
        name: name.into(),
        span: NOWHERE,
        variables: ["X", "b", "Y"].iter().map(variable).collect(),
        inputs,
        outputs,
        inhibitors: Vec::new(),
        guards,
        priority: None,
    }
}

/// A ring of `n`, each with a number; the greatest becomes the leader.
fn election(n: i64) -> Net<Term> {
    use Term::{Constant, Less, Next, Variable};
    let (x, b, y, one, two) = (Variable(0), Variable(1), Variable(2), Constant(1), Constant(2));
    let next = Next(0, n);
    let at = |place: usize| arc(place, &[x.clone(), b.clone()]);
    let (idle, wait, loosing, msg) = (0, 1, 2, 3);
    let heard = arc(msg, &[x.clone(), y.clone(), one.clone()]);
    let own = arc(msg, &[next.clone(), x.clone(), one.clone()]);
    let passed = arc(msg, &[next.clone(), y.clone(), one.clone()]);
    let transitions = [
        transition("candidate", vec![at(idle)], vec![at(wait), own.clone()], vec![]),
        transition(
            "go1",
            vec![at(idle), heard.clone()],
            vec![arc(wait, &[x.clone(), Constant(0)]), own],
            vec![Less(2, 0)],
        ),
        transition("go2", vec![at(idle), heard.clone()], vec![at(loosing), passed.clone()], vec![Less(0, 2)]),
        transition("give_up", vec![at(wait), heard.clone()], vec![at(loosing), passed], vec![Less(0, 2)]),
        transition("absorb1", vec![at(wait), heard.clone()], vec![at(wait)], vec![Less(2, 0)]),
        transition("absorb2", vec![at(loosing), heard], vec![at(loosing)], vec![Less(2, 0)]),
        transition(
            "win",
            vec![at(wait), arc(msg, &[x.clone(), x.clone(), one.clone()])],
            vec![arc(wait, &[x.clone(), one]), arc(msg, &[next, x.clone(), two])],
            vec![],
        ),
    ];
    // What `win` does not mention has one value.
    let mut transitions: IndexVec<_, _> = transitions.into_iter().collect();
    for t in transitions.iter_mut() {
        let t: &mut Transition<Term> = t;
        if matches!(&*t.name, "candidate" | "win") {
            t.variables[VariableId(2)].domain = Domain::Values([Value::Int(0)].into());
        }
    }
    let places = [
        place("idle", (0..n).map(|i| vec![i, 0]).collect()),
        place("wait", vec![]),
        place("loosing", vec![]),
        place("msg", vec![]),
    ];
    Net { name: "election".into(), span: NOWHERE, places: places.into_iter().collect(), transitions }
}

/// States, edges, dead states.
fn explore(model: &Model) -> (usize, usize, usize) {
    let mut interpreter = Interpreter::new(model);
    let first = interpreter.initial().unwrap();
    let mut seen: HashSet<Vec<u8>> = HashSet::from([first.clone()]);
    let mut work = vec![first];
    let (mut n_edges, mut n_dead) = (0, 0);
    while let Some(state) = work.pop() {
        let expansion = interpreter.successors(&state, |edge| {
            let Outcome::State(target) = edge.outcome else { panic!("{:?}", edge.outcome) };
            n_edges += 1;
            if seen.insert(target.to_vec()) {
                work.push(target.to_vec());
            }
            ControlFlow::Continue(())
        });
        n_dead += usize::from(!expansion.alive);
    }
    (seen.len(), n_edges, n_dead)
}

#[test]
fn sizes_are_those_of_the_literature() {
    for (n, expected) in [(2, (9, 13, 1)), (3, (27, 58, 1)), (5, (219, 770, 1)), (8, (4407, 24596, 1))] {
        let net = election(n);
        let grounded = ground(&net, &Bounds::default()).unwrap();
        let lowered = lower(&net, &grounded);
        assert_eq!(explore(&lowered.model), expected, "{n}");
    }
}

#[test]
fn one_slot_for_what_a_process_is_in() {
    let net = election(4);
    let grounded = ground(&net, &Bounds::default()).unwrap();
    let model = lower(&net, &grounded).model;
    let described = model.net.unwrap();
    // Where process 2 is, whether it waits or has given up, whether it has won or not.
    let slots: HashSet<u32> = described.places[..3]
        .iter()
        .flat_map(|place| &place.tokens)
        .filter(|token| token.colour.starts_with("[2,"))
        .map(|token| match token.kept {
            Kept::Choice(slot, _) => slot.offset,
            Kept::Number(_) => panic!("{token:?} has a slot of its own"),
        })
        .collect();
    assert_eq!(slots.len(), 1);
}

#[test]
fn a_net_that_goes_on_for_ever_ends_in_a_limit() {
    let mut net = election(2);
    let grows = transition(
        "grows",
        vec![arc(3, &[Term::Variable(0), Term::Variable(1), Term::Variable(2)])],
        vec![arc(3, &[Term::Next(0, i64::MAX), Term::Variable(1), Term::Variable(2)])],
        vec![],
    );
    net.transitions.push(grows);
    let bounds = Bounds { facts: 1000, ..Bounds::default() };
    assert_eq!(ground(&net, &bounds).unwrap_err(), Limit::Tokens(PlaceId(3)));
}

#[test]
fn what_has_no_value_fails_when_it_happens() {
    let mut net = election(2);
    let mut fails = transition(
        "fails",
        vec![arc(0, &[Term::Variable(0), Term::Variable(1)])],
        vec![arc(0, &[Term::Inverse(0), Term::Variable(1)])],
        vec![],
    );
    fails.variables[VariableId(2)].domain = Domain::Values([Value::Int(0)].into());
    net.transitions = [fails].into_iter().collect();
    let grounded = ground(&net, &Bounds::default()).unwrap();
    let model = lower(&net, &grounded).model;
    let mut interpreter = Interpreter::new(&model);
    let state = interpreter.initial().unwrap();
    let mut outcomes = (0, 0);
    interpreter.successors(&state, |edge| {
        match edge.outcome {
            Outcome::Error(_) => outcomes.0 += 1,
            _ => outcomes.1 += 1,
        }
        ControlFlow::Continue(())
    });
    assert_eq!(outcomes, (1, 1));
}
