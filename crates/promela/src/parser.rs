//! From text to tree: runs the passes over each item in turn.
//!
//! Parsing never fails. What cannot be parsed is reported and left out.

use hashbrown::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Loader, Sources};

use crate::ast::{Item, Program};
use crate::balance::balance;
use crate::convert::convert;
use crate::expand::{Expander, Inline, Parens, outline};
use crate::items::split;
use crate::preprocess::{Include, MacroDef, MacroUse, preprocess};
use crate::recover;
use crate::repair::{Names, classify, separate};
use crate::report::Report;
use crate::table::{Sym, Token, Tokens};
use crate::token::Kind;

/// A parsed model.
pub struct Parsed {
    /// The tree.
    pub program: Program,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Names in declarations that could not be read.
    pub lost: HashSet<SmolStr>,
    /// The tokens that are left after preprocessing, before inlines are expanded.
    pub tokens: Vec<Token>,
    /// Where its items stand among the tokens.
    pub items: Vec<Range<usize>>,
    /// What the tokens and expansions are called.
    pub table: Tokens,
    /// Macros in the order they were defined.
    pub macros: Vec<MacroDef>,
    /// Places where macros are mentioned.
    pub macro_uses: Vec<MacroUse>,
    /// Files that were included, in order.
    pub includes: Vec<Include>,
}

/// Parses the model `text`, which is added to `sources` as `path`, with the
/// files it includes. `defines` are macros defined beforehand.
pub fn parse(
    path: &Path,
    text: Arc<str>,
    sources: &mut Sources,
    loader: &dyn Loader,
    defines: &[(String, String)],
) -> Parsed {
    let mut report = Report::default();
    let mut preprocessed = preprocess(path, text, sources, loader, defines, &mut report);
    let tokens = convert(&mut preprocessed, &mut report);
    let mut table = preprocessed.table;
    let items = split(&tokens, &table, &mut report);

    let mut parser = Parser {
        inline_names: names_after(&tokens, |kind| kind == Kind::Inline),
        all_proctypes: names_after(&tokens, |kind| matches!(kind, Kind::Proctype | Kind::DProctype)),
        names: Names::default(),
        expander: Expander::new(),
        table: &mut table,
        report: &mut report,
    };
    let mut parsed = Vec::with_capacity(items.len());
    for range in &items {
        let tokens = &tokens[range.clone()];
        let n_errors = parser.report.n_errors();
        let item = parser.item(tokens);
        if item.is_none() || parser.report.n_errors() > n_errors {
            parser.lose(tokens, item.is_some());
        }
        parsed.extend(item);
    }
    let (diagnostics, lost) = report.finish();
    Parsed {
        program: Program { items: parsed },
        diagnostics,
        lost,
        tokens,
        items,
        table,
        macros: preprocessed.macros,
        macro_uses: preprocessed.macro_uses,
        includes: preprocessed.includes,
    }
}

/// Names that stand after a keyword.
fn names_after(tokens: &[Token], keyword: impl Fn(Kind) -> bool) -> HashSet<Sym> {
    let pairs = tokens.windows(2).filter(|pair| keyword(pair[0].kind) && pair[1].kind == Kind::Name);
    pairs.map(|pair| pair[1].sym).collect()
}

struct Parser<'a> {
    /// All inlines of the model, also those that are yet to come.
    inline_names: HashSet<Sym>,
    all_proctypes: HashSet<Sym>,
    names: Names,
    expander: Expander,
    table: &'a mut Tokens,
    report: &'a mut Report,
}

impl Parser<'_> {
    fn item(&mut self, tokens: &[Token]) -> Option<Item> {
        match tokens.first()?.kind {
            Kind::Inline => self.inline(tokens),
            Kind::Typedef => {
                let item = self.parse(tokens.to_vec());
                if let Some(name) = tokens.get(1).filter(|t| t.kind == Kind::Name) {
                    self.names.types.insert(name.sym);
                }
                item
            }
            Kind::Proctype | Kind::DProctype | Kind::Active => {
                self.names
                    .proctypes
                    .extend(names_after(tokens, |k| matches!(k, Kind::Proctype | Kind::DProctype)));
                self.expanded(tokens)
            }
            Kind::Ltl | Kind::Never => {
                // A formula is read after everything else, wherever it stands.
                let all = self.all_proctypes.clone();
                let known = std::mem::replace(&mut self.names.proctypes, all);
                let item = self.expanded(tokens);
                self.names.proctypes = known;
                item
            }
            Kind::Init | Kind::Trace | Kind::Notrace => self.expanded(tokens),
            _ => {
                let item = self.parse(tokens.to_vec());
                if let Some(Item::Mtype(mtype)) = &item {
                    self.names.mtypes.extend(mtype.names.iter().map(|name| name.name.clone()));
                }
                item
            }
        }
    }

    /// Notes what an item with errors declares: nobody need complain of it again.
    fn lose(&mut self, tokens: &[Token], is_read: bool) {
        let names = match tokens.iter().position(|t| t.kind.begins_item() && t.kind != Kind::Active) {
            Some(word) if tokens[word].kind != Kind::Typedef => {
                if is_read {
                    return; // the error is in its body
                }
                tokens.get(word + 1..word + 2).unwrap_or_default()
            }
            _ => tokens,
        };
        self.report.lose(names, self.table);
    }

    fn expanded(&mut self, tokens: &[Token]) -> Option<Item> {
        let tokens = self.expander.expand(tokens, self.table, self.report);
        self.parse(tokens)
    }

    fn parse(&mut self, tokens: Vec<Token>) -> Option<Item> {
        let mut tokens = balance(&tokens, self.table, self.report)?;
        classify(&mut tokens, &self.names, self.table);
        recover::parse(separate(&tokens), &self.names, self.table, self.report)
    }

    /// The definition of an inline: its errors are reported here, once.
    fn inline(&mut self, tokens: &[Token]) -> Option<Item> {
        let n_errors = self.report.n_errors();
        let balanced = balance(tokens, self.table, self.report)?;
        let outlined = outline(&balanced, |sym| self.inline_names.contains(&sym), self.table);
        let item = self.parse(outlined);
        let broken = self.report.n_errors() > n_errors;

        let name = *tokens.get(1).filter(|t| t.kind == Kind::Name)?;
        let (args, end) = Parens::new(&balanced).arguments(&balanced, 2)?;
        let body = balanced[end + 1..].to_vec();
        let params = args.into_iter().map(|arg| balanced[arg].first().map_or(Sym::NONE, |t| t.sym)).collect();
        let broken = broken || body.first().is_none_or(|t| t.kind != Kind::LBrace);
        let old = self.expander.define(name.sym, Inline { span: name.span, params, body, broken });
        if let Some(old) = old {
            let message = format!("inline `{}` is defined twice", self.table.text(name));
            let diagnostic = Diagnostic::error("duplicate-inline", name.span, message);
            self.report.push(diagnostic.label(old.span, "first defined here"));
        }
        item
    }
}
