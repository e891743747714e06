//! Small systems of BEEM: sizes, and every goal and property with a known answer, as they are decided where nobody names
//! a reduction. Counterexamples are no longer than BEEM's.
//!
//! `STUBBORN_DVE_STATES` says up to how many states; the program `beem` looks at all of them.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_tests::beem::{Limits, System, systems};
use stubborn_tests::contest::Answer;
use stubborn_tests::environment::variable;
use stubborn_tests::say;

const LIMITS: Limits = Limits { time: Duration::from_secs(600), memory: 2 << 30 };

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let most: u64 = variable("STUBBORN_DVE_STATES").unwrap_or(20_000);
    let Some(systems) = systems() else {
        say::skipped("corpus_systems", "no corpus of DVE models");
        return ExitCode::SUCCESS;
    };
    let small = systems.into_iter().filter(|system| system.n_states.is_some_and(|states| states <= most));
    let mut trials = Vec::new();
    for system in small.map(Arc::new) {
        trials.extend(of_system(&system));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn of_system(system: &Arc<System>) -> Vec<Trial> {
    let judge = |(answer, told): (Answer, String)| match answer {
        Answer::Right => Ok(()),
        Answer::Wrong | Answer::Incomplete => Err(Failed::from(told)),
    };
    let own = system.clone();
    let mut trials = vec![Trial::test(system.name.clone(), move || judge(own.explore(LIMITS)))];
    for (i, question) in system.questions.iter().enumerate() {
        let own = system.clone();
        let name = format!("{} {}", system.name, question.number);
        trials.push(Trial::test(name, move || {
            own.decide(&own.questions[i], &LIMITS.config()).map_or(Ok(()), judge)
        }));
    }
    trials
}
