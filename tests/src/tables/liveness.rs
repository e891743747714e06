//! Tables 7 and 8: how much of the product with `[]<> progress` is left.
//!
//! What counts is the whole product, also where a run violates the property: then it is visited once more, by
//! an automaton that accepts nothing.

use std::time::Duration;

use stubborn_check::Purpose;
use stubborn_ide::lenses::grouped;
use stubborn_ir::{ClaimAutomaton, ClaimEdge, ClaimState, Expr, Literal, Model};
use stubborn_reduce::{Discipline, Plan, Proviso, Visibility, refusal};
use stubborn_search::{Cycles, End, Limits, Order, Question, search_claim};
use stubborn_tests::corpus::Corpus;
use stubborn_tests::stopwatch::Stopwatch;

use super::grid::{Grid, versus};
use super::measure::{MEMORY, Witness, read_text, say, unfinished};
use super::paper::Paper;
use super::study::automatic;

/// A model, and what the paper leaves of it.
#[derive(Debug)]
pub(crate) struct Livelock {
    name: &'static str,
    path: &'static str,
    /// Where progress is made, if the model has no label for that: before the first occurrence of this text.
    progress: Option<&'static str>,
    /// The states of the model, where the whole product takes too much memory: it has at least as many nodes.
    states: Option<u64>,
    /// Why it is not what the paper has, if so.
    differs: Option<&'static str>,
}

/// The models of the paper that the corpus has.
pub(crate) const LIVELOCKS: &[Livelock] = &[
    Livelock {
        name: "garp",
        path: "twente/garp/garp-a/garp",
        progress: None,
        states: Some(116_494_567),
        differs: Some("SPIN 6.5.2 without reduction stores more than the paper says, too"),
    },
    Livelock {
        name: "i-protocol2",
        path: "twente/i-protocol/code/spin/i2",
        progress: None,
        states: None,
        differs: None,
    },
    Livelock {
        name: "peterson4",
        path: "twente/Tests/peterson4",
        progress: Some("ncrit++;"),
        states: None,
        differs: Some("it has no label `progress`; here the critical section has one"),
    },
];

/// A way to leave something out.
struct Way {
    /// The paper's name of it; none if it has none.
    column: Option<&'static str>,
    reduction: &'static str,
    proviso: Proviso,
    visibility: Visibility,
}

const fn way(reduction: &'static str, proviso: Proviso, visibility: Visibility) -> Way {
    Way { column: None, reduction, proviso, visibility }
}

impl Way {
    const fn of(self, column: &'static str) -> Way {
        Way { column: Some(column), ..self }
    }

    fn title(&self) -> String {
        let with = if self.visibility == Visibility::C2 { " C2" } else { "" };
        format!("{} {}{with}", self.reduction, self.proviso)
    }

    fn plan(&self, automaton: &ClaimAutomaton) -> Plan {
        let reduction = self.reduction.parse().expect("the list below names reductions");
        let plan = Plan::new(reduction, self.proviso);
        Plan { propositions: automaton.propositions.clone(), visibility: self.visibility, ..plan }
    }
}

/// The columns of table 7, with our other provisos, and ample sets, which are table 8's.
const WAYS: &[Way] = &[
    way("stubborn:deletion", Proviso::C3Prime, Visibility::VAndI).of("deletion"),
    way("stubborn:beam", Proviso::C3Prime, Visibility::VAndI).of("beam"),
    way("stubborn:deletion", Proviso::LiveStack, Visibility::C2).of("deletion C2"),
    way("stubborn:beam", Proviso::LiveStack, Visibility::C2).of("beam C2"),
    way("stubborn:deletion", Proviso::LiveStack, Visibility::VAndI).of("deletion C3"),
    way("stubborn:beam", Proviso::LiveStack, Visibility::VAndI).of("beam C3"),
    way("stubborn:deletion", Proviso::ColourStar, Visibility::VAndI),
    way("stubborn:beam", Proviso::Colour, Visibility::VAndI),
    way("stubborn:beam", Proviso::ColourStar, Visibility::VAndI),
    way("ample", Proviso::ColourStar, Visibility::C2).of("ample"),
];

/// The product as far as it was visited.
struct Visit {
    nodes: u64,
    arcs: u64,
    seconds: f64,
    /// Why that is not all, if so.
    unfinished: Option<String>,
    is_violated: bool,
}

/// All that was visited of one model.
pub(crate) struct Study {
    livelock: &'static Livelock,
    /// Without reduction; none if that was not tried.
    whole: Option<Visit>,
    parts: Vec<Visit>,
    /// What is used where no reduction is named.
    auto: (String, Proviso),
}

impl Livelock {
    /// Whether this is its name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name
    }

    /// Visits the product in every way.
    pub(crate) fn study(&'static self, corpus: &Corpus, time: Duration) -> Result<Study, String> {
        let path = corpus.path(self.path);
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some(place) = self.progress {
            text = text.replacen(place, &format!("progress: {place}"), 1);
        }
        let model = read_text(&path, &text, &[])?;
        let automaton = stays_without_progress();
        let none = Plan { propositions: automaton.propositions.clone(), ..Plan::none() };
        let whole = match self.states {
            Some(_) => None,
            None => Some(visit(&model, &automaton, &none, PATIENCE * time, &format!("{} none", self.name))?),
        };
        let mut parts = Vec::new();
        for way in WAYS {
            let plan = way.plan(&automaton);
            if let Some(why) = refusal(&plan, Discipline::Stack, Purpose::Liveness) {
                return Err(why);
            }
            let label = format!("{} {}", self.name, way.title());
            let part = visit(&model, &automaton, &plan, time, &label)?;
            let others = whole.iter().chain(&parts).filter(|visit| visit.unfinished.is_none());
            if part.unfinished.is_none()
                && others.into_iter().any(|other| other.is_violated != part.is_violated)
            {
                return Err(format!("WRONG: {label}: another verdict than in other ways"));
            }
            parts.push(part);
        }
        let auto = automatic(&model, Purpose::Liveness)?;
        let auto = (auto.reduction.to_string(), auto.proviso);
        Ok(Study { livelock: self, whole, parts, auto })
    }
}

/// A search without reduction gets so many times as long.
const PATIENCE: u32 = 5;

/// `<>[] np_`: waits, and from some point on nothing but steps without progress.
fn stays_without_progress() -> ClaimAutomaton {
    let edge = |holds: &[bool], target| ClaimEdge {
        literals: holds.iter().map(|&holds| Literal { proposition: 0, holds }).collect(),
        unless: Box::new([]),
        target,
    };
    let state = |accepting, edges| ClaimState { accepting, is_final: false, edges };
    let states =
        vec![state(false, vec![edge(&[], 0), edge(&[true], 1)]), state(true, vec![edge(&[true], 1)])];
    ClaimAutomaton { initial: 0, states, propositions: vec![Expr::NonProgress] }
}

fn visit(
    model: &Model,
    automaton: &ClaimAutomaton,
    plan: &Plan,
    time: Duration,
    label: &str,
) -> Result<Visit, String> {
    let mut automaton = automaton.clone();
    let mut is_violated = false;
    loop {
        let watch = Stopwatch::start();
        let limits = Limits { time: Some(time), ..Limits::memory(MEMORY) };
        let question = Question {
            automaton: &automaton,
            extends_finite_runs: false,
            is_fair: false,
            cycles: Cycles::Components,
        };
        let mut witness = Witness::new(label);
        let answer = search_claim(model, &question, Order::DepthFirst, plan, &limits, &mut witness)
            .map_err(|kind| kind.to_string())?;
        if answer.run.is_some() {
            is_violated = true;
            automaton.states.iter_mut().for_each(|state| state.accepting = false);
            continue;
        }
        let unfinished = (answer.end != End::Exhausted).then(|| unfinished(answer.end));
        let (nodes, arcs) = (answer.counts.states, answer.counts.transitions);
        let found = unfinished.as_deref().unwrap_or(if is_violated { "violated" } else { "holds" });
        say(&format!("{label}: {} nodes, {:.2} s, {found}", grouped(nodes), watch.seconds()));
        return Ok(Visit { nodes, arcs, seconds: watch.seconds(), unfinished, is_violated });
    }
}

/// Why models differ from the paper's.
pub(crate) fn differences(studies: &[Study]) -> String {
    let told = studies.iter().filter_map(|study| Some((study.livelock.name, study.livelock.differs?)));
    told.map(|(name, why)| format!("{name} differs from the paper: {why}.\n")).collect()
}

/// Both tables in one: percent of the nodes of the product.
pub(crate) fn table(studies: &[Study], paper: &Paper) -> String {
    let header = ["model", "verdict", "nodes", "arcs", "target", "best", "auto"].map(String::from);
    let columns = WAYS.iter().map(Way::title).chain(["SPIN's ample sets".to_owned()]);
    let mut grid = Grid::new(header.into_iter().chain(columns));
    for study in studies {
        let name = study.livelock.name;
        let theirs = |column: &str| paper.liveness.cell(name, column).map(String::from);
        let (nodes, arcs) = match &study.whole {
            Some(whole) => (shown(whole, grouped(whole.nodes)), shown(whole, grouped(whole.arcs))),
            None => {
                (study.livelock.states.map_or("?".into(), |n| format!("at least {}", grouped(n))), "?".into())
            }
        };
        let verdict = if study.is_violated() { "violated" } else { "holds" };
        let mut row = vec![name.to_owned(), verdict.to_owned()];
        row.extend([versus(theirs("nodes"), &nodes), versus(theirs("arcs"), &arcs)]);
        let target = paper.liveness.number(name, "deletion");
        let reached = |visit: Option<&Visit>| {
            let percent = visit.and_then(|visit| study.percent(visit));
            match (percent, target) {
                (Some(percent), Some(target)) if percent <= target => format!("{percent:.1}% reaches it"),
                (Some(percent), Some(_)) => format!("{percent:.1}% does NOT reach it"),
                _ => "?".to_owned(),
            }
        };
        row.push(target.map_or("?".into(), |target| format!("{target}%")));
        row.extend([reached(study.best()), reached(study.automatic())]);
        for (way, part) in WAYS.iter().zip(&study.parts) {
            let left = match study.percent(part) {
                Some(percent) => format!("{percent:.1}%"),
                None => grouped(part.nodes),
            };
            let ours = shown(part, format!("{left} {:.1} s", part.seconds));
            row.push(match way.column {
                Some(column) => versus(theirs(column).map(|percent| percent + "%"), &ours),
                None => ours,
            });
        }
        row.push(theirs("spin").map_or("n/a".into(), |percent| percent + "%"));
        grid.add(row);
    }
    grid.to_string()
}

impl Study {
    fn is_violated(&self) -> bool {
        self.whole.iter().chain(&self.parts).any(|visit| visit.is_violated)
    }

    /// Nodes in percent of all, or of as many as there are at least, if all of them were visited.
    fn percent(&self, visit: &Visit) -> Option<f64> {
        let whole = self.whole.as_ref().filter(|whole| whole.unfinished.is_none());
        let all = whole.map(|whole| whole.nodes).or(self.livelock.states)?;
        visit.unfinished.is_none().then(|| 100.0 * visit.nodes as f64 / all as f64)
    }

    fn best(&self) -> Option<&Visit> {
        let finished = self.parts.iter().filter(|part| part.unfinished.is_none());
        finished.min_by_key(|part| part.nodes)
    }

    /// What is used where no reduction is named.
    fn automatic(&self) -> Option<&Visit> {
        let is_automatic = |way: &Way| (way.reduction, way.proviso) == (&*self.auto.0, self.auto.1);
        WAYS.iter().zip(&self.parts).find(|(way, _)| is_automatic(way)).map(|(_, part)| part)
    }
}

fn shown(visit: &Visit, figure: String) -> String {
    match &visit.unfinished {
        Some(why) => format!("{why} at {}", grouped(visit.nodes)),
        None => figure,
    }
}
