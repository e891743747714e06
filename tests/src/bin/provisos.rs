//! Table 2 of Evangelista and Pajault, "Solving the ignoring problem for partial order reduction": states under each
//! proviso, ours beside theirs.
//!
//! `provisos [--only TEXT] [--time SECONDS] [--sets SEARCH]`: models whose name contains the text; a run that takes longer,
//! two minutes unless told otherwise, or more than 4 GiB is shown as unfinished; sets are found by `closure`, by `beam`, as
//! `check` does, or by `deletion`, which finds larger and smaller ones. Where the whole state space is as large as theirs, a
//! cell has their number first and ours second. `auto` is what `check` would use: for deadlocks, for assertions, and for
//! liveness. Below the table stands how many states the provisos that the paper proposes, and ours, add to those that are
//! visited without one (PS), model by model and in how many they add next to nothing. The smaller the sets, the more of the
//! cycles are without a full expansion, which a proviso then has to make. Last, whether `auto` is within a tenth of the best
//! column that is sound for the question; it is an error if not.

#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tables/grid.rs"]
#[allow(dead_code, reason = "what other tables need")]
mod grid;

use std::process::ExitCode;
use std::time::Duration;

use stubborn_check::{Config, Purpose};
use stubborn_ide::lenses::grouped;
use stubborn_ir::Model;
use stubborn_reduce::{Plan, Proviso, Reduction, Stubborn};
use stubborn_search::{End, Ignore, Limits, Order, search};
use stubborn_tests::{corpus, front_end};

use grid::Grid;

/// A model of the corpus with parameters, and the row of the paper, if its state space is as large.
struct Subject {
    name: &'static str,
    path: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// No reduction, PS, then the provisos in the order of [`COLUMNS`].
    paper: Option<[u64; 9]>,
}

/// The paper's columns: without a proviso, safety, liveness; and what is ours.
const COLUMNS: [(&str, Proviso, Order); 9] = [
    ("PS", Proviso::None, Order::DepthFirst),
    ("C2^S_q", Proviso::Queue, Order::BreadthFirst),
    ("C2^S_s", Proviso::Stack, Order::DepthFirst),
    ("C2^S_e", Proviso::SafeFlags, Order::DepthFirst),
    ("C2^L_q", Proviso::LiveQueue, Order::BreadthFirst),
    ("C2^L_s", Proviso::LiveStack, Order::DepthFirst),
    ("C2^L_c", Proviso::Colour, Order::DepthFirst),
    ("C2^L_c*", Proviso::ColourStar, Order::DepthFirst),
    ("reach", Proviso::ColourReach, Order::DepthFirst),
];

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "anderson",
        path: "pnml/Anderson-PT-05/model.pnml",
        parameters: &[],
        paper: Some([689_901, 242_406, 242_406, 426_317, 242_406, 242_406, 426_317, 242_406, 242_406]),
    },
    Subject {
        name: "brp",
        path: "dve/brp/brp.3.dve",
        parameters: &[],
        paper: Some([996_627, 542_462, 673_413, 567_966, 542_462, 704_524, 567_966, 553_462, 542_462]),
    },
    Subject {
        name: "lamport",
        path: "helena/lamport.lna",
        parameters: &[("N", "4")],
        paper: Some([
            1_914_784, 1_052_518, 1_449_856, 1_282_950, 1_055_985, 1_729_560, 1_455_606, 1_304_311, 1_304_310,
        ]),
    },
    Subject {
        name: "peterson",
        path: "helena/peterson.lna",
        parameters: &[("N", "4")],
        paper: Some([3_407_946, 259_942, 372_208, 356_068, 259_942, 374_795, 356_698, 292_622, 260_608]),
    },
    Subject {
        name: "production_cell",
        path: "dve/production_cell/production_cell.3.dve",
        parameters: &[],
        paper: Some([822_612, 128_550, 283_180, 221_821, 128_550, 283_180, 221_821, 129_597, 129_597]),
    },
    Subject {
        name: "public_subscribe",
        path: "dve/public_subscribe/public_subscribe.2.dve",
        parameters: &[],
        paper: Some([1_846_603, 210_613, 1_235_183, 429_910, 210_613, 1_235_183, 429_910, 214_702, 214_702]),
    },
    ours("allocator", "helena/allocator.lna", &[]),
    ours("buffer", "helena/buffer.lna", &[]),
    ours("client_server", "helena/client_server.lna", &[]),
    ours("dbm", "helena/dbm.lna", &[]),
    ours("dining", "helena/dining.lna", &[]),
    ours("eratosthene", "helena/eratosthene.lna", &[("N", "30")]),
    ours("hanoi", "helena/hanoi.lna", &[]),
    ours("leader", "helena/leader.lna", &[]),
    ours("load_balancer", "helena/load_balancer.lna", &[]),
    ours("p2p", "helena/p2p.lna", &[]),
    ours("slotted", "helena/slotted.lna", &[("N", "5")]),
    ours("szymanski", "helena/szymanski.lna", &[("N", "4")]),
];

const fn ours(
    name: &'static str,
    path: &'static str,
    parameters: &'static [(&'static str, &'static str)],
) -> Subject {
    Subject { name, path, parameters, paper: None }
}

fn main() -> ExitCode {
    let (mut only, mut time, mut sets) = (String::new(), 120, Stubborn::BEAM);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match (argument.as_str(), value.parse()) {
            ("--only", _) => only = value,
            ("--time", Ok(seconds)) => time = seconds,
            ("--sets", _) if let Ok(Reduction::Stubborn(named)) = format!("stubborn:{value}").parse() => {
                sets = named;
            }
            _ => {
                eprintln!("usage: provisos [--only TEXT] [--time SECONDS] [--sets closure|beam|deletion]");
                return ExitCode::FAILURE;
            }
        }
    }
    let header = ["model", "no POR"].into_iter().chain(COLUMNS.map(|(name, ..)| name));
    let mut grid = Grid::new(header.chain(["auto: deadlocks", "assertions", "liveness"]));
    let mut status = ExitCode::SUCCESS;
    let (mut remarks, mut tallies) = (Vec::new(), PROPOSED.map(|_| Tally::default()));
    for subject in SUBJECTS.iter().filter(|subject| subject.name.contains(&only)) {
        eprintln!("{} …", subject.name);
        match Row::of(subject, sets, Duration::from_secs(time)) {
            Ok(row) => {
                eprintln!("{}", row.cells().join(" | "));
                grid.add(row.cells());
                remarks.push(row.relation());
                tallies.iter_mut().zip(PROPOSED).for_each(|(tally, column)| tally.add(&row, column));
                // Other sets are there to be compared with.
                for why in row.failures().into_iter().filter(|_| sets == Stubborn::BEAM) {
                    remarks.push(format!("{}: WRONG: {why}", subject.name));
                    status = ExitCode::FAILURE;
                }
            }
            Err(why) => {
                println!("{}: {why}", subject.name);
                status = ExitCode::FAILURE;
            }
        }
    }
    println!("{grid}");
    remarks.iter().for_each(|remark| println!("{remark}"));
    for (tally, column) in tallies.iter().zip(PROPOSED) {
        println!(
            "{} adds at most a hundredth to {} of {} models",
            COLUMNS[column].0, tally.next_to_nothing, tally.all
        );
    }
    status
}

/// The columns of the provisos that the paper proposes, and of ours.
const PROPOSED: [usize; 3] = [3, 7, 8];

/// Models for which a column was counted.
#[derive(Default)]
struct Tally {
    all: usize,
    /// Those to which the proviso adds at most a hundredth.
    next_to_nothing: usize,
}

impl Tally {
    fn add(&mut self, row: &Row<'_>, column: usize) {
        if let (Some(with), Some(without)) = (row.columns[column], row.columns[0]) {
            self.all += 1;
            self.next_to_nothing += usize::from(with * 100 <= without * 101);
        }
    }
}

/// What was counted of a model; none where it took too long.
struct Row<'s> {
    subject: &'s Subject,
    whole: Option<u64>,
    /// In the order of [`COLUMNS`].
    columns: Vec<Option<u64>>,
    /// For deadlocks, assertions and liveness, with the proviso.
    auto: Vec<(Option<u64>, Proviso)>,
}

/// The columns that are sound for deadlocks, assertions and liveness.
const SOUND: [std::ops::Range<usize>; 3] = [0..9, 1..9, 4..9];

impl<'s> Row<'s> {
    fn of(subject: &'s Subject, sets: Stubborn, time: Duration) -> Result<Self, String> {
        let parameters: Vec<(String, String)> = subject
            .parameters
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let model = front_end::read_with(&corpus::models().join(subject.path), &parameters)?;
        let none = Plan::new(Reduction::None, Proviso::None);
        let whole = count(&model, &none, Order::BreadthFirst, time * 5)?;
        if let (Some(paper), Some(whole)) = (subject.paper, whole)
            && whole != paper[0]
        {
            return Err(format!("WRONG: {whole} states instead of {}", paper[0]));
        }
        let mut columns = Vec::new();
        for (_, proviso, order) in COLUMNS {
            let plan = Plan::new(Reduction::Stubborn(sets), proviso);
            columns.push(count(&model, &plan, order, time)?);
        }
        let config = Config::default();
        let mut auto = Vec::new();
        for purpose in [Purpose::Deadlocks, Purpose::Safety, Purpose::Liveness] {
            let strategy = config.strategy(&model, purpose).map_err(|refused| refused.to_string())?;
            let states = count(&model, &strategy.plan, config.order_for(purpose), time)?;
            auto.push((states, strategy.plan.proviso));
        }
        Ok(Row { subject, whole, columns, auto })
    }

    fn cells(&self) -> Vec<String> {
        let told = |states: Option<u64>| states.map_or("unfinished".to_owned(), grouped);
        let mut cells = vec![self.subject.name.to_owned(), told(self.whole)];
        for (i, &ours) in self.columns.iter().enumerate() {
            cells.push(match self.theirs(i) {
                Some(theirs) => format!("{} / {}", grouped(theirs), told(ours)),
                None => told(ours),
            });
        }
        cells.extend(self.auto.iter().map(|&(states, proviso)| format!("{} ({proviso})", told(states))));
        cells
    }

    /// What the paper has in a column.
    fn theirs(&self, column: usize) -> Option<u64> {
        self.subject.paper?.get(column + 1).copied()
    }

    /// How many states the proposed provisos add to those that are visited without one.
    fn relation(&self) -> String {
        let more = |states: Option<u64>, of: Option<u64>| match (states, of) {
            (Some(states), Some(of)) => format!("{:+.1}%", 100.0 * (states as f64 / of as f64 - 1.0)),
            _ => "unfinished".to_owned(),
        };
        let parts = PROPOSED.iter().map(|&column| {
            let mut told =
                format!("{} has {}", COLUMNS[column].0, more(self.columns[column], self.columns[0]));
            if let Some(theirs) = self.theirs(column) {
                told += &format!(" (theirs {})", more(Some(theirs), self.theirs(0)));
            }
            told
        });
        let parts: Vec<String> = parts.collect();
        format!("{}: beside PS, {}", self.subject.name, parts.join("; "))
    }

    /// Where `auto` is worse by more than a tenth than a column that is sound for the question.
    fn failures(&self) -> Vec<String> {
        let mut found = Vec::new();
        for ((name, sound), (states, _)) in
            ["deadlocks", "assertions", "liveness"].iter().zip(SOUND).zip(&self.auto)
        {
            let Some(best) = self.columns[sound].iter().flatten().min() else { continue };
            if states.is_none_or(|states| states * 10 > best * 11) {
                let states = states.map_or("unfinished".to_owned(), grouped);
                found.push(format!("auto for {name} has {states}, and {} is possible", grouped(*best)));
            }
        }
        found
    }
}

/// How many states are visited; none if it takes too long.
fn count(model: &Model, plan: &Plan, order: Order, time: Duration) -> Result<Option<u64>, String> {
    let limits = Limits { time: Some(time), ..Limits::memory(4 << 30) };
    let (exploration, end) =
        search(model, order, plan, &limits, &mut Ignore).map_err(|kind| kind.to_string())?;
    Ok((end == End::Exhausted).then(|| exploration.counts().states))
}
