//! The systems of BEEM with what is known about them: sizes, goals that are reached or not, properties that hold or not.
//!
//! A goal is an expression; the property that it is never true is violated exactly if the goal is reached. BEEM's length
//! of a way to a goal is the number of its states, one more than that of its steps.
//!
//! Its lengths of accepted runs are not about one property: on each of the 51 systems of which several properties of LTL
//! are violated, all have the same. Where it can be told, it is the number of states of the shortest run that violates
//! any of them, prefix and cycle together. On fischer.1 it is 2, as a timer that ticks for ever violates
//! `G((!cs0) -> F cs0)` in one step; a run that violates `G (wait0 -> F (cs0))` has seven, as the process must come to
//! wait and its time must run out. On a few systems no run is as short whatever the property: of peterson.1, where it is
//! 19, nine steps lead to a cycle of fifteen. So a run may be longer than BEEM's if looking at all runs shows that none is
//! as short.

use std::path::{Path, PathBuf};
use std::time::Duration;

use stubborn_base::{FileId, Span};
use stubborn_check::{
    Choice, Config, Order, PropertyResult, Reduction, Verdict, check, claim_automaton, explore, never,
    properties,
};
use stubborn_ir::Model;
use stubborn_languages::language_of;
use stubborn_search::{Ignore, search_short_run};

use crate::contest::{Answer, quiet};
use crate::table::{self, Row};
use crate::{corpus, front_end};

/// A system with what is known about it.
#[derive(Clone, Debug)]
pub struct System {
    /// Such as `anderson.1`.
    pub name: String,
    folder: PathBuf,
    /// Its states, if all are known to be counted.
    pub n_states: Option<u64>,
    edges: Option<u64>,
    levels: Option<u64>,
    /// What is asked of it, where an answer is known.
    pub questions: Vec<Question>,
}

/// Something asked of a system.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its number.
    pub number: String,
    /// What is to be reached; none for a property that stands in a file of its own.
    goal: Option<String>,
    /// Whether the goal is reached, or the property holds.
    answer: bool,
    /// Of a way to the goal, or of a run that violates the property.
    length: Option<u64>,
}

/// For one question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For the search.
    pub time: Duration,
    /// In bytes.
    pub memory: usize,
}

/// Numbers of BEEM's that are not those of the model, by how much, and why.
const SURPLUS: &[(&str, u64)] = &[
    // `next` overflows. DiVinE counts the state that stands for an error, which is all zero but for the first
    // process, and what the others reach from there, where no slot is free: each takes a place and waits. With one more
    // process that is two more states; with two, twelve: one of them has moved once or twice (4), or both have, in
    // either order (8).
    ("anderson.1", 3),
    ("anderson.3", 13),
];

/// All systems, small ones first; none if there is no corpus.
pub fn systems() -> Option<Vec<System>> {
    let folder = corpus::models().join("dve");
    let instances = table::read(&folder.join("expected-instances.tsv")).ok()?;
    let questions = table::read(&folder.join("expected-properties.tsv")).ok()?;
    let id = |row: &Row| format!("{}.{}", table::text(row, "model"), table::text(row, "id"));
    let system = |row: &Row| {
        let name = id(row);
        let is_complete = table::text(row, "complete") == "yes";
        let number = |column: &str| table::number(row, column).filter(|_| is_complete);
        let surplus = SURPLUS.iter().find(|(own, _)| *own == name).map_or(0, |(_, surplus)| *surplus);
        System {
            folder: folder.join(table::text(row, "model")),
            n_states: number("states").map(|states| states - surplus),
            edges: number("edges(stat.xml)"),
            levels: number("bfs_levels"),
            questions: questions.iter().filter(|row| id(row) == name).filter_map(Question::read).collect(),
            name,
        }
    };
    let mut systems: Vec<System> = instances.iter().map(system).collect();
    systems.sort_by_key(|system| system.n_states.unwrap_or(u64::MAX));
    Some(systems)
}

impl Question {
    fn read(row: &Row) -> Option<Question> {
        let is_goal = table::text(row, "kind").starts_with("reachability");
        Some(Question {
            number: table::text(row, "prop").to_owned(),
            goal: is_goal.then(|| table::text(row, "goal_expr").to_owned()),
            answer: match table::text(row, "answer") {
                "yes" => true,
                "no" => false,
                _ => return None,
            },
            length: table::number(row, "length").filter(|&length| length > 0),
        })
    }

    /// Whether the property that is checked holds.
    fn holds(&self) -> bool {
        self.answer != self.goal.is_some()
    }

    /// So many steps a counterexample may have.
    fn most_steps(&self) -> Option<u64> {
        self.length.map(|length| length - u64::from(self.goal.is_some()))
    }
}

impl System {
    /// Its file.
    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.dve", self.name))
    }

    /// Compares the whole state space.
    pub fn explore(&self, limits: Limits) -> (Answer, String) {
        let model = match front_end::read_with(&self.path(), &[]) {
            Ok(model) => model,
            Err(why) => return (Answer::Wrong, why),
        };
        let order = Some(Order::BreadthFirst);
        let config = Config { reduction: Choice::Named(Reduction::None), order, ..limits.config() };
        let report = match explore(&model, &config, quiet()) {
            Ok(report) => report,
            Err(refused) => return (Answer::Wrong, refused.to_string()),
        };
        // An edge that ends in an error is one of BEEM's, to the state that stands for errors.
        let edges = report.counts.transitions + report.counts.errors;
        let ours = [report.counts.states, edges, report.counts.depth + 1];
        let told = format!(
            "{} states, {} edges, {} levels in {:.1} s, {} MiB",
            ours[0],
            ours[1],
            ours[2],
            report.time.as_secs_f64(),
            report.peak_bytes >> 20
        );
        let expected = [self.n_states, self.edges, self.levels];
        let is_right = expected.iter().zip(&ours).all(|(expected, ours)| expected.is_none_or(|e| e == *ours));
        match &report.incomplete {
            Some(why) => (Answer::Incomplete, format!("{why} after {told}")),
            None if is_right => (Answer::Right, told),
            None => (Answer::Wrong, format!("{told}, WRONG: {expected:?}")),
        }
    }

    /// The per cent of its states that are left where no reduction is named and deadlocks are preserved.
    pub fn reduced(&self, limits: Limits) -> Result<u64, String> {
        let model = front_end::read_with(&self.path(), &[])?;
        let config = Config { order: Some(Order::DepthFirst), reduction: Choice::Auto, ..limits.config() };
        let report = explore(&model, &config, quiet()).map_err(|refused| refused.to_string())?;
        match (report.incomplete, self.n_states) {
            (Some(why), _) => Err(why.to_string()),
            (None, None) => Err("it is not known how many states it has".to_owned()),
            (None, Some(all)) => Ok((100.0 * report.counts.states as f64 / all as f64).round() as u64),
        }
    }

    /// Compares one verdict, and how long its counterexample is. None if its file is missing.
    pub fn decide(&self, question: &Question, config: &Config) -> Option<(Answer, String)> {
        let path = match question.goal {
            Some(_) => self.path(),
            None => self.folder.join(format!("{}.prop{}.dve", self.name, question.number)),
        };
        path.exists().then(|| {
            let mut found = result(&path, question, config);
            if let Ok((_, first)) = &found
                && too_long(question, first).is_some()
            {
                // To look for a shorter one takes half of the time there is.
                let shorten = config.time.map(|time| time / 2);
                found = result(&path, question, &Config { shorten, ..config.clone() });
            }
            match found {
                Ok((model, result)) => compare(question, &model, &result, config),
                Err(why) => (Answer::Wrong, why),
            }
        })
    }
}

impl Limits {
    /// With the default of everything else, and time to make counterexamples shorter.
    pub fn config(self) -> Config {
        Config {
            time: Some(self.time),
            memory: self.memory,
            shorten: Some(Duration::from_secs(2)),
            ..Config::default()
        }
    }
}

fn result(path: &Path, question: &Question, config: &Config) -> Result<(Model, PropertyResult), String> {
    let mut model: Model = front_end::read_with(path, &[])?;
    if let Some(goal) = &question.goal {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let typed = language_of(path).expression(path, &text, &front_end::Nothing, &[], goal, None);
        let typed = typed.map_err(|bad| format!("{goal}: {}", bad.message))?;
        model.claims = vec![never(goal, typed.expr, Span::new(FileId(0), 0, 0))];
    }
    let wanted: Vec<_> = properties(&model).into_iter().filter(|p| p.claim == Some(0)).collect();
    let results = check(&model, &wanted, config, quiet()).map_err(|refused| refused.to_string())?;
    let result = results.into_iter().next().ok_or_else(|| "there is no property".to_owned())?;
    Ok((model, result))
}

fn compare(question: &Question, model: &Model, result: &PropertyResult, config: &Config) -> (Answer, String) {
    let steps = result.trail.as_ref().map(|trail| trail.steps.len() as u64);
    let told = format!(
        "{}{} after {} states in {:.1} s{}",
        result.verdict,
        steps.map_or(String::new(), |steps| format!(" by {steps} steps")),
        result.counts.states,
        result.time.as_secs_f64(),
        result.reason.as_deref().map_or(String::new(), |why| format!(": {why}")),
    );
    match (result.verdict, question.holds()) {
        (Verdict::Incomplete, _) => (Answer::Incomplete, told),
        (Verdict::Holds, true) => (Answer::Right, told),
        (Verdict::Violated, false) => match too_long(question, result) {
            Some(most) if question.goal.is_none() && is_impossible(model, most, config) => {
                (Answer::Right, format!("{told}; {most} steps are not enough for any run"))
            }
            Some(most) => (Answer::Wrong, format!("{told}, WRONG: {most} steps are enough")),
            None => (Answer::Right, told),
        },
        _ => (Answer::Wrong, format!("{told}, WRONG: {}", if question.answer { "yes" } else { "no" })),
    }
}

/// How many steps a counterexample may have, if it has more.
fn too_long(question: &Question, result: &PropertyResult) -> Option<u64> {
    let steps = result.trail.as_ref()?.steps.len() as u64;
    question.most_steps().filter(|most| steps > *most)
}

/// Whether no accepted run has so few steps, its cycle included: all of them are looked at.
fn is_impossible(model: &Model, most: u64, config: &Config) -> bool {
    let Some(automaton) = claim_automaton(&model.claims[0], &|| false) else { return false };
    let question = stubborn_search::Question {
        automaton: &automaton,
        extends_finite_runs: true,
        is_fair: false,
        cycles: config.cycles,
    };
    let limits =
        stubborn_search::Limits { time: config.time, ..stubborn_search::Limits::memory(config.memory) };
    let found = search_short_run(model, &question, most as u32 + 1, &limits, &mut Ignore);
    found.is_ok_and(|found| found.run.is_none() && found.is_shortest)
}
