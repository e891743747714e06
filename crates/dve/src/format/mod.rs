//! Layout of a text: indentation and the space between tokens.
//!
//! Lines are the author's: none is broken, none is joined. Between two tokens of a line is what [`space`] says. A line
//! is indented by the blocks that it is in; one that goes on with what a line before it began is a level deeper, as
//! the transitions after `trans` are. Two or more empty lines become one. The inside of a comment stays as it is.
//!
//! Invariants: tokens and comments are the same before and after; laying out twice is laying out once.

mod space;

#[cfg(test)]
mod tests;

use stubborn_base::FileId;

use crate::parser::parse;
use crate::token::{Kind, Lexeme, lexemes};
use space::{Context, is_apart};

/// Columns of one level.
const WIDTH: usize = 4;

/// The text laid out as is usual, with all its comments; none if it has errors that stand in the way.
pub fn format(text: &str) -> Option<String> {
    let stands_in_the_way = |code: &str| matches!(code, "syntax" | "open-comment" | "unknown-character");
    if parse(text, FileId(0)).diagnostics.iter().any(|d| stands_in_the_way(d.code)) {
        return None;
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lexemes = lexemes(text);
    let mut layout = Layout::default();
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut end = 0;
    for (at, &lexeme) in lexemes.iter().enumerate() {
        let breaks = text[end..lexeme.start].matches('\n').count();
        end = lexeme.end;
        if at == 0 || breaks > 0 {
            for _ in 0..if at == 0 { 0 } else { breaks.min(2) } {
                out.push_str(newline);
            }
            layout.begin_line(lexeme);
            out.extend(std::iter::repeat_n(' ', layout.indent * WIDTH));
        } else if is_apart(&layout.context, lexemes[at - 1], lexeme) {
            out.push(' ');
        }
        out.push_str(lexeme.text(text).trim_end());
        layout.pass(lexeme);
    }
    if !out.is_empty() {
        out.push_str(newline);
    }
    Some(out)
}

/// A block in braces.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Levels of what is in it.
    indent: usize,
    /// What its present statement begins with, if one is not over.
    statement: Option<Kind>,
}

/// Where in the text one is.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// What is outside of all blocks.
    outside: Block,
    blocks: Vec<Block>,
    /// Levels of the present line.
    indent: usize,
    context: Context,
}

impl Layout {
    fn block(&mut self) -> &mut Block {
        self.blocks.last_mut().unwrap_or(&mut self.outside)
    }

    fn begin_line(&mut self, first: Lexeme) {
        let block = self.block();
        let goes_on = match (first.kind, block.statement) {
            (Kind::RBrace, _) => false,
            (Kind::LBrace, Some(Kind::Process)) => false,
            (_, statement) => statement.is_some(),
        };
        let indent = block.indent + usize::from(goes_on);
        self.indent = if first.kind == Kind::RBrace { indent.saturating_sub(1) } else { indent };
    }

    fn pass(&mut self, lexeme: Lexeme) {
        if lexeme.kind.is_comment() {
            return;
        }
        match lexeme.kind {
            Kind::LBrace => {
                let statement = self.block().statement;
                self.context.open(statement);
                let indent = self.indent + 1;
                self.blocks.push(Block { indent, statement: None });
            }
            Kind::RBrace => {
                self.blocks.pop();
                self.context.close();
                let block = self.block();
                // A process ends with its block; anything else goes on to its `;`.
                if block.statement == Some(Kind::Process) {
                    block.statement = None;
                }
            }
            Kind::Semi => self.block().statement = None,
            kind => {
                self.block().statement.get_or_insert(kind);
            }
        }
        let statement = self.block().statement;
        self.context.pass(lexeme.kind, statement);
    }
}
