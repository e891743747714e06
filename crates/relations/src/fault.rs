//! Planted faults, to see that the tests find them.

/// Something left out on purpose. Never set but by tests of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// One statement of every necessary enabling set.
    DropEnabling,
    /// One statement of what takes away the token that is in the way of another.
    DropLeaving,
    /// One conflict of every statement.
    DropConflict,
    /// The cycle proviso.
    DropProviso,
    /// Condition V.
    DropVisibility,
    /// That a firing which only puts tokens changes how many there are.
    SumsWithoutPut,
    /// That a trap has to be marked to keep a siphon from running dry.
    UnmarkedTraps,
    /// That what lowers a sum may bring it below a number.
    UpSetsWithoutTaken,
    /// Condition I.
    DropInvisibility,
    /// A safety proviso where one for liveness was asked for.
    SafetyForLiveness,
    /// Lines 14 to 19 of figure 7 of Evangelista and Pajault.
    SkipRecolouring,
    /// What a red state still leads to once the states that it led to were left.
    ForgetReach,
    /// What the siblings of `else` read.
    ElseReads,
    /// That `timeout` reads everything.
    TimeoutReads,
    /// What the escapes of `unless` read.
    UnlessReads,
    /// That a sum that does not fit is an error.
    EndlessRoom,
    /// To keep sleep sets with states.
    ForgetSleepSets,
    /// That a search inside a search takes the steps that the outer one took.
    InnerSets,
    /// That all nodes of a product with the same state of the model take the same steps.
    SetsPerNode,
    /// What a choice of steps rests on besides who is where and what is enabled.
    ForgetAnswers,
    /// That an arc to an elder closes a cycle, which changes no verdict: it has to be found in the end.
    ForgetElders,
    /// That weak stubborn sets preserve deadlocks only.
    WeakForLtl,
}
