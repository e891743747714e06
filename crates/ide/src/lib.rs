//! What editors show of models, as plain data: no protocol, no JSON, no runtime.
//!
//! A [`Workspace`] owns the open [`Texts`], an [`Analysis`] of each model and the [`Verdicts`] on it; it is told what
//! happens and asked for the rest. Checks run on threads of their own ([`checking`]) and report to whoever started the
//! workspace, who hands the reports back; so does the thread that reads texts ([`reading`]). Every feature is a file: a function of an analysis, or of a root.
//!
//! Invariant: what is told of a text is told of the text as it is now. A verdict is kept only for a model that is the
//! same but for places ([`stubborn_ir::Fingerprint`]), and its trail is moved to the new places.

pub mod actions;
pub mod analysis;
pub mod blocked;
pub mod checking;
pub mod completion;
pub mod debug;
pub mod export;
pub mod hints;
pub mod hover;
mod hover_net;
mod includers;
pub mod lenses;
pub mod names;
pub mod problems;
pub mod ranges;
pub mod reading;
pub mod root;
pub mod settings;
pub mod shift;
pub mod signature;
pub mod surveyor;
pub mod symbols;
pub mod texts;
pub mod together;
pub mod tokens;
pub mod trails;
pub mod unused;
pub mod verdicts;
pub mod workspace;

pub use analysis::Analysis;
pub use checking::{Report, Task};
pub use problems::{Problem, Related};
pub use reading::Reading;
pub use root::Root;
pub use settings::{Settings, When};
pub use texts::Texts;
pub use verdicts::{Status, Verdicts};
pub use workspace::{Notice, Workspace};
