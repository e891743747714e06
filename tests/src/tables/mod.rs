//! What the `tables` program is made of.
//!
//! Reading order: [`options`] is the command line; [`paper`] has the published figures and [`subjects`] the
//! models they are about; [`measure`] makes one run and [`study`] all runs on one model, held against each
//! other; [`pan`] asks the SPIN of this machine. [`strong`], [`ample`], [`beem`], [`safety`], [`liveness`] and [`figures`] print, by
//! way of [`grid`].

pub(crate) mod ample;
pub(crate) mod beem;
pub(crate) mod figures;
pub(crate) mod grid;
pub(crate) mod liveness;
pub(crate) mod measure;
pub(crate) mod options;
pub(crate) mod pan;
pub(crate) mod paper;
pub(crate) mod safety;
pub(crate) mod strong;
pub(crate) mod study;
pub(crate) mod subjects;
