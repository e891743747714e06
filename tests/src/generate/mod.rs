//! Random Promela models, small, finite and well-formed, for comparison with SPIN.
//!
//! A seed and a set of features name one model. Whatever the generator writes must be accepted by SPIN
//! and must not run into errors other than failed assertions and invalid end states, since `pan`'s
//! behaviour after those is undefined: indices are constants or taken modulo the length, divisors are
//! positive, channels are initialised, a `d_step` blocks at its first statement only, loops inside
//! `atomic` and `d_step` count to a bound, and processes are created by processes of lower rank only, so
//! that creation ends.

mod channel;
mod choice;
mod creation;
mod declaration;
mod expression;
mod features;
mod formula;
mod group;
mod model;
mod names;
mod never;
mod random;
mod repetition;
mod shrink;
mod simple;
mod stated;
mod statement;
mod tangle;
mod tree;

pub use features::{Feature, Features};
pub use formula::{formula, lasso, usual};
pub use model::generate;
pub use never::never;
pub use random::Random;
pub use shrink::{Budget, shrink};
pub use stated::{Stated, trace, with_labels};
pub use tangle::{tangle, tangle_of_timeouts};
pub use tree::{Node, Sort};

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_seed_means_one_model() {
        for seed in 0..50 {
            let texts = [0, 1].map(|_| generate(seed, Features::ALL).render());
            assert_eq!(texts[0], texts[1]);
        }
    }

    #[test]
    fn a_model_keeps_to_its_features() {
        for seed in 0..200 {
            let model = generate(seed, Features::of(Feature::Goto) | Features::of(Feature::BufferedChannel));
            let text = model.render();
            assert!(
                !text.contains("atomic") && !text.contains("unless") && !text.contains("d_step"),
                "{text}"
            );
        }
    }

    #[test]
    fn features_are_read_as_they_are_written() {
        for &feature in Feature::ALL {
            assert_eq!(Features::parse(feature.name()), Ok(Features::of(feature)));
        }
        assert_eq!(Features::parse("all"), Ok(Features::ALL));
        assert_eq!(Features::parse("-atomic"), Ok(Features::ALL - Features::of(Feature::Atomic)));
        assert!(Features::parse("no-such-feature").is_err());
    }

    #[test]
    fn shrinking_keeps_what_fails_and_drops_the_rest() {
        let seed = (0..)
            .find(|&seed| generate(seed, Features::ALL).render().contains("timeout"))
            .expect("some seed");
        let model = generate(seed, Features::ALL);
        let before = model.size();
        let budget = Budget { attempts: 5000, time: Duration::from_secs(20) };
        let small = shrink(model, budget, |text| text.contains("timeout"));
        assert!(small.render().contains("timeout"));
        assert!(small.size() < before && small.size() < 12, "{}", small.render());
    }
}
