//! A run made step by step, by somebody's choices or by chance.
//!
//! Each step is one that the reference semantics offers where it is taken. Steps can be taken back, and what was
//! taken back can be done again, as long as nothing else is done instead. A run is over where nothing can move, where
//! a step fails, and where an assertion does.

use stubborn_ir::{
    Expr, InstanceId, Layout, Model, Move, Pid, Printed, RuntimeErrorKind, Step, TransitionId, Violation,
};

use crate::machine::Position;
use crate::replay::{Replay, ReplayError, waiting};
use crate::trail::{Participant, TrailStep, Waiting, participants};

/// A run under way.
pub struct Simulation<'m> {
    replay: Replay<'m>,
    /// Where it was before each step.
    before: Vec<Stand>,
    /// What was shown in each step.
    printed: Vec<Vec<Printed>>,
    /// Steps that were taken back, the last one first.
    ahead: Vec<Move>,
}

/// Where a run was, and the assertions that failed in the step that led there.
struct Stand {
    position: Position,
    failed: Vec<TransitionId>,
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

/// A step that can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move, to make it.
    pub made: Move,
    /// Who would move, and by which statement; in a rendezvous, the sender.
    pub mover: Participant,
    /// In a rendezvous, the receiver.
    pub partner: Option<Participant>,
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// Every process has ended, or may stay where it is.
    End,
    /// Something is wrong.
    Wrong(Violation),
}

impl<'m> Simulation<'m> {
    /// In the initial state.
    pub fn start(model: &'m Model) -> Result<Self, RuntimeErrorKind> {
        let replay = Replay::start(model).map_err(|error| match error {
            ReplayError::NoInitialState(kind) => kind,
            _ => unreachable!("there are no steps yet"),
        });
        let mut replay = replay?;
        replay.machine.interpreter.record_output();
        Ok(Simulation { replay, before: Vec::new(), printed: Vec::new(), ahead: Vec::new() })
    }

    /// The steps that can be taken, in a fixed order; none if the run is over.
    pub fn choices(&mut self) -> Vec<Choice> {
        if self.over().is_some() {
            return Vec::new();
        }
        let machine = &mut self.replay.machine;
        let offered = machine.interpreter.enabled_steps(&machine.at.state, machine.at.holder);
        offered.into_iter().map(|(step, _)| self.choice(&step)).collect()
    }

    fn choice(&self, step: &Step) -> Choice {
        let interpreter = &self.replay.machine.interpreter;
        let made = interpreter.layout().move_of(step);
        let (mover, partner) = participants(interpreter.model(), made);
        Choice { made, mover, partner }
    }

    /// Takes a step that is a choice here.
    pub fn take(&mut self, choice: &Choice) -> Result<(), ReplayError> {
        self.make(choice.made)
    }

    /// Makes a move that is possible here. What was taken back is forgotten, unless this is what comes next in it.
    pub fn make(&mut self, made: Move) -> Result<(), ReplayError> {
        let machine = &self.replay.machine;
        let before = Stand { position: machine.at.clone(), failed: machine.failed.clone() };
        self.replay.make(made)?;
        self.before.push(before);
        self.printed.push(self.replay.machine.interpreter.output().to_vec());
        if self.ahead.pop() != Some(made) {
            self.ahead.clear();
        }
        Ok(())
    }

    /// Takes the last step back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let (Some(before), Some(step)) = (self.before.pop(), self.replay.steps.pop()) else { return false };
        self.replay.machine.go_to(&before.position);
        self.replay.machine.failed = before.failed;
        self.printed.pop();
        self.ahead.push(step.made);
        true
    }

    /// The move that was taken back last, to make it again.
    pub fn ahead(&self) -> Option<Move> {
        self.ahead.last().copied()
    }

    /// The steps taken.
    pub fn steps(&self) -> &[TrailStep] {
        &self.replay.steps
    }

    /// What was shown in each of them.
    pub fn printed(&self) -> &[Vec<Printed>] {
        &self.printed
    }

    /// The present state.
    pub fn state(&self) -> &[u8] {
        &self.replay.machine.at.state
    }

    /// The state before a step, or the present one after all of them.
    pub fn state_before(&self, step: usize) -> &[u8] {
        self.before.get(step).map_or(self.state(), |stand| &stand.position.state)
    }

    /// Where things lie in a state.
    pub fn layout(&self) -> &Layout {
        self.replay.machine.interpreter.layout()
    }

    /// The process that goes on alone, if one can.
    pub fn holder(&mut self) -> Option<Pid> {
        let machine = &mut self.replay.machine;
        let holder = machine.at.holder?;
        let goes_on = machine.error.is_none() && machine.interpreter.goes_on(&machine.at.state, holder);
        goes_on.then(|| machine.interpreter.layout().instance(holder).pid)
    }

    /// The value of an expression in the state before a step, as a process sees it, or as nobody does.
    pub fn value(
        &mut self,
        step: usize,
        process: Option<InstanceId>,
        expr: &Expr,
    ) -> Result<i32, RuntimeErrorKind> {
        let machine = &mut self.replay.machine;
        let state = self.before.get(step).map_or(&machine.at.state, |stand| &stand.position.state);
        machine.interpreter.value(state, process, expr)
    }

    /// Whether something that belongs to no process holds here.
    pub fn holds(&mut self, proposition: &Expr) -> Result<bool, RuntimeErrorKind> {
        let letter = self.replay.letter(std::slice::from_ref(proposition));
        letter.map(|letter| letter[0]).map_err(|error| match error {
            ReplayError::Fails { kind, .. } => kind,
            _ => unreachable!("to look is no step"),
        })
    }

    /// What is wrong here, or in the step that led here.
    pub fn wrong(&mut self) -> Vec<Violation> {
        self.replay.machine.wrong()
    }

    /// Where the processes are, by number.
    pub fn waiting(&self) -> Vec<Waiting> {
        waiting(&self.replay.machine.interpreter, &self.replay.machine.at.state)
    }

    /// Why the run is over, if it is.
    pub fn over(&mut self) -> Option<Over> {
        let machine = &mut self.replay.machine;
        match machine.wrong().first() {
            Some(&violation) => Some(Over::Wrong(violation)),
            None => machine.is_dead().then_some(Over::End),
        }
    }
}

/// Numbers by chance, the same for the same seed on every machine: SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Numbers that the seed determines.
    pub fn new(seed: u64) -> Self {
        Chance(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        ((u128::from(bits) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use stubborn_ir::SlotType;
    use stubborn_ir::fixture::{Fixture, add};

    use super::{Chance, Simulation};

    #[test]
    fn what_is_taken_back_can_be_done_again() {
        let mut fixture = Fixture::new();
        let x = fixture.global("x", SlotType::Byte);
        for name in ["P", "Q"] {
            let mut process = fixture.process(name);
            process.edge(0, 0, "x++").assign(&x, add(&x, 1));
            let process = process.finish();
            fixture.activate(process);
        }
        let model = fixture.finish();
        let mut run = Simulation::start(&model).unwrap();
        for _ in 0..3 {
            let first = run.choices().remove(0);
            run.take(&first).unwrap();
        }
        let (steps, end) = (run.steps().to_vec(), run.state().to_vec());
        assert!(run.undo() && run.undo() && run.undo() && !run.undo());
        while let Some(made) = run.ahead() {
            run.make(made).unwrap();
        }
        assert_eq!((run.steps(), run.state()), (&*steps, &*end));
        run.undo();
        run.undo();
        let other = run.choices().into_iter().find(|choice| Some(choice.made) != run.ahead()).unwrap();
        run.take(&other).unwrap();
        assert_eq!((run.steps().len(), run.ahead()), (2, None));
    }

    #[test]
    fn chance_is_the_same_everywhere() {
        let mut chance = Chance::new(1);
        let numbers: Vec<usize> = (0..8).map(|_| chance.below(100)).collect();
        assert_eq!(numbers, [56, 74, 97, 44, 44, 76, 87, 52]);
        assert_eq!(Chance::new(7).below(1), 0);
    }
}
