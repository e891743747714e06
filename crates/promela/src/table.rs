//! The token table: names, tokens, and where expanded tokens come from.
//!
//! A token's span is where its characters stand, be that in the body of a
//! macro or of an inline. Its context is the expansion that put it there;
//! [`Tokens::join`] lifts the ends of a node to call sites until they meet.
//!
//! Invariant: an expansion's parent has a smaller number than the expansion,
//! so every chain of call sites ends at [`Ctx::ROOT`].

use hashbrown::HashMap;

use smol_str::SmolStr;
use stubborn_base::Span;

use crate::token::Kind;

/// An interned spelling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

impl Sym {
    /// The empty spelling, of tokens whose kind says it all.
    pub(crate) const NONE: Sym = Sym(0);
}

/// The expansion a token was produced by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ctx(pub u32);

impl Ctx {
    /// Text of a file, not the product of any expansion.
    pub const ROOT: Ctx = Ctx(0);
}

/// Properties of a token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags(u8);

impl Flags {
    /// First on its line, as SPIN sees lines after preprocessing.
    pub(crate) const NEWLINE: Flags = Flags(1);
    /// Preceded by white space.
    pub(crate) const SPACE: Flags = Flags(2);
    /// A macro's name that must not be expanded any more.
    pub(crate) const NO_EXPAND: Flags = Flags(4);
    /// Spelled in the body of an inline.
    pub(crate) const IN_INLINE: Flags = Flags(8);
    /// Not in the text: put there by a repair.
    pub(crate) const IMPLIED: Flags = Flags(16);

    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Properties.
    pub flags: Flags,
    /// Its spelling, if the kind does not tell.
    pub sym: Sym,
    /// Where its characters stand.
    pub span: Span,
    /// The expansion that produced it.
    pub ctx: Ctx,
    /// What it stands for, if it is part of an argument: a parameter in the body of an inline.
    pub param: Option<Ctx>,
}

impl Token {
    /// A token of `kind` that nobody wrote, at the end of this one.
    pub(crate) fn implied(self, kind: Kind) -> Token {
        let span = Span { start: self.span.end, ..self.span };
        Token { kind, flags: Flags::IMPLIED, sym: Sym::NONE, span, ctx: self.ctx, param: self.param }
    }

    pub(crate) fn starts_line(self) -> bool {
        self.flags.has(Flags::NEWLINE)
    }
}

/// What was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A macro.
    Macro,
    /// An inline.
    Inline,
    /// A parameter of an inline, where it stands in the body.
    Param,
}

/// One expansion of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Sym,
    /// The call with its arguments.
    pub call: Span,
    /// The expansion that the call stands in.
    pub parent: Ctx,
    depth: u32,
}

/// Names and expansions; what gives tokens their meaning.
#[derive(Clone, Debug)]
pub struct Tokens {
    names: Vec<SmolStr>,
    by_name: HashMap<SmolStr, Sym>,
    expansions: Vec<Expansion>,
}

impl Default for Tokens {
    fn default() -> Self {
        Tokens {
            names: vec![SmolStr::default()],
            by_name: HashMap::from([(SmolStr::default(), Sym::NONE)]),
            expansions: Vec::new(),
        }
    }
}

impl Tokens {
    /// The number of a spelling.
    pub(crate) fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.by_name.get(text) {
            return sym;
        }
        let sym = Sym(self.names.len() as u32);
        let text = SmolStr::new(text);
        self.names.push(text.clone());
        self.by_name.insert(text, sym);
        sym
    }

    /// How many spellings there are.
    pub(crate) fn n_names(&self) -> usize {
        self.names.len()
    }

    /// A spelling.
    pub fn name(&self, sym: Sym) -> &SmolStr {
        &self.names[sym.0 as usize]
    }

    /// A token's spelling.
    pub fn text(&self, token: Token) -> &str {
        token.kind.text().unwrap_or_else(|| self.name(token.sym))
    }

    /// The expansion behind a context; none for [`Ctx::ROOT`].
    pub fn expansion(&self, ctx: Ctx) -> Option<&Expansion> {
        self.expansions.get((ctx.0 as usize).checked_sub(1)?)
    }

    /// All expansions, in the order they were made.
    pub fn expansions(&self) -> &[Expansion] {
        &self.expansions
    }

    /// How many expansions a context is inside.
    pub(crate) fn depth(&self, ctx: Ctx) -> u32 {
        self.expansion(ctx).map_or(0, |e| e.depth)
    }

    pub(crate) fn add_expansion(&mut self, kind: ExpansionKind, name: Sym, call: Span, parent: Ctx) -> Ctx {
        let depth = self.depth(parent) + 1;
        self.expansions.push(Expansion { kind, name, call, parent, depth });
        Ctx(self.expansions.len() as u32)
    }

    /// The place of what begins with `lo` and ends with `hi`, and the context of that place.
    pub(crate) fn join(&self, lo: Token, hi: Token) -> (Span, Ctx) {
        self.join_places((lo.span, lo.ctx), (hi.span, hi.ctx))
    }

    fn join_places(&self, mut a: (Span, Ctx), mut b: (Span, Ctx)) -> (Span, Ctx) {
        while a.1 != b.1 {
            let deeper = if self.depth(a.1) >= self.depth(b.1) { &mut a } else { &mut b };
            // A context other than the root has an expansion, and the roots are equal.
            let Some(expansion) = self.expansion(deeper.1) else { break };
            *deeper = (expansion.call, expansion.parent);
        }
        (a.0.join(b.0), a.1)
    }

    /// The place of a statement: what a macro stands for is where the macro is used,
    /// what an inline stands for is in the inline, where its steps can be told apart.
    ///
    /// An argument stands where the parameter does, unless it is all of the statement and written in one place.
    pub(crate) fn join_statement(&self, lo: Token, hi: Token) -> Span {
        let place = |token: Token| (token.span, token.param.unwrap_or(token.ctx));
        let (mut span, mut ctx) = self.join_places(place(lo), place(hi));
        if let Some(expansion) = self.expansion(ctx)
            && expansion.kind == ExpansionKind::Param
        {
            let is_in_one_place = lo.ctx == hi.ctx;
            (span, ctx) =
                if is_in_one_place { self.join(lo, hi) } else { (expansion.call, expansion.parent) };
        }
        while let Some(expansion) = self.expansion(ctx)
            && expansion.kind == ExpansionKind::Macro
        {
            (span, ctx) = (expansion.call, expansion.parent);
        }
        span
    }

    /// The outermost call that a token comes from, if it comes from one.
    pub(crate) fn outermost_call(&self, token: Token) -> Option<&Expansion> {
        let mut expansion = self.expansion(token.ctx)?;
        while let Some(parent) = self.expansion(expansion.parent) {
            expansion = parent;
        }
        Some(expansion)
    }
}
