//! What every front-end and every surface shares: source files, spans,
//! diagnostics and typed indices. Knows no language and no protocol.

mod alike;
mod diagnostic;
mod file;
mod index;
pub mod outline;
mod reading;
mod source;

pub use alike::{nearest, suggest};
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
pub use file::{LONGEST_TEXT, read_regular, read_text};
pub use index::{Idx, IndexVec};
pub use reading::{BadExpression, Loader};
pub use source::{FileId, Position, SourceFile, Sources, Span};
