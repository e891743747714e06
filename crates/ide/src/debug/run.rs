//! A run with a place on it, and the step that comes next.
//!
//! What comes next is, in this order: what was taken back; the next step of the counterexample that is followed,
//! whose cycle goes round for ever; a step that is drawn by chance, once for each place. Whoever chooses another step
//! leaves the counterexample, or what was taken back, and makes a run of their own from there.

use stubborn_check::simulation::{Chance, Choice, Over, Simulation};
use stubborn_check::{Property, ReplayError, Trail};
use stubborn_ir::{Model, Move, Pid, RuntimeErrorKind, Violation};

use super::claim::Watched;

/// A counterexample to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    moves: Vec<Move>,
    /// Steps before the cycle.
    pub prefix: usize,
    /// Steps of the cycle; 0 if the run ends.
    pub cycle: usize,
    /// What is wrong at its end.
    pub violation: Violation,
    /// What it violates, if that is a claim about states.
    pub claim: Option<Watched>,
}

impl Route {
    /// Along a trail.
    pub fn new(trail: &Trail) -> Self {
        Route {
            moves: trail.steps.iter().map(|step| step.made).collect(),
            prefix: trail.prefix,
            cycle: trail.cycle,
            violation: trail.violation,
            claim: None,
        }
    }

    /// Along a trail that violates a property.
    pub fn to_violation(model: &Model, property: &Property, trail: &Trail) -> Self {
        Route { claim: Watched::new(model, property, trail), ..Route::new(trail) }
    }

    /// The move after so many.
    fn at(&self, position: usize) -> Option<Move> {
        let is_round = position >= self.moves.len() && self.cycle > 0;
        let index = if is_round { self.prefix + (position - self.prefix) % self.cycle } else { position };
        self.moves.get(index).copied()
    }

    /// Whether its cycle begins after so many moves, and how often it has been completed there.
    pub fn round(&self, position: usize) -> Option<usize> {
        let inside = position.checked_sub(self.prefix).filter(|_| self.cycle > 0)?;
        (inside % self.cycle == 0).then_some(inside / self.cycle)
    }
}

/// A run under way.
#[derive(Debug)]
pub struct Run<'m> {
    simulation: Simulation<'m>,
    route: Option<Route>,
    /// After so many steps, another one was chosen than the route's.
    left_at: Option<usize>,
    chance: Chance,
    /// What was drawn for the present end of the run.
    drawn: Option<(usize, Move)>,
}

impl<'m> Run<'m> {
    /// At the start; along a route if there is one.
    pub fn start(model: &'m Model, route: Option<Route>, seed: u64) -> Result<Self, RuntimeErrorKind> {
        let simulation = Simulation::start(model)?;
        Ok(Run { simulation, route, left_at: None, chance: Chance::new(seed), drawn: None })
    }

    /// The steps so far, and how they came about.
    pub fn simulation(&mut self) -> &mut Simulation<'m> {
        &mut self.simulation
    }

    /// Number of steps so far.
    pub fn position(&self) -> usize {
        self.simulation.steps().len()
    }

    /// The counterexample, while it is followed.
    pub fn route(&self) -> Option<&Route> {
        let is_left = self.left_at.is_some_and(|at| at < self.position());
        self.route.as_ref().filter(|_| !is_left)
    }

    /// Whether chance decides what comes next.
    pub fn is_free(&self) -> bool {
        self.route().is_none()
    }

    /// The move that comes next; none where the run ends.
    pub fn upcoming(&mut self) -> Option<Move> {
        if let Some(made) = self.simulation.ahead() {
            return Some(made);
        }
        let position = self.position();
        if let Some(route) = self.route() {
            return route.at(position);
        }
        if let Some((_, made)) = self.drawn.filter(|drawn| drawn.0 == position) {
            return Some(made);
        }
        let choices = self.simulation.choices();
        if choices.is_empty() {
            return None;
        }
        let made = choices[self.chance.below(choices.len())].made;
        self.drawn = Some((position, made));
        Some(made)
    }

    /// Where chance decides, it decides for a process that can move.
    pub fn prefer(&mut self, pid: Pid) {
        let position = self.position();
        if self.simulation.ahead().is_some() || !self.is_free() {
            return;
        }
        let takes_part = |made: &Move| made.pid == pid || made.partner.is_some_and(|with| with.0 == pid);
        if self.drawn.is_some_and(|(at, made)| at == position && takes_part(&made)) {
            return;
        }
        let mut moves: Vec<Move> = self.simulation.choices().iter().map(|choice| choice.made).collect();
        moves.retain(takes_part);
        if !moves.is_empty() {
            self.drawn = Some((position, moves[self.chance.below(moves.len())]));
        }
    }

    /// The move made at a place on the run so far, or the one that comes next.
    pub fn move_at(&mut self, position: usize) -> Option<Move> {
        match self.simulation.steps().get(position) {
            Some(step) => Some(step.made),
            None => self.upcoming(),
        }
    }

    /// What could come next, in a fixed order.
    pub fn choices(&mut self) -> Vec<Choice> {
        self.simulation.choices()
    }

    /// Makes the next move; which one, if there is one.
    pub fn forward(&mut self) -> Result<Option<Move>, ReplayError> {
        let Some(made) = self.upcoming() else { return Ok(None) };
        self.simulation.make(made)?;
        Ok(Some(made))
    }

    /// Makes some move that is possible here. Whether it is another one than came next.
    pub fn choose(&mut self, made: Move) -> Result<bool, ReplayError> {
        let position = self.position();
        let is_other = self.upcoming() != Some(made);
        let routed = self.route().map(|route| route.at(position));
        self.simulation.make(made)?;
        if is_other {
            self.drawn = None;
            if let Some(routed) = routed {
                self.left_at = (routed != Some(made)).then_some(position);
            }
        }
        Ok(is_other)
    }

    /// Takes the last step back; whether there was one.
    pub fn back(&mut self) -> bool {
        self.simulation.undo()
    }

    /// Why nothing comes next, if nothing does.
    pub fn over(&mut self) -> Option<Over> {
        self.simulation.over()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use stubborn_check::{Config, Job, check, properties};
    use stubborn_ir::Violation;
    use stubborn_languages::{Loader, language_of};

    use super::*;

    const MODEL: &str = "byte x; active proctype P() { do :: x = 1 - x od } \
        active proctype Q() { byte y; y = 1; y = 2; y = 3 } ltl p { <> (x == 7) }";

    struct Nothing;

    impl Loader for Nothing {
        fn load(&self, _: &Path, _: &str) -> Option<(std::path::PathBuf, std::sync::Arc<str>)> {
            None
        }
    }

    fn model() -> Model {
        let path = Path::new("m.pml");
        language_of(path).load(path, MODEL.into(), &Nothing, &[]).model.expect("a model without errors")
    }

    fn lasso(model: &Model) -> Route {
        let property = properties(model).into_iter().filter(|p| p.name == "p").collect::<Vec<_>>();
        let job = Job { cancel: Default::default(), progress: &mut |_| {} };
        let results = check(model, &property, &Config::default(), job).expect("it can be checked");
        let route = Route::new(results[0].trail.as_ref().expect("it is violated"));
        assert_eq!((route.violation, route.cycle > 0), (Violation::InfiniteRun, true));
        route
    }

    #[test]
    fn cycles_go_round_and_lead_back_to_the_same_state() {
        let model = model();
        let route = lasso(&model);
        let (prefix, cycle) = (route.prefix, route.cycle);
        let mut run = Run::start(&model, Some(route.clone()), 1).unwrap();
        let mut states = vec![run.simulation().state().to_vec()];
        for _ in 0..prefix + 3 * cycle {
            assert!(run.forward().unwrap().is_some());
            states.push(run.simulation().state().to_vec());
        }
        assert_eq!(route.round(prefix + 2 * cycle), Some(2));
        assert_eq!(states[prefix], states[prefix + cycle]);
        assert_eq!(states[prefix], states[prefix + 3 * cycle]);
        for state in states.iter().rev().skip(1) {
            assert!(run.back());
            assert_eq!(run.simulation().state(), &**state);
        }
        assert!(!run.back());
    }

    #[test]
    fn another_choice_leaves_the_route_until_it_is_taken_back() {
        let model = model();
        let route = lasso(&model);
        let mut run = Run::start(&model, Some(route.clone()), 1).unwrap();
        let routed = run.upcoming().unwrap();
        let other = run.choices().into_iter().find(|choice| choice.made != routed).unwrap().made;
        assert!(run.choose(other).unwrap() && run.is_free());
        run.forward().unwrap();
        assert!(run.back() && run.back());
        assert_eq!(run.upcoming(), Some(other), "what was taken back comes next");
        assert!(run.choose(routed).unwrap() && !run.is_free());
        assert_eq!(run.upcoming(), route.at(1));
    }

    #[test]
    fn chance_draws_once_for_each_place() {
        let model = model();
        let mut run = Run::start(&model, None, 7).unwrap();
        let mut made = Vec::new();
        for _ in 0..20 {
            let next = run.upcoming();
            assert_eq!(run.upcoming(), next);
            made.extend(run.forward().unwrap());
        }
        for _ in 0..20 {
            run.back();
        }
        let again: Vec<Move> = (0..20).filter_map(|_| run.forward().unwrap()).collect();
        assert_eq!(made, again);
    }
}
