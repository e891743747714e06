//! One model through the interpreter and through machine code, state by state: the same steps in the same order, and each
//! leads to the same.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::{AddAssign, ControlFlow};

use stubborn_ir::engine::Steps;
use stubborn_ir::{
    Edge, Engine, FailedAssertion, InstanceId, Interpreter, Layout, Make, Model, Outcome, Prepared,
    RuntimeError, Step, Taken, Tier,
};
use stubborn_native::{Compiled, Fault, Native};

/// How much was compared, and how much of it machine code did.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// States.
    pub states: u64,
    /// Edges.
    pub edges: u64,
    /// Locations and transitions of the model.
    pub parts: u64,
    /// Those that are compiled.
    pub compiled: u64,
    /// Processes whose steps the interpreter was asked for.
    pub asked: u64,
    /// Steps that machine code took.
    pub taken: u64,
    /// Steps that it was to take and did not.
    pub declined: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.states += other.states;
        self.edges += other.edges;
        self.parts += other.parts;
        self.compiled += other.compiled;
        self.asked += other.asked;
        self.taken += other.taken;
        self.declined += other.declined;
    }
}

/// An edge, to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    steps: Vec<Step>,
    failed: Vec<FailedAssertion>,
    leads_to: LeadsTo,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum LeadsTo {
    State(Vec<u8>),
    Error(RuntimeError),
    Endless,
    CutOff,
}

impl Seen {
    fn new(edge: &Edge<'_>) -> Self {
        let leads_to = match edge.outcome {
            Outcome::State(state) => LeadsTo::State(state.to_vec()),
            Outcome::Error(error) => LeadsTo::Error(*error),
            Outcome::Endless => LeadsTo::Endless,
            Outcome::CutOff => LeadsTo::CutOff,
        };
        Seen { steps: edge.steps.to_vec(), failed: edge.failed.to_vec(), leads_to }
    }
}

/// Visits up to `limit` states breadth-first by both; an error says where they differ first.
pub fn compare(model: &Model, fault: Option<Fault>, limit: usize) -> Result<Tally, String> {
    DONE.set(Tally::default());
    let make: Make = match fault {
        None => counting,
        Some(Fault::WrapByte) => |model, is_wanted| faulty(model, Fault::WrapByte, is_wanted),
        Some(Fault::Inhibitors) => |model, is_wanted| faulty(model, Fault::Inhibitors, is_wanted),
        Some(Fault::LastField) => |model, is_wanted| faulty(model, Fault::LastField, is_wanted),
    };
    let mut reference = Interpreter::new(model);
    let mut native = Interpreter::new(model);
    native.speed_up(&Tier { after: 0, per_transition: 0, in_background: false, make }.into());
    let initial = reference.initial();
    if native.initial() != initial {
        return Err("the initial states differ".into());
    }
    let Ok(initial) = initial else { return Ok(Tally::default()) };
    let mut tally = Tally::default();
    let mut known = HashSet::from([trimmed(&initial).to_vec()]);
    let mut queue = vec![initial];
    let mut next = 0;
    while let Some(state) = queue.get(next).cloned() {
        next += 1;
        // As a search does, states are looked at as wide as they are by now, and every other as wide as it was found.
        let mut wide = state.clone();
        if next % 2 == 0 {
            wide.resize(wide.len().max(reference.layout().size()), 0);
        }
        let (expected, edges) = edges(&mut reference, &wide);
        let (found, others) = self::edges(&mut native, &wide);
        if expected != found || edges != others {
            let differing = edges.iter().zip(&others).position(|(a, b)| a != b);
            return Err(format!(
                "in state {} ({wide:?}): {expected:?} and {found:?}, {} and {} edges, first difference {differing:?}: \
                 {:?} and {:?}",
                next - 1,
                edges.len(),
                others.len(),
                differing.map(|i| &edges[i]),
                differing.map(|i| &others[i])
            ));
        }
        if reference.layout().size() != native.layout().size() {
            return Err(format!("the layouts differ after state {}", next - 1));
        }
        tally.states += 1;
        tally.edges += edges.len() as u64;
        for edge in edges {
            if let LeadsTo::State(target) = edge.leads_to
                && queue.len() < limit
                && known.insert(trimmed(&target).to_vec())
            {
                queue.push(target);
            }
        }
    }
    tally += DONE.get();
    Ok(tally)
}

fn edges(interpreter: &mut Interpreter<'_>, state: &[u8]) -> (Prepared, Vec<Seen>) {
    let prepared = interpreter.prepare(state);
    let mut seen = Vec::new();
    interpreter.edges(state, |edge| {
        seen.push(Seen::new(&edge));
        ControlFlow::Continue(())
    });
    (prepared, seen)
}

fn trimmed(state: &[u8]) -> &[u8] {
    let end = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &state[..end]
}

thread_local! {
    /// What machine code did on this thread.
    static DONE: Cell<Tally> = Cell::new(Tally::default());
}

fn count(change: impl FnOnce(&mut Tally)) {
    let mut tally = DONE.get();
    change(&mut tally);
    DONE.set(tally);
}

fn counting(model: &Model, is_wanted: &dyn Fn() -> bool) -> Option<Box<dyn Engine>> {
    let native = Native::new(model, None, is_wanted)?;
    let Compiled { locations, locations_declined, transitions, transitions_declined } = native.compiled();
    count(|tally| {
        tally.parts += u64::from(locations + transitions);
        tally.compiled += u64::from(locations + transitions - locations_declined - transitions_declined);
    });
    Some(Box::new(Counting(Box::new(native))))
}

fn faulty(model: &Model, fault: Fault, is_wanted: &dyn Fn() -> bool) -> Option<Box<dyn Engine>> {
    Some(Box::new(Native::new(model, Some(fault), is_wanted)?))
}

/// Counts how much machine code does.
#[derive(Debug)]
struct Counting(Box<dyn Engine>);

impl Engine for Counting {
    fn follow(&mut self, model: &Model, layout: &Layout) {
        self.0.follow(model, layout);
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Counting(self.0.fork()))
    }

    fn find(
        &mut self,
        state: &[u8],
        below: &mut usize,
        timeout: bool,
        found: &mut Steps,
    ) -> Option<InstanceId> {
        let asked = self.0.find(state, below, timeout, found);
        count(|tally| tally.asked += u64::from(asked.is_some()));
        asked
    }

    fn find_of(&mut self, state: &[u8], process: InstanceId, timeout: bool, found: &mut Steps) -> bool {
        let is_done = self.0.find_of(state, process, timeout, found);
        count(|tally| tally.asked += u64::from(!is_done));
        is_done
    }

    fn take(&mut self, state: &mut [u8], step: &Step) -> Taken {
        let taken = self.0.take(state, step);
        count(|tally| match taken {
            Taken::Done => tally.taken += 1,
            Taken::Declined | Taken::Abandoned => tally.declined += 1,
        });
        taken
    }
}
