//! What a statement does to one cell of the state, and which of that commutes.
//!
//! A cell is a slot of the state vector, or the contents of a channel as a whole.
//! The rules are criterion 3 below Definition 8 of Laarman et al.: a send and a
//! receive on a channel that is neither full nor empty commute, and so do two
//! increments, which wrap alike in any order, and two writes of one value.

use crate::ranges::Ranges;

/// A slot, by its offset in the state; a buffer, by the offset of its contents; or a
/// rendezvous channel, see [`rendezvous_cell`].
pub type Cell = u32;

/// The cell of a rendezvous channel.
pub fn rendezvous_cell(channel: u16) -> Cell {
    1 << 31 | u32::from(channel)
}

/// Something done to a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// The value is read.
    Read,
    /// It becomes this value.
    Set(i32),
    /// This much is added to it; it wraps.
    Add(i32),
    /// This much is added to a number of tokens, which does not wrap, and there is room for whatever comes.
    Count(i32),
    /// The same where there may be no room: then to add before something is taken fails, and not after.
    CountIfRoom(i32),
    /// It changes somehow.
    Write,
    /// A buffer's contents are looked at.
    Look,
    /// The message that a receive would take is looked at, and there is one.
    Head,
    /// A message is appended; there is room.
    Send,
    /// A message is inserted; there is room.
    SendSorted,
    /// A message is taken; there is one.
    Take,
}

impl Access {
    /// Whether the cell can change.
    pub fn writes(self) -> bool {
        !matches!(self, Access::Read | Access::Look | Access::Head)
    }

    /// Whether two statements that are both possible can do this in either order, with
    /// the same result, and neither prevents the other.
    pub fn commutes(self, other: Access) -> bool {
        match (self, other) {
            (Access::Set(a), Access::Set(b)) => a == b,
            (Access::Add(_), Access::Add(_)) | (Access::Count(_), Access::Count(_)) => true,
            (Access::CountIfRoom(a), Access::CountIfRoom(b)) => (a > 0) == (b > 0),
            (Access::Send, Access::Take | Access::Head) | (Access::Take | Access::Head, Access::Send) => true,
            (a, b) => !a.writes() && !b.writes(),
        }
    }

    /// The same, as one of several things done in a row by somebody else's rules.
    pub(crate) fn coarse(self) -> Access {
        match self {
            Access::Read => Access::Read,
            Access::Look | Access::Head => Access::Look,
            _ => Access::Write,
        }
    }
}

/// A fill level that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// There is a message.
    NotEmpty,
    /// There is room.
    NotFull,
    /// There is none.
    Empty,
    /// There is none.
    Full,
}

/// What a guard asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// That a variable has one of these values.
    Values(Cell, Ranges),
    /// That a buffer has that fill level.
    Level(Cell, Level),
    /// Something about all of these cells; of any channel, if `any_channel`.
    Other {
        /// What it looks at.
        accesses: Vec<(Cell, Access)>,
        /// Some channel that is not known.
        any_channel: bool,
    },
    /// That nothing else can move.
    Timeout,
}

impl Test {
    /// What the test looks at.
    pub fn accesses(&self) -> impl Iterator<Item = (Cell, Access)> + '_ {
        let (one, several) = match self {
            Test::Values(cell, _) => (Some((*cell, Access::Read)), &[][..]),
            Test::Level(cell, _) => (Some((*cell, Access::Look)), &[][..]),
            Test::Other { accesses, .. } => (None, &**accesses),
            Test::Timeout => (None, &[][..]),
        };
        one.into_iter().chain(several.iter().copied())
    }

    /// Whether what is done to `cell` keeps the test true where both are possible.
    pub fn survives(&self, cell: Cell, access: Access) -> bool {
        match self {
            Test::Values(own, ranges) if *own == cell => match access {
                Access::Set(value) => ranges.contains(value),
                Access::Count(by) | Access::CountIfRoom(by) => ranges.has_all_beyond(by),
                _ => !access.writes(),
            },
            Test::Level(own, level) if *own == cell => match (level, access) {
                // A full buffer has no room for a send, an empty one nothing to take.
                (Level::NotEmpty | Level::Full, Access::Send | Access::SendSorted) => true,
                (Level::NotFull | Level::Empty, Access::Take) => true,
                _ => !access.writes(),
            },
            Test::Other { accesses, .. } => {
                accesses.iter().all(|&(own, look)| own != cell || look.commutes(access))
            }
            _ => true,
        }
    }

    /// Whether what is done to `cell` can make the test true.
    pub fn enabled_by(&self, cell: Cell, access: Access) -> bool {
        match self {
            Test::Values(own, ranges) => {
                *own == cell
                    && match access {
                        Access::Set(value) => ranges.contains(value),
                        // What is not in a set that has all beyond does not come into it by going away from there.
                        Access::Count(by) | Access::CountIfRoom(by) => {
                            by.checked_neg().is_none_or(|back| !ranges.has_all_beyond(back))
                        }
                        _ => access.writes(),
                    }
            }
            Test::Level(own, level) => {
                *own == cell
                    && match (level, access) {
                        (Level::NotEmpty | Level::Full, Access::Take) => false,
                        (Level::NotFull | Level::Empty, Access::Send | Access::SendSorted) => false,
                        _ => access.writes(),
                    }
            }
            Test::Other { accesses, .. } => accesses.iter().any(|&(own, _)| own == cell && access.writes()),
            Test::Timeout => false,
        }
    }

    /// Whether after that is done to `cell` the test is false for certain.
    pub fn disabled_by(&self, cell: Cell, access: Access) -> bool {
        match (self, access) {
            (Test::Values(own, ranges), Access::Set(value)) => *own == cell && !ranges.contains(value),
            (Test::Level(own, Level::Empty), Access::Send | Access::SendSorted) => *own == cell,
            (Test::Level(own, Level::Full), Access::Take) => *own == cell,
            _ => false,
        }
    }

    /// Whether the two are never true together.
    pub fn excludes(&self, other: &Test) -> bool {
        match (self, other) {
            (Test::Values(a, values), Test::Values(b, others)) => a == b && values.is_disjoint(others),
            (Test::Level(a, level), Test::Level(b, other)) => {
                a == b
                    && matches!(
                        (level, other),
                        (Level::Empty, Level::NotEmpty | Level::Full)
                            | (Level::NotEmpty | Level::Full, Level::Empty)
                            | (Level::NotFull, Level::Full)
                            | (Level::Full, Level::NotFull)
                    )
            }
            _ => false,
        }
    }

    /// Whether the test is false wherever that can be done to `cell`.
    pub fn excludes_access(&self, cell: Cell, access: Access) -> bool {
        match (self, access) {
            (Test::Level(own, Level::Empty), Access::Take | Access::Head) => *own == cell,
            (Test::Level(own, Level::Full), Access::Send | Access::SendSorted) => *own == cell,
            _ => false,
        }
    }
}
