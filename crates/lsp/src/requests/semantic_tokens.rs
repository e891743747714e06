//! `textDocument/semanticTokens/full` and `/range`

use stubborn_base::FileId;
use stubborn_base::outline::{SymbolKind, WordClass};
use stubborn_check::relations::describe::Survey;
use stubborn_ide::Analysis;
use stubborn_ide::tokens::{Modifiers, Token, tokens};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Encoding};
use crate::server::Later;
use crate::state::State;

const TYPES: [lsp::SemanticTokenType; 15] = [
    lsp::SemanticTokenType::KEYWORD,
    lsp::SemanticTokenType::TYPE,
    lsp::SemanticTokenType::NUMBER,
    lsp::SemanticTokenType::STRING,
    lsp::SemanticTokenType::COMMENT,
    lsp::SemanticTokenType::OPERATOR,
    lsp::SemanticTokenType::MACRO,
    lsp::SemanticTokenType::CLASS,
    lsp::SemanticTokenType::VARIABLE,
    lsp::SemanticTokenType::PARAMETER,
    lsp::SemanticTokenType::EVENT,
    lsp::SemanticTokenType::ENUM_MEMBER,
    lsp::SemanticTokenType::STRUCT,
    lsp::SemanticTokenType::PROPERTY,
    lsp::SemanticTokenType::FUNCTION,
];

const MODIFIERS: [lsp::SemanticTokenModifier; 7] = [
    lsp::SemanticTokenModifier::DECLARATION,
    lsp::SemanticTokenModifier::MODIFICATION,
    lsp::SemanticTokenModifier::READONLY,
    lsp::SemanticTokenModifier::DEFAULT_LIBRARY,
    lsp::SemanticTokenModifier::new("shared"),
    lsp::SemanticTokenModifier::new("visible"),
    lsp::SemanticTokenModifier::new("sticky"),
];

pub(crate) fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

pub(crate) fn full(
    state: &State,
    params: &lsp::SemanticTokensParams,
) -> Result<Later<Option<lsp::SemanticTokensResult>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let encoding = state.encoding();
    Ok(State::survey(&root.analysis, move |analysis, survey| {
        Some(lsp::SemanticTokensResult::Tokens(encode(analysis, survey, file, encoding, None)))
    }))
}

pub(crate) fn range(
    state: &State,
    params: &lsp::SemanticTokensRangeParams,
) -> Result<Later<Option<lsp::SemanticTokensRangeResult>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let (encoding, wanted) = (state.encoding(), params.range);
    Ok(State::survey(&root.analysis, move |analysis, survey| {
        let tokens = encode(analysis, survey, file, encoding, Some(wanted));
        Some(lsp::SemanticTokensRangeResult::Tokens(tokens))
    }))
}

/// Each token relative to the one before; one that spans lines, line by line.
fn encode(
    analysis: &Analysis,
    survey: Option<&Survey<'_>>,
    file: FileId,
    encoding: Encoding,
    wanted: Option<lsp::Range>,
) -> lsp::SemanticTokens {
    let source = analysis.sources.file(file);
    let mut data = Vec::new();
    let mut last = lsp::Position::default();
    for token in tokens(analysis, survey, file) {
        let mut start = token.span.start;
        let text = analysis.sources.text(token.span);
        for line in text.split_inclusive('\n') {
            let visible = line.trim_end_matches(['\n', '\r']);
            let at = convert::position(source, start, encoding);
            let end = convert::position(source, start + visible.len() as u32, encoding);
            start += line.len() as u32;
            let is_wanted = wanted.is_none_or(|range| range.start <= end && at <= range.end);
            if !is_wanted || end.character == at.character {
                continue;
            }
            let delta_line = at.line - last.line;
            let delta_start = if delta_line == 0 { at.character - last.character } else { at.character };
            data.push(lsp::SemanticToken {
                delta_line,
                delta_start,
                length: end.character - at.character,
                token_type: token_type(&token),
                token_modifiers_bitset: modifiers(&token),
            });
            last = at;
        }
    }
    lsp::SemanticTokens { result_id: None, data }
}

fn token_type(token: &Token) -> u32 {
    let kind = match (token.class, token.symbol) {
        (WordClass::Keyword, _) => lsp::SemanticTokenType::KEYWORD,
        (WordClass::Type, _) => lsp::SemanticTokenType::TYPE,
        (WordClass::Number, _) => lsp::SemanticTokenType::NUMBER,
        (WordClass::Text, _) => lsp::SemanticTokenType::STRING,
        (WordClass::Comment, _) => lsp::SemanticTokenType::COMMENT,
        (WordClass::Operator, _) => lsp::SemanticTokenType::OPERATOR,
        (WordClass::Directive, _) | (_, Some(SymbolKind::Macro)) => lsp::SemanticTokenType::MACRO,
        (_, Some(SymbolKind::Process)) => lsp::SemanticTokenType::CLASS,
        (_, Some(SymbolKind::Parameter)) => lsp::SemanticTokenType::PARAMETER,
        (_, Some(SymbolKind::Channel)) => lsp::SemanticTokenType::EVENT,
        (_, Some(SymbolKind::Constant)) => lsp::SemanticTokenType::ENUM_MEMBER,
        (_, Some(SymbolKind::Type)) => lsp::SemanticTokenType::STRUCT,
        (_, Some(SymbolKind::Field | SymbolKind::Property | SymbolKind::Label)) => {
            lsp::SemanticTokenType::PROPERTY
        }
        (_, Some(SymbolKind::Inline)) => lsp::SemanticTokenType::FUNCTION,
        (_, Some(SymbolKind::Variable) | None) => lsp::SemanticTokenType::VARIABLE,
    };
    TYPES.iter().position(|known| *known == kind).unwrap_or(0) as u32
}

fn modifiers(token: &Token) -> u32 {
    let Modifiers { declaration, modification, readonly, shared, visible, sticky } = token.modifiers;
    let predefined = token.class == WordClass::Predefined;
    let flags = [declaration, modification, readonly, predefined, shared, visible, sticky];
    flags.iter().enumerate().map(|(i, &flag)| u32::from(flag) << i).sum()
}
