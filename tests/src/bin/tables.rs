//! The tables of published results, with our own figures beside LTSmin's and SPIN's.
//!
//! `tables [--only NAME]... [--quick] [--beem] [--liveness] [--time DURATION] [--no-spin]`: `--only` picks models,
//! `--quick` the small ones, `--beem` leaves out all but table 5, `--liveness` all but tables 7 and 8; a run that takes longer than `--time`, two minutes unless told otherwise and five times as
//! long without reduction, or more than 12 GiB is shown as unfinished. Progress goes to standard error. A
//! wrong answer is never timed; it ends in exit code 1.

#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tables/mod.rs"]
mod tables;

use std::process::ExitCode;

use stubborn_tests::beem::systems as beem_systems;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::{program, spin};

use tables::figures::{FIGURES, SIZES};
use tables::grid::Grid;
use tables::liveness::LIVELOCKS;
use tables::measure::say;
use tables::options::{Options, USAGE};
use tables::paper::{Paper, Published};
use tables::study::{REDUCTIONS, Study};
use tables::subjects::{EXAMPLES, MISSING, SUBJECTS, Subject};
use tables::{ample, beem, liveness, pan, safety, strong};

fn main() -> ExitCode {
    program::main(USAGE, Options::read, run)
}

fn run(options: Options) -> Result<Vec<String>, String> {
    let paper = Paper::read();
    let names = SUBJECTS.iter().chain(EXAMPLES).map(|subject| subject.name);
    let names: Vec<&str> = names.chain(paper.table_5.models()).collect();
    if let Some(name) = options.unknown(&names) {
        return Err(format!("`{name}` is not a model; it is one of {}", names.join(", ")));
    }
    let mut problems = Vec::new();
    if options.beem {
        print_beem(&paper.table_5, &options, &mut problems)?;
        return Ok(problems);
    }
    let corpus = Corpus::find()?;
    if options.liveness {
        print_liveness(&corpus, &options, &mut problems);
        return Ok(problems);
    }
    let mut studies = study_all(SUBJECTS, REDUCTIONS, &corpus, &options, &mut problems);
    if !studies.is_empty() {
        print_paper(&studies, &paper);
    }
    studies.extend(study_all(EXAMPLES, &["stubborn:beam"], &corpus, &options, &mut problems));
    if !studies.is_empty() {
        print_safety(&studies);
    }
    print_beem(&paper.table_5, &options, &mut problems)?;
    print_liveness(&corpus, &options, &mut problems);
    if options.wants_figures() {
        print_figures(&mut problems);
    }
    Ok(problems)
}

fn study_all(
    subjects: &'static [Subject],
    reductions: &[&str],
    corpus: &Corpus,
    options: &Options,
    problems: &mut Vec<String>,
) -> Vec<Study> {
    let has_spin = options.spin && spin::is_available();
    if options.spin && !has_spin {
        say("spin and gcc are needed to compare with pan");
    }
    let mut studies = Vec::new();
    for subject in subjects.iter().filter(|subject| options.wants(subject)) {
        let path = corpus.path(subject.path);
        match Study::make(subject, &path, reductions, options.time) {
            Ok(mut study) => {
                study.pan = has_spin.then(|| pan::reduced(&path, options.time));
                problems.append(&mut study.problems);
                studies.push(study);
            }
            Err(why) => problems.push(format!("WRONG: {}: {why}", subject.name)),
        }
    }
    studies
}

fn print_paper(studies: &[Study], paper: &Paper) {
    println!("In cells with a slash, the paper's figure comes first and ours second.");
    println!("Not in the corpus: {}.", MISSING.join(", "));
    for study in studies {
        if let Some(why) = study.subject.differs {
            println!("{} differs from the paper: {why}.", study.subject.name);
        }
    }
    println!("\nTable 2: deletion, beam and closure\n\n{}", strong::table_2(studies, paper));
    println!("Table 3: transitions per state\n\n{}", strong::table_3(studies, paper));
    println!("Table 4: strong, without disabling sets, weak\n\n{}", strong::table_4(studies, paper));
    println!(
        "Table 6: % of states, % of transitions, seconds under reduction\n\n{}",
        ample::table_6(studies, paper)
    );
    println!("Targets: deadlocks preserved\n\n{}", ample::targets(studies));
    println!("All our reductions: % of states\n\n{}", ample::all_reductions(studies));
    println!(
        "States per second, and as a part of those without reduction\n\n{}",
        ample::speeds(studies, paper)
    );
}

fn print_safety(studies: &[Study]) {
    println!(
        "Assertions preserved: states under stubborn:beam and provisos, as a multiple of those for deadlocks\n\n{}",
        safety::table(studies)
    );
}

fn print_liveness(corpus: &Corpus, options: &Options, problems: &mut Vec<String>) {
    let mut studies = Vec::new();
    for livelock in LIVELOCKS.iter().filter(|livelock| options.wants_large(|name| livelock.is_called(name))) {
        match livelock.study(corpus, options.time) {
            Ok(study) => studies.push(study),
            Err(why) => problems.push(why),
        }
    }
    if !studies.is_empty() {
        println!(
            "Tables 7 and 8: % of the product with []<> progress\n\n{}\n{}",
            liveness::table(&studies, &Paper::read()),
            liveness::differences(&studies)
        );
    }
}

fn print_beem(paper: &Published, options: &Options, problems: &mut Vec<String>) -> Result<(), String> {
    let systems = beem_systems().ok_or("no corpus of DVE models")?;
    let mut lines = Vec::new();
    for name in paper.models().filter(|name| options.wants_small(name)) {
        let system = systems.iter().find(|system| system.name == name).ok_or(name)?;
        match beem::study(system, options.time, problems) {
            Ok(line) => lines.push(line),
            Err(why) => problems.push(format!("WRONG: {name}: {why}")),
        }
    }
    if !lines.is_empty() {
        println!(
            "Table 5: % of the states of BEEM's systems, deadlocks preserved\n\n{}",
            beem::table_5(&lines, paper)
        );
    }
    Ok(())
}

fn print_figures(problems: &mut Vec<String>) {
    let sizes = SIZES.map(|n| format!("n = {n}"));
    let header = ["model", "reduction", "proviso", "expected"].map(String::from);
    let mut grid = Grid::new(header.into_iter().chain(sizes));
    for figure in FIGURES {
        let mut row = vec![figure.model.to_owned(), figure.reduction.to_owned()];
        row.extend([figure.proviso.to_string(), figure.formula.to_owned()]);
        for n in SIZES {
            let (found, expected) = (figure.count(n), (figure.expected)(n));
            if found != Ok(expected) {
                problems.push(format!(
                    "WRONG: {} {}, {n} processes: {found:?} instead of {expected} states",
                    figure.model, figure.reduction
                ));
            }
            row.push(found.map_or_else(|why| why, |states| states.to_string()));
        }
        grid.add(row);
    }
    println!("Models that papers draw: states\n\n{grid}");
}
