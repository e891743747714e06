//! The tables of Edelkamp, Leue and Lluch Lafuente, "Partial-order reduction and trail improvement in directed model
//! checking", with our figures beside theirs.
//!
//! `directed [--only NAME]... [--time SECONDS] [--corpus]`: `--only` picks models by how their names begin; a search
//! gets `--time`, ten seconds unless told otherwise; `--corpus` prints, instead, every model of the corpus with an error.
//! Their lengths count statements that SPIN merges as one, both parties of a rendezvous, and the steps of a claim; ours
//! count all that is executed, process ends included, and a rendezvous as one. So the last table has ours in their
//! unit as well. A counterexample that is longer than theirs there and not proved to have the fewest statements, or not
//! the shortest on a model of the corpus, ends in exit code 1; a model of our own is not held against theirs.

#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../directed/mod.rs"]
mod directed;
#[path = "../tables/grid.rs"]
#[allow(dead_code, reason = "shared with the tables of other papers")]
mod grid;

use std::process::ExitCode;
use std::time::Duration;

use directed::measure::Bench;
use directed::paper::Paper;
use directed::subjects::{Subject, Wrong};
use directed::{best, corpus, reduction, runs, safety};
use grid::Grid;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::program;

const USAGE: &str = "usage: directed [--only NAME]... [--time SECONDS] [--corpus]";

struct Options {
    only: Vec<String>,
    time: Duration,
    corpus: bool,
}

impl Options {
    fn read(arguments: &mut dyn Iterator<Item = String>) -> Option<Options> {
        let mut options = Options { only: Vec::new(), time: Duration::from_secs(10), corpus: false };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--only" => options.only.push(arguments.next()?),
                "--time" => options.time = Duration::from_secs(arguments.next()?.parse().ok()?),
                "--corpus" => options.corpus = true,
                _ => return None,
            }
        }
        Some(options)
    }

    fn wants(&self, subject: &Subject) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| subject.name.starts_with(name))
    }
}

fn main() -> ExitCode {
    program::main(USAGE, Options::read, |options| {
        let corpus = Corpus::find()?;
        let mut problems = Vec::new();
        if options.corpus {
            println!("{}", corpus::rows(&corpus, options.time, 6 * options.time, &mut problems));
        } else {
            print_paper(&corpus, &options, &mut problems);
        }
        Ok(problems)
    })
}

fn print_paper(corpus: &Corpus, options: &Options, problems: &mut Vec<String>) {
    println!(
        "In cells with a slash, the paper's figure comes first and ours second; + is an unfinished search."
    );
    let paper = Paper::read();
    let four = || [Subject::marriers(4), Subject::pots(), Subject::leader(8), Subject::giop(Wrong::Deadlock)];
    let mut each = |subjects: Vec<Subject>, then: &mut dyn FnMut(&Bench<'_>) -> Result<(), String>| {
        for subject in subjects.iter().filter(|subject| options.wants(subject)) {
            eprintln!("{}", subject.name);
            let result = subject
                .read(corpus)
                .and_then(|model| then(&Bench { subject, model: &model, time: options.time }));
            problems.extend(result.err().map(|why| format!("{}: {why}", subject.name)));
        }
    };
    let nothing = || "nothing is found in time".to_owned();
    let mut grids = [
        Grid::new(["model", "DFS", "f, H_d", "f, H_m", "f_e, H_d", "f_e, H_m"]),
        Grid::new(["model", "IDFS, f", "ADFS, f", "IDFS, f_e", "ADFS, f_e"]),
    ];
    each(four().into(), &mut |bench| safety::tables(bench, &paper, &mut grids).ok_or_else(nothing));
    println!("\nTable 1: trails improved with A*\n\n{}", grids[0]);
    println!("Table 2: trails improved without a heuristic\n\n{}", grids[1]);
    let mut grid = Grid::new(["model", "NDFS", "s, H_d", "s, H_m", "[s], H_d", "[s], H_m"]);
    let live = vec![Subject::elevator(3), Subject::philo(8), Subject::giop(Wrong::Run)];
    each(live, &mut |bench| runs::table_3(bench, &paper, &mut grid));
    println!("Table 3: runs with a cycle\n\n{grid}");
    let mut grid = Grid::new(["model", "no", "C3_0", "duplicate", "sticky"]);
    each(four().into(), &mut |bench| reduction::table_4(bench, &paper, &mut grid).ok_or_else(nothing));
    println!("Table 4: A* with reduction\n\n{grid}");
    let mut grid = Grid::new(["model", "H N", "H C", "PO N", "PO C", "H+PO"]);
    let [_, pots, leader, giop] = four();
    let five = vec![Subject::marriers(3), pots, leader, giop];
    each(five, &mut |bench| reduction::table_5(bench, &paper, &mut grid).ok_or_else(nothing));
    println!("Table 5: states without by states with\n\n{grid}");
    let mut grid = Grid::new(["model", "DFS stack", "A* duplicate", "A* sticky", "opt."]);
    let leaders = (3..=8).map(Subject::leader).collect();
    each(leaders, &mut |bench| reduction::table_6(bench, &paper, &mut grid).ok_or_else(nothing));
    println!("Table 6: before and after what is irrelevant is left out\n\n{grid}");
    let mut grid = Grid::new(["model", "DFS+PO", "A*+PO", "A*"]);
    let two = vec![Subject::pots(), Subject::giop(Wrong::Deadlock)];
    each(two, &mut |bench| reduction::table_7(bench, &paper, &mut grid).ok_or_else(nothing));
    println!("Table 7: to the same state, with reduction\n\n{grid}");
    let mut grid = Grid::new(best::HEADER);
    let mut all: Vec<Subject> = four().into();
    all.extend([Subject::elevator(3), Subject::philo(8), Subject::giop(Wrong::Run)]);
    all.extend((3..8).map(Subject::leader));
    each(all, &mut |bench| {
        let text = bench.subject.text(corpus)?;
        best::row(bench, &text, &paper, &mut grid)
    });
    println!("What is shown in the end: steps, cycle included, in three units\n\n{grid}");
}
