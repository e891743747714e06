//! Models that papers draw, in any size: how many states are visited there.
//!
//! Figures 3 and 4 of Nalumasu and Gopalakrishnan, "An efficient partial order reduction algorithm with an
//! alternative proviso implementation", and figure 4 of Evangelista and Pajault, "Solving the ignoring problem
//! for partial order reduction".

use std::path::Path;

use stubborn_promela::{Loader, load};
use stubborn_reduce::{Plan, Proviso};
use stubborn_search::{End, Ignore, Limits, Order, search};
use stubborn_tests::workspace;

/// The sizes that are looked at.
pub(crate) const SIZES: std::ops::RangeInclusive<u32> = 4..=8;

/// A model and a way to search it.
#[derive(Debug)]
pub(crate) struct Figure {
    /// Its file, among the models shipped with the project.
    pub(crate) model: &'static str,
    pub(crate) reduction: &'static str,
    pub(crate) proviso: Proviso,
    /// How many states the paper says, in words and as a function.
    pub(crate) formula: &'static str,
    pub(crate) expected: fn(u32) -> u64,
}

impl Figure {
    const fn new(
        model: &'static str,
        reduction: &'static str,
        formula: &'static str,
        expected: fn(u32) -> u64,
    ) -> Figure {
        Figure { model, reduction, proviso: Proviso::None, formula, expected }
    }

    const fn with(self, proviso: Proviso) -> Figure {
        Figure { proviso, ..self }
    }

    /// How many states are visited with so many processes.
    pub(crate) fn count(&self, n: u32) -> Result<u64, String> {
        let path = workspace::model(self.model);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let defines = [("N".to_owned(), n.to_string())];
        let model = load(&path, text.into(), &Alone, &defines).model.ok_or("it is no model")?;
        let plan = Plan::new(self.reduction.parse().map_err(|name| format!("{name}"))?, self.proviso);
        let (exploration, end) =
            search(&model, Order::DepthFirst, &plan, &Limits::memory(1 << 30), &mut Ignore)
                .map_err(|kind| kind.to_string())?;
        match end {
            End::Exhausted => Ok(exploration.counts().states),
            end => Err(format!("{end:?}")),
        }
    }
}

fn all(n: u32) -> u64 {
    3u64.pow(n)
}

/// Ways to seat philosophers so that no two neighbours eat: the Lucas numbers.
fn seatings(n: u32) -> u64 {
    (1..n).fold((2, 1), |(a, b), _| (b, a + b)).1
}

/// What the papers say about the models they draw.
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new("figures/best.pml", "none", "3^n", all),
    Figure::new("figures/best.pml", "two-phase:dfs2", "2n+1", |n| 2 * u64::from(n) + 1),
    Figure::new("figures/best.pml", "two-phase:dfs3", "2n+1", |n| 2 * u64::from(n) + 1),
    Figure::new("figures/worst.pml", "none", "3^n", all),
    Figure::new("figures/worst.pml", "stubborn:beam", "2^(n+1)-1", |n| (1 << (n + 1)) - 1),
    Figure::new("figures/worst.pml", "stubborn:deletion", "2^(n+1)-1", |n| (1 << (n + 1)) - 1),
    Figure::new("figures/worst.pml", "two-phase:dfs2", "3^n", all),
    Figure::new("figures/worst.pml", "two-phase:dfs3", "3^n", all),
    Figure::new("figures/philosophers.pml", "none", "Lucas(n)", seatings),
    Figure::new("figures/philosophers.pml", "stubborn:beam", "n+1", |n| u64::from(n) + 1)
        .with(Proviso::Colour),
];

/// The models include nothing.
struct Alone;

impl Loader for Alone {
    fn load(&self, _: &Path, _: &str) -> Option<(std::path::PathBuf, std::sync::Arc<str>)> {
        None
    }
}
