//! Models that papers draw: exactly as many states as they say, for four to eight processes.

#[path = "../src/tables/figures.rs"]
mod drawn;

use drawn::{FIGURES, SIZES};

#[test]
fn as_many_states_as_the_papers_say() {
    let mut wrong = Vec::new();
    for figure in FIGURES {
        for n in SIZES {
            let (found, expected) = (figure.count(n), (figure.expected)(n));
            if found != Ok(expected) {
                wrong.push(format!(
                    "{} {} {}, {n} processes: {found:?} instead of {} = {expected}",
                    figure.model, figure.reduction, figure.proviso, figure.formula
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
