//! What the `directed` program is made of.
//!
//! Reading order: [`paper`] has the published figures and [`subjects`] the models they are about; [`measure`] makes
//! one search; [`safety`], [`reduction`] and [`runs`] print tables, [`best`] and [`corpus`] those that are not in the
//! paper.

pub(crate) mod best;
pub(crate) mod corpus;
pub(crate) mod measure;
pub(crate) mod paper;
pub(crate) mod reduction;
pub(crate) mod runs;
pub(crate) mod safety;
pub(crate) mod subjects;
