//! Every model of the corpus with an error: how long the counterexample is that is found, that is shown, and the
//! shortest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_check::{Config, Job, Order, Verdict, check, properties};
use stubborn_tests::corpus::Corpus;
use stubborn_tests::shortest::shortest;
use stubborn_tests::{front_end, table};

use crate::grid::Grid;

/// Positions that the shortest way is looked for among.
const MAX_POSITIONS: usize = 1_000_000;

/// A row for each; what is wrong is added to the problems.
pub(crate) fn rows(corpus: &Corpus, budget: Duration, time: Duration, problems: &mut Vec<String>) -> Grid {
    let mut grid = Grid::new(["model", "property", "dfs", "shown", "shortest", "seconds"]);
    // Some are too large for SPIN without reduction.
    let has = |row: &table::Row, column| table::number(row, column).is_some_and(|errors| errors > 0);
    let has_errors = |row: &&table::Row| has(row, "raw_errors") || has(row, "por_errors");
    for row in corpus.rows().iter().filter(has_errors) {
        let name = table::text(row, "path");
        let Some(model) = front_end::read(&corpus.path(name)) else { continue };
        let started = Instant::now();
        let least = shortest(&model, MAX_POSITIONS);
        let seconds = started.elapsed();
        let safety: Vec<_> = properties(&model).into_iter().filter(|p| p.claim.is_none()).collect();
        for (i, property) in safety.iter().enumerate() {
            let run = |shorten| {
                let order = Some(Order::DepthFirst);
                let config =
                    Config { order, shorten, time: Some(time), memory: 4 << 30, ..Config::default() };
                let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
                check(&model, std::slice::from_ref(property), &config, job).ok().map(|mut all| all.remove(0))
            };
            let (Some(found), Some(shown)) = (run(None), run(Some(budget))) else { continue };
            if found.verdict != Verdict::Violated {
                continue;
            }
            let steps = |trail: &Option<stubborn_check::Trail>| trail.as_ref().map(|trail| trail.steps.len());
            let (found, shown) = (steps(&found.trail), steps(&shown.trail));
            let known = least.and_then(|least| least[i]);
            if known.is_some() && shown != known {
                problems.push(format!("{name}, {}: {shown:?} steps are shown, of {known:?}", property.name));
            }
            let number = |n: Option<usize>| n.map_or("-".to_owned(), |n| n.to_string());
            let seconds = format!("{:.1}", seconds.as_secs_f64());
            let name = name.to_owned();
            grid.add(vec![
                name,
                property.name.to_string(),
                number(found),
                number(shown),
                number(known),
                seconds,
            ]);
        }
    }
    grid
}
