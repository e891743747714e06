//! IDA*: depth-first passes, each with a threshold that lets it go further than the one before.
//!
//! Korf's algorithm, as Edelkamp, Leue and Lluch Lafuente describe it in section 2.4. The threshold of a pass is at
//! least the least sum of a way and what is estimated to be left that the pass before turned back at, and grows by
//! twice as much each time (they mention Wah and Shang for that), so that passes are few. A pass that overshoots
//! goes on below what it finds, so its last way is a shortest one nevertheless. A pass that turned back nowhere has
//! seen every state, so the search ends on cyclic graphs, too.
//!
//! Korf's keeps nothing but the way it is on, and so enters a state on every way there is: interleavings make these
//! exponentially many, and where there is no violation it does not end before it has been on all of them. A verdict
//! that a property holds has to come from a search that ends. So all states are kept, as a table of transpositions
//! (Reinefeld and Marsland) that nothing is ever thrown out of: a state is entered again only on a shorter way, and no
//! more often than there are lengths of ways to it. What is kept is bounded by the limit of memory, where the search
//! ends as incomplete; besides the state itself and its parent it is four numbers.

use std::ops::ControlFlow;

use super::depth::{Depth, Pass};
use crate::exploration::Flow;
use crate::store::StateId;

pub(super) fn run(search: &mut Depth<'_, '_>, initial: StateId) -> Flow {
    let mut next = Some(search.estimate(initial));
    let mut growth = 1u32;
    while let Some(threshold) = next {
        next = search.pass(initial, Pass { reopens: true, threshold, stops: false })?;
        // What is left over the threshold is not better.
        next = next.filter(|&least| least < search.limit());
        if let Some(least) = &mut next {
            search.keep_best();
            *least = threshold.saturating_add(growth).max(*least);
            growth = growth.saturating_mul(2);
        }
    }
    ControlFlow::Continue(())
}
