//! What an audit says, in one line.

use stubborn_check::AuditReport;

/// The first thing wrong, or left out.
pub fn failure(report: &AuditReport) -> Option<String> {
    if let Some(why) = &report.incomplete {
        return Some(format!("incomplete: {why}"));
    }
    let of_searches = report.audited.iter().flat_map(|audited| {
        let combination = &audited.combination;
        let name = format!(
            "{} with proviso {}, {}, {:?}",
            combination.plan.reduction, combination.plan.proviso, combination.order, combination.proposition
        );
        audited.tallies.iter().map(move |tally| (name.clone(), tally))
    });
    let of_declarations = report.declarations.iter().map(|tally| (String::from("declarations"), tally));
    let wrong = of_searches.chain(of_declarations).filter(|(_, tally)| !tally.is_clean());
    wrong.into_iter().next().map(|(name, tally)| {
        let incomplete = tally.incomplete.as_deref().map(|why| format!("incomplete: {why}"));
        let first = tally.violations.first();
        let what = first.map(|violation| format!("{}; in the state: {}", violation.what, violation.state));
        format!("{name}: {}: {}", tally.condition, what.or(incomplete).unwrap_or_default())
    })
}
