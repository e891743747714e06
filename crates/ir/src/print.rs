//! What processes show. It is put together only if somebody asked for it; what it is made of is computed in
//! any case, for that may fail.

use smol_str::SmolStr;

use crate::eval::Eval;
use crate::event::Printed;
use crate::execute::Executor;
use crate::layout::InstanceId;
use crate::model::{Model, Notation, Piece};

impl Executor<'_, '_> {
    pub(crate) fn print(&mut self, process: InstanceId, pieces: &[Piece]) -> Eval<()> {
        let mut text = String::new();
        for piece in pieces {
            let value = piece.value().map(|expr| self.view(process).eval(expr)).transpose()?;
            if self.recorder.printed.is_some() {
                self.model.show(piece, value.unwrap_or_default(), &mut text);
            }
        }
        let pid = self.layout.instance(process).pid;
        if let Some(printed) = &mut self.recorder.printed {
            printed.push(Printed { pid, text });
        }
        Ok(())
    }
}

impl Model {
    /// Appends a piece of what is shown, whose value is known.
    fn show(&self, piece: &Piece, value: i32, text: &mut String) {
        let Piece::Value(_, notation) = piece else {
            if let Piece::Text(as_it_is) = piece {
                text.push_str(as_it_is);
            }
            return;
        };
        let shown = match notation {
            Notation::Decimal => value.to_string(),
            Notation::Unsigned => (value as u32).to_string(),
            Notation::Hexadecimal => format!("{value:x}"),
            Notation::Octal => format!("{value:o}"),
            Notation::Character => char::from(value as u8).to_string(),
            Notation::Symbol(set) => self.symbol(*set, value).map_or(value.to_string(), SmolStr::to_string),
        };
        text.push_str(&shown);
    }
}
