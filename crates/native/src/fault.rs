//! Planted faults, to see that the tests find them.

/// Something compiled wrongly on purpose. Never set but by tests of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A byte keeps seven bits.
    WrapByte,
    /// A transition is not kept from being taken by those that come first.
    Inhibitors,
    /// A rendezvous hands the last field over as 0.
    LastField,
}
