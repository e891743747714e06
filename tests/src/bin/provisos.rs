//! Table 2 of Evangelista and Pajault, "Solving the ignoring problem for partial order reduction": states under each
//! proviso, ours beside theirs.
//!
//! `provisos [--only TEXT] [--time SECONDS]`: models whose name contains the text; a run that takes longer, two minutes
//! unless told otherwise, or more than 8 GiB is shown as unfinished. Where the whole state space is as large as theirs, a
//! cell has their number first and ours second. `auto` is what `check` would use: for deadlocks, for assertions, and for
//! liveness.

#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tables/grid.rs"]
#[allow(dead_code, reason = "what other tables need")]
mod grid;

use std::process::ExitCode;
use std::time::Duration;

use stubborn_check::{Config, Purpose};
use stubborn_ir::Model;
use stubborn_reduce::{Plan, Proviso, Reduction, Stubborn};
use stubborn_search::{End, Ignore, Limits, Order, search};
use stubborn_tests::{corpus, front_end};

use grid::{Grid, grouped};

/// A model of the corpus with parameters, and the row of the paper, if its state space is as large.
struct Subject {
    name: &'static str,
    path: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// No reduction, PS, then the provisos in the order of [`COLUMNS`].
    paper: Option<[u64; 9]>,
}

/// The paper's columns: without a proviso, safety, liveness.
const COLUMNS: [(&str, Proviso, Order); 8] = [
    ("PS", Proviso::None, Order::DepthFirst),
    ("C2^S_q", Proviso::Queue, Order::BreadthFirst),
    ("C2^S_s", Proviso::Stack, Order::DepthFirst),
    ("C2^S_e", Proviso::SafeFlags, Order::DepthFirst),
    ("C2^L_q", Proviso::LiveQueue, Order::BreadthFirst),
    ("C2^L_s", Proviso::LiveStack, Order::DepthFirst),
    ("C2^L_c", Proviso::Colour, Order::DepthFirst),
    ("C2^L_c*", Proviso::ColourStar, Order::DepthFirst),
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
    let (mut only, mut time) = (String::new(), 120);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match (argument.as_str(), value.parse()) {
            ("--only", _) => only = value,
            ("--time", Ok(seconds)) => time = seconds,
            _ => {
                eprintln!("usage: provisos [--only TEXT] [--time SECONDS]");
                return ExitCode::FAILURE;
            }
        }
    }
    let header = ["model", "no POR"].into_iter().chain(COLUMNS.map(|(name, ..)| name));
    let mut grid = Grid::new(header.chain(["auto: deadlocks", "assertions", "liveness"]));
    let mut status = ExitCode::SUCCESS;
    for subject in SUBJECTS.iter().filter(|subject| subject.name.contains(&only)) {
        eprintln!("{} …", subject.name);
        match row(subject, Duration::from_secs(time)) {
            Ok(row) => grid.add(row),
            Err(why) => {
                println!("{}: {why}", subject.name);
                status = ExitCode::FAILURE;
            }
        }
    }
    println!("{grid}");
    status
}

fn row(subject: &Subject, time: Duration) -> Result<Vec<String>, String> {
    let parameters: Vec<(String, String)> =
        subject.parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let model = front_end::read_with(&corpus::models().join(subject.path), &parameters)?;
    let mut found =
        vec![count(&model, &Plan::new(Reduction::None, Proviso::None), Order::BreadthFirst, time * 5)?];
    let expected = subject.paper.map(|paper| paper[0]);
    if let (Some(expected), Some(whole)) = (expected, found[0])
        && whole != expected
    {
        return Err(format!("WRONG: {whole} states instead of {expected}"));
    }
    for (_, proviso, order) in COLUMNS {
        let plan = Plan::new(Reduction::Stubborn(Stubborn::BEAM), proviso);
        found.push(count(&model, &plan, order, time)?);
    }
    let mut row = vec![subject.name.to_owned()];
    for (i, ours) in found.iter().enumerate() {
        let ours = ours.map_or("unfinished".to_owned(), grouped);
        row.push(match subject.paper {
            Some(paper) if i > 0 => format!("{} / {ours}", grouped(paper[i])),
            _ => ours,
        });
    }
    let config = Config::default();
    for purpose in [Purpose::Deadlocks, Purpose::Safety, Purpose::Liveness] {
        let strategy = config.strategy(&model, purpose).map_err(|refused| refused.to_string())?;
        let states = count(&model, &strategy.plan, config.order_for(purpose), time)?;
        row.push(format!("{} ({})", states.map_or("unfinished".to_owned(), grouped), strategy.plan.proviso));
    }
    Ok(row)
}

/// How many states are visited; none if it takes too long.
fn count(model: &Model, plan: &Plan, order: Order, time: Duration) -> Result<Option<u64>, String> {
    let limits = Limits { time: Some(time), ..Limits::memory(8 << 30) };
    let (exploration, end) =
        search(model, order, plan, &limits, &mut Ignore).map_err(|kind| kind.to_string())?;
    Ok((end == End::Exhausted).then(|| exploration.counts().states))
}
