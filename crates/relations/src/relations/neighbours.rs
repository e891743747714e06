//! How many processes have to do with each other: what goes first where all else is equal.

use std::collections::BTreeSet;

use stubborn_ir::InstanceId;

use super::{IncarnationId, LANE, Need, Relations};

/// Of more processes than this, all are taken to have to do with each other: to find out would take too long.
const MOST: usize = 64;

impl Relations<'_> {
    /// How many processes have statements that do not accord with one of this process, or wait for it as a partner;
    /// itself included. A guess is good enough: it decides in which order sets are looked for, never what is one.
    pub fn n_neighbours(&self, id: IncarnationId) -> u32 {
        let inc = &self.incarnations[id];
        *inc.n_neighbours.get_or_init(|| match self.incarnations.len() <= MOST && self.firings.is_none() {
            true => self.neighbours(id).len() as u32,
            false => MOST as u32,
        })
    }

    fn neighbours(&self, id: IncarnationId) -> BTreeSet<InstanceId> {
        let inc = &self.incarnations[id];
        let statements = inc.base..inc.base + inc.statements.len() as u32;
        let rows = statements
            .flat_map(|s| [self.conflicts(s), self.necessary_enabling_set(s, Need::Partner)])
            .flat_map(|row| row.sparse());
        let lanes = rows.flat_map(|&(at, word)| {
            let lanes = (0..64 / LANE).filter(move |lane| word >> (lane * LANE) & ((1 << LANE) - 1) != 0);
            lanes.map(move |lane| at as usize * (64 / LANE) + lane)
        });
        lanes.filter_map(|lane| self.by_lane[lane]).map(|id| self.incarnations[id].instance).collect()
    }
}
