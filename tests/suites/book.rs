//! The book and the other pages: whatever they show is what happens.
//!
//! A block ```` ```console ```` has lines `$ COMMAND`, each followed by what the command writes. Commands of `stubborn` are
//! run in the root of the workspace, and what comes out is compared once times, rates and sizes are masked ([`session`]). A
//! block with the name of a file after its language, ```` ```promela examples/x.pml ````, is an excerpt of that file. Links
//! lead somewhere, paths of the repository that are named exist ([`links`]), and every option has its place in the chapter
//! on the command line ([`options`]), every test in that on testing ([`tests_listed`]).
//!
//! With `STUBBORN_BOOK=write`, outputs and pictures that are not as they should be are written anew; look at the difference.

mod links;
mod options;
mod page;
mod session;
mod tests_listed;

use libtest_mimic::Trial;
use stubborn_tests::suite::Suite;

pub(crate) fn suite() -> Suite {
    let pages = page::all();
    let mut trials = Vec::new();
    for page in &pages {
        let (shown, linked) = (page.clone(), page.clone());
        let all = pages.clone();
        trials.push(Trial::test(format!("commands of {}", page.name), move || {
            Ok(session::is_as_shown(&shown)?)
        }));
        trials.push(Trial::test(format!("links of {}", page.name), move || {
            Ok(links::lead_somewhere(&linked, &all)?)
        }));
    }
    let (listed, skipped, tested, told) = (pages.clone(), pages.clone(), pages.clone(), pages);
    trials.push(Trial::test("every chapter is in the summary", move || Ok(links::are_listed(&listed)?)));
    trials.push(Trial::test("what is not run is on a page", move || {
        Ok(session::reasons_are_needed(&skipped)?)
    }));
    trials.push(Trial::test("every option is told of", move || Ok(options::are_told(&told)?)));
    trials.push(Trial::test("every test is listed", move || Ok(tests_listed::are_listed(&tested)?)));
    trials.push(Trial::test("what is broken is found", || Ok(session::finds_what_is_broken()?)));
    Suite::of(trials)
}
