//! A run made step by step, by somebody's choices or by chance.
//!
//! Each step is one that the reference semantics offers where it is taken. Steps can be taken back: the last states
//! are kept, and if more than those are wanted, they are found again from the beginning. A run is over where nothing
//! can move, where a step fails, and where an assertion does.

use std::collections::VecDeque;

use stubborn_ir::{Model, Move, Printed, RuntimeErrorKind, Step, Violation};

use crate::machine::Position;
use crate::replay::{Replay, ReplayError, waiting};
use crate::trail::{Participant, TrailStep, Waiting};

/// A run under way.
pub struct Simulation<'m> {
    replay: Replay<'m>,
    initial: Position,
    /// Where it was before each of the last steps, no more than [`KEPT`].
    before: VecDeque<Position>,
    /// What was shown in each step.
    printed: Vec<Vec<Printed>>,
}

/// So many states are kept.
const KEPT: usize = 1000;

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
        let initial = replay.machine.at.clone();
        Ok(Simulation { replay, initial, before: VecDeque::new(), printed: Vec::new() })
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
        let (mover, partner) = self.replay.participants(step);
        Choice { made: self.replay.machine.interpreter.layout().move_of(step), mover, partner }
    }

    /// Takes a step that is a choice here.
    pub fn take(&mut self, choice: &Choice) -> Result<(), ReplayError> {
        let before = self.replay.machine.at.clone();
        self.replay.make(choice.made)?;
        self.keep(before);
        self.printed.push(self.replay.machine.interpreter.output().to_vec());
        Ok(())
    }

    fn keep(&mut self, before: Position) {
        if self.before.len() == KEPT {
            self.before.pop_front();
        }
        self.before.push_back(before);
    }

    /// Takes the last step back; whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.before.is_empty() {
            self.find_again();
        }
        let Some(before) = self.before.pop_back() else { return false };
        self.replay.machine.go_to(&before);
        self.replay.steps.pop();
        self.printed.pop();
        true
    }

    /// Finds the states before the last steps again.
    fn find_again(&mut self) {
        self.replay.machine.go_to(&self.initial);
        for i in 0..self.replay.steps.len() {
            let machine = &mut self.replay.machine;
            let before = machine.at.clone();
            let found = machine.find(self.replay.steps[i].made).expect("it was possible before");
            machine.take(found);
            self.keep(before);
        }
    }

    /// The steps taken.
    pub fn steps(&self) -> &[TrailStep] {
        &self.replay.steps
    }

    /// What was shown in each of them.
    pub fn printed(&self) -> &[Vec<Printed>] {
        &self.printed
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

    use super::{Chance, KEPT, Simulation};

    #[test]
    fn more_is_taken_back_than_is_kept() {
        let mut model = Fixture::new();
        let x = model.global("x", SlotType::Int);
        let mut p = model.process("P");
        p.edge(0, 0, "count").assign(&x, add(&x, 1));
        let p = p.finish();
        model.activate(p);
        let model = model.finish();
        let mut run = Simulation::start(&model).unwrap();
        let mut states = Vec::new();
        for _ in 0..3 * KEPT {
            states.push(run.replay.machine.at.clone());
            let choice = run.choices().remove(0);
            run.take(&choice).unwrap();
            assert!(run.before.len() <= KEPT);
        }
        for state in states.iter().rev() {
            assert!(run.undo());
            assert_eq!(&run.replay.machine.at, state);
        }
        assert!(!run.undo());
    }

    #[test]
    fn chance_is_the_same_everywhere() {
        let mut chance = Chance::new(1);
        let numbers: Vec<usize> = (0..8).map(|_| chance.below(100)).collect();
        assert_eq!(numbers, [56, 74, 97, 44, 44, 76, 87, 52]);
        assert_eq!(Chance::new(7).below(1), 0);
    }
}
