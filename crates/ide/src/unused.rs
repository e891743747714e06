//! What is declared and not used: told from names alone, without a search.

use stubborn_base::outline::{Role, Symbol, SymbolKind};

use crate::analysis::Analysis;
use crate::problems::{Problem, problem};

/// Labels that mean something to a checker even if nobody jumps to them.
const MEANINGFUL: [&str; 3] = ["end", "accept", "progress"];

/// Variables, labels, channels and the like that nobody needs. Names that begin with `_` are meant so.
pub fn unused(analysis: &Analysis) -> Vec<Problem> {
    let symbols = &analysis.outline.symbols;
    let mut uses = vec![Uses::default(); symbols.len()];
    for mention in analysis.outline.mentions.iter().chain(&analysis.outline.shared) {
        uses[mention.symbol].add(mention.role);
    }
    let told = symbols.iter().zip(&uses).filter(|(symbol, _)| !symbol.name.starts_with('_'));
    told.filter_map(|(symbol, uses)| tell(symbol, *uses)).collect()
}

/// How a symbol is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    any: bool,
    sends: bool,
    receives: bool,
    /// Anything that may send or receive.
    escapes: bool,
    reads: bool,
}

impl Uses {
    fn add(&mut self, role: Role) {
        match role {
            Role::Declaration => return,
            Role::Send => self.sends = true,
            Role::Receive => self.receives = true,
            Role::Read | Role::ReadWrite => (self.reads, self.escapes) = (true, true),
            Role::Write => {}
            Role::Jump | Role::Call | Role::Use => self.escapes = true,
        }
        self.any = true;
    }
}

fn tell(symbol: &Symbol, uses: Uses) -> Option<Problem> {
    let name = &symbol.name;
    let (code, message) = match symbol.kind {
        SymbolKind::Variable if !uses.any => ("unused-variable", format!("`{name}` is never used")),
        SymbolKind::Variable if !uses.reads && !uses.escapes && !uses.receives => {
            ("never-read", format!("`{name}` is set, but never read"))
        }
        SymbolKind::Channel if !uses.any => ("unused-channel", format!("`{name}` is never used")),
        SymbolKind::Channel if uses.sends && !uses.receives && !uses.escapes => {
            ("channel-never-read", format!("messages are sent to `{name}`, but never received"))
        }
        SymbolKind::Channel if uses.receives && !uses.sends && !uses.escapes => {
            ("channel-never-written", format!("messages are received from `{name}`, but never sent"))
        }
        SymbolKind::Label if !uses.any && !MEANINGFUL.iter().any(|prefix| name.starts_with(prefix)) => {
            ("unused-label", format!("nobody jumps to `{name}` or looks at it"))
        }
        SymbolKind::Inline if !uses.any => ("unused-inline", format!("`{name}` is never called")),
        _ => return None,
    };
    let is_unnecessary = !matches!(code, "channel-never-read" | "channel-never-written");
    Some(Problem { is_unnecessary, ..problem(symbol.name_span, code, message) })
}
