//! Trails of a hundred thousand steps.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{Choice, Config, Job, Order, Reduction, check, select};
use stubborn_promela::load;
use stubborn_tests::reductions::NoFiles;

/// A way that can be left out, one that cannot, and one that leads to a cycle.
const CASES: [(&str, &str, &str, usize); 3] = [
    (
        "that goes",
        "int n; byte x;
         active proctype Failing() { x = 1; assert(x == 0) }
         active proctype Walker() { do :: n < 50000 -> n++ :: n >= 50000 -> break od }",
        "assertions",
        2,
    ),
    (
        "that stays",
        "int n;
         active proctype Walker() { do :: n < 50000 -> n++ :: n >= 50000 -> assert(false) od }",
        "assertions",
        100_002,
    ),
    (
        "to a cycle",
        "int n; byte x;
         active proctype Turning() { do :: x = 1; x = 0 od }
         active proctype Walker() { do :: n < 50000 -> n++ :: n >= 50000 -> break od }
         ltl stays { <>[] (x == 0) }",
        "stays",
        2,
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |(name, text, property, least)| {
        Trial::test(format!("a hundred thousand steps {name}"), move || shorten(text, property, least))
    };
    CASES.map(trial).into()
}

fn shorten(text: &str, property: &str, least: usize) -> Result<(), Failed> {
    let model = load(Path::new("long.pml"), text.into(), &NoFiles, &[]).model.ok_or("it is no model")?;
    let property = select(&model, &[property.to_owned()]).map_err(|unknown| unknown.to_string())?;
    let config = Config {
        order: Some(Order::DepthFirst),
        reduction: Choice::Named(Reduction::None),
        memory: 1 << 26,
        ..Config::default()
    };
    let length = |shorten| {
        let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
        let config = Config { shorten, ..config.clone() };
        let results = check(&model, &property, &config, job).map_err(|refused| refused.to_string())?;
        results[0].trail.as_ref().map(|trail| trail.steps.len()).ok_or("there is no trail".to_owned())
    };
    let (before, after) = (length(None)?, length(Some(Duration::from_secs(20)))?);
    match before >= 100_000 && after == least {
        true => Ok(()),
        false => Err(format!("{before} steps become {after}, not {least}").into()),
    }
}
