//! The models that are shipped for the sake of their claims: the verdicts in `models/promela/claims`, by
//! components and by nested search, and that SPIN says the same, but for the exceptions.

use libtest_mimic::Trial;
use stubborn_check::{PropertyKind, Verdict, properties};
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::pan::{Answer, Verifier};
use stubborn_tests::spin::Options;
use stubborn_tests::table::{self, Row};
use stubborn_tests::verdicts::subject;
use stubborn_tests::{binary, front_end, workspace};

/// Megabytes for `pan`.
const MEMORY: usize = 200;

/// One trial per model.
pub(crate) fn trials() -> Vec<Trial> {
    let rows = table::read(&workspace::model("claims/expected.tsv")).expect("it is shipped with the models");
    let mut models: Vec<String> = rows.iter().map(|row| table::text(row, "path").to_owned()).collect();
    models.dedup();
    let trial = |model: String| {
        let rows = rows.iter().filter(|row| table::text(row, "path") == model).cloned().collect();
        Trial::test(model.clone(), move || Ok(agree(&model, rows)?))
    };
    models.into_iter().map(trial).collect()
}

fn agree(name: &str, rows: Vec<Row>) -> Result<(), String> {
    let path = workspace::model(name);
    let model = front_end::read(&path).ok_or("it has errors")?;
    let claims: Vec<_> = properties(&model).into_iter().filter(|p| p.claim.is_some()).collect();
    if rows.len() != 2 * claims.len() {
        return Err(format!("{} claims, fair and not, but {} rows", claims.len(), rows.len()));
    }
    let options = Options { depth: 10_000, ..Options::small() };
    let verifier = Verifier::of_file(&path, &options, MEMORY).map_err(|error| error.to_string())?;
    let verifier = verifier.map_err(|outcome| format!("{outcome:?}"))?;
    let exceptions = Exceptions::of("own_claims");
    for row in &rows {
        let (property, expected) = (table::text(row, "property"), table::text(row, "verdict"));
        let is_fair = table::text(row, "fair") == "yes";
        let title = format!("{name} {property}{}", if is_fair { " fair" } else { "" });
        for (cycles, threads) in [("scc", "1"), ("nested", "1"), ("scc", "2"), ("scc", "3")] {
            let fair = is_fair.then_some("--fair");
            let more = ["--cycles", cycles, "--threads", threads];
            let more: Vec<&str> = more.into_iter().chain(fair).collect();
            let ours = binary::check(&path, property, &more)?;
            if ours.verdict.to_string() != expected {
                let told = format!("{title}, {cycles}, {threads} threads");
                return Err(format!("{told}: {} ({}), not {expected}", ours.verdict, ours.reason));
            }
        }
        let kind = claims.iter().find(|claim| claim.name == property).map(|claim| claim.kind);
        let kind: PropertyKind = kind.ok_or_else(|| format!("{title}: there is no such claim"))?;
        let subject = subject(property, kind).ok_or_else(|| format!("{title}: it is not about runs"))?;
        let theirs = verifier.decide(&subject, is_fair).map_err(|error| error.to_string())?;
        let same = match &theirs {
            Answer::Holds => expected == Verdict::Holds.to_string(),
            Answer::Violated(_) => expected == Verdict::Violated.to_string(),
            Answer::Undefined(_) => expected == Verdict::Incomplete.to_string(),
            Answer::Undecided(_) => false,
        };
        let agreement = if same { Ok(()) } else { Err(format!("{title}: {expected}, but pan: {theirs:?}")) };
        exceptions.judge(&title, agreement)?;
    }
    Ok(())
}
