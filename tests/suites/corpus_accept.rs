//! Every file of the corpus is accepted if SPIN accepts it, and otherwise rejected with the place of the
//! error.

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::say;
use stubborn_tests::suite::Suite;
use stubborn_tests::table;

pub(crate) fn suite() -> Suite {
    let corpus = match Corpus::find() {
        Ok(corpus) => Arc::new(corpus),
        Err(why) => {
            say::skipped("corpus_accept", &why);
            return Suite::of(Vec::new());
        }
    };
    let exceptions = Arc::new(Exceptions::of("corpus_accept"));
    let names: Vec<String> = corpus.rows().iter().map(|row| table::text(row, "path").to_string()).collect();
    let mut trials = Vec::new();
    for row in corpus.rows() {
        let (corpus, exceptions) = (corpus.clone(), exceptions.clone());
        let name = table::text(row, "path").to_string();
        let accepted = table::text(row, "parse") == "ok";
        trials.push(Trial::test(name.clone(), move || {
            exceptions.judge(&name, agree(&corpus, &name, accepted)).map_err(Failed::from)
        }));
    }
    trials.push(Trial::test("exceptions are few and have reasons", move || Ok(exceptions.check(&names)?)));
    Suite::of(trials)
}

fn agree(corpus: &Corpus, name: &str, accepted: bool) -> Result<(), String> {
    let path = corpus.path(name);
    let model = path.to_string_lossy();
    // How far the search gets does not matter here.
    let answer = binary::run(["explore", &model, "--time", "1s", "--memory", "500M", "--format", "json"]);
    match (accepted, answer.status) {
        _ if !answer.is_orderly() => Err(format!("it broke down: {answer}")),
        (true, Some(2)) => Err(format!("rejected, but SPIN accepts it: {answer}")),
        (true, _) => Ok(()),
        (false, Some(2)) if is_located(&answer.errors) => Ok(()),
        (false, Some(2)) => Err(format!("rejected without a place: {answer}")),
        (false, _) => Err(format!("accepted, but SPIN rejects it: {answer}")),
    }
}

/// Whether a message names some file and line. The error may lie in an included file.
fn is_located(message: &str) -> bool {
    message.lines().any(|line| {
        let mut parts = line.trim().rsplit(':');
        let numbers =
            [parts.next(), parts.next()].map(|part| part.and_then(|part| part.trim().parse::<u32>().ok()));
        numbers.iter().all(Option::is_some) && parts.next().is_some_and(|file| !file.trim().is_empty())
    })
}
