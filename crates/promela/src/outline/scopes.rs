//! Which variables are known at a place.

use hashbrown::HashMap;

use crate::table::Sym;

/// Scopes that are open, and the names in them.
#[derive(Default)]
pub(super) struct Scopes {
    visible: HashMap<Sym, Vec<usize>>,
    open: Vec<Vec<(Sym, usize)>>,
    /// Numbers of the open scopes, and the scope around every scope there was.
    numbers: Vec<usize>,
    parents: Vec<Option<usize>>,
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.parents.push(self.numbers.last().copied());
        self.numbers.push(self.parents.len() - 1);
        self.open.push(Vec::new());
    }

    /// Closes the innermost scope; the symbols declared in it.
    pub(super) fn close(&mut self) -> Vec<usize> {
        self.numbers.pop();
        let names = self.open.pop().unwrap_or_default();
        for (sym, _) in &names {
            if let Some(symbols) = self.visible.get_mut(sym) {
                symbols.pop();
            }
        }
        names.into_iter().map(|(_, symbol)| symbol).collect()
    }

    /// A global if no scope is open.
    pub(super) fn declare(&mut self, sym: Sym, symbol: usize) {
        self.visible.entry(sym).or_default().push(symbol);
        if let Some(scope) = self.open.last_mut() {
            scope.push((sym, symbol));
        }
    }

    pub(super) fn lookup(&self, sym: Sym) -> Option<usize> {
        self.visible.get(&sym)?.last().copied()
    }

    pub(super) fn is_global(&self) -> bool {
        self.open.is_empty()
    }

    /// The number of the innermost scope.
    pub(super) fn number(&self) -> Option<usize> {
        self.numbers.last().copied()
    }

    /// Whether `outer` is `scope` or around it.
    pub(super) fn encloses(&self, outer: usize, scope: Option<usize>) -> bool {
        std::iter::successors(scope, |&s| self.parents[s]).any(|s| s == outer)
    }
}
