//! Declarations: types, and where variables and channels lie.
//!
//! A [`Frame`] lays out the globals, or the locals of one process type. Every
//! declared variable has bytes of its own, whatever its scope, so that two states
//! differ iff some variable of a live process does.

use smol_str::{SmolStr, format_smolstr};
use stubborn_base::{Diagnostic, Span};
use stubborn_ir::{Channel, Region, Slot, SlotType, Variable};

use super::names::{Field, GLOBAL, Here, Meaning, Names, ScopeId, Struct, SymbolId, Type, Var};
use crate::ast::{
    self, BinaryOp, ChanInit, Declarator, Expr, ExprKind, Ident, Init, TypeKind, TypeName, UnaryOp, VarDecl,
    VarRef, Visibility,
};
use crate::fixes::insert_after;

/// No declaration may make the state vector longer than this, in bytes.
pub(crate) const MAX_VECTOR: u32 = 1 << 20;

/// Structures that may be inside of each other.
const MAX_STRUCTS: u32 = 100;

/// The layout of the globals or of a process type.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) region: Region,
    /// Bytes so far.
    pub(crate) size: u32,
    /// Named scalars so far.
    pub(crate) variables: Vec<Variable>,
    pub(crate) channels: Vec<Channel>,
    /// Variables that start with their initial values, in order.
    pub(crate) initial: Vec<(SymbolId, &'a Declarator, Here)>,
    /// Channels in `xr` and `xs`.
    pub(crate) exclusives: Vec<(&'a VarRef, Here)>,
}

impl Frame<'_> {
    /// A frame whose first `size` bytes are taken.
    pub(crate) fn new(region: Region, size: u32) -> Self {
        let (variables, channels, initial, exclusives) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Frame { region, size, variables, channels, initial, exclusives }
    }

    /// Declares a variable and gives it its bytes.
    pub(crate) fn declare(
        &mut self,
        names: &mut Names,
        scope: ScopeId,
        decl: &VarDecl,
        declarator: &Declarator,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> SymbolId {
        let hidden = decl.visibility == Some(Visibility::Hidden);
        let name = &declarator.name;
        let Some((ty, array)) = declared_type(names, scope, decl, declarator, diagnostics) else {
            if let Some(init) = channel_init(declarator.init.as_deref()) {
                // What is wrong with it has been said; its messages are what they are.
                channel_type(names, init, &mut Vec::new());
            }
            return names.declare(scope, name, Meaning::Broken, hidden, diagnostics);
        };
        if matches!(&ty, Type::Struct(id) if names.structs[*id].is_broken) {
            return names.declare(scope, name, Meaning::Broken, hidden, diagnostics);
        }
        let size = u64::from(names.size(&ty)) * u64::from(array.unwrap_or(1));
        if !names.has_room(size, declarator, diagnostics) {
            return names.declare(scope, name, Meaning::Broken, hidden, diagnostics);
        }
        let var = Var { ty, array, region: self.region, offset: self.size };
        self.size += names.var_size(&var);
        self.name_scalars(names, &name.name, &var, var.offset);
        let init = channel_init(declarator.init.as_deref());
        let n_channels = self.channels.len();
        self.create_channels(names, &name.name, &var, var.offset, init, diagnostics);
        let contents: u64 = self.channels[n_channels..].iter().map(|channel| u64::from(channel.size())).sum();
        if !names.has_room(contents, declarator, diagnostics) {
            self.channels.truncate(n_channels);
        }
        let symbol = names.declare(scope, name, Meaning::Var(var), hidden, diagnostics);
        if let Some(&Init::Expr(Expr { kind: ExprKind::Const(value), .. })) = declarator.init.as_deref() {
            names.set_initial(symbol, value);
        }
        symbol
    }

    /// Declares a variable that the model does not name.
    pub(crate) fn declare_counter(
        &mut self,
        names: &mut Names,
        scope: ScopeId,
        name: &Ident,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let ty = Type::Scalar(SlotType::Byte);
        let var = Var { ty, array: None, region: self.region, offset: self.size };
        self.size += names.var_size(&var);
        names.declare(scope, name, Meaning::Var(var), false, diagnostics);
    }

    /// Places the contents of channels behind the variables. Nothing is declared afterwards.
    pub(crate) fn place_channels(&mut self) {
        for channel in &mut self.channels {
            channel.offset = self.size;
            self.size += channel.size();
        }
    }

    fn name_scalars(&mut self, names: &Names, name: &str, var: &Var, offset: u32) {
        let size = names.size(&var.ty);
        for i in 0..var.array.unwrap_or(1) {
            let (name, offset) = (element_name(name, var, i), offset + i * size);
            match &var.stored() {
                Type::Scalar(ty) => {
                    self.variables.push(Variable { name, ty: ty.clone(), slot: Slot::new(offset, ty) });
                }
                Type::Struct(id) => {
                    for field in &names.structs[*id].fields {
                        let name = format!("{name}.{}", field.name);
                        self.name_scalars(names, &name, &field.var, offset + field.var.offset);
                    }
                }
            }
        }
    }

    fn create_channels(
        &mut self,
        names: &mut Names,
        name: &str,
        var: &Var,
        offset: u32,
        init: Option<&ChanInit>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let size = names.size(&var.ty);
        for i in 0..var.array.unwrap_or(1) {
            let (name, offset) = (element_name(name, var, i), offset + i * size);
            match &var.ty {
                Type::Scalar(SlotType::Chan) => {
                    if let Some(init) = init
                        && let Some((capacity, fields)) = channel_type(names, init, diagnostics)
                    {
                        let variable = Slot::new(offset, &SlotType::Chan);
                        self.channels.push(Channel { name, variable, capacity, fields, offset: 0 });
                    }
                }
                Type::Scalar(_) => {}
                Type::Struct(id) => {
                    for field in names.structs[*id].fields.clone() {
                        let init = channel_init(field.init.as_ref());
                        let name = format!("{name}.{}", field.name);
                        let at = offset + field.var.offset;
                        self.create_channels(names, &name, &field.var, at, init, diagnostics);
                    }
                }
            }
        }
    }
}

fn element_name(name: &str, var: &Var, i: u32) -> SmolStr {
    match var.array {
        Some(_) => format_smolstr!("{name}[{i}]"),
        None => name.into(),
    }
}

fn channel_init(init: Option<&Init>) -> Option<&ChanInit> {
    match init {
        Some(Init::Chan(init)) => Some(init),
        _ => None,
    }
}

/// Declares a `typedef`.
pub(crate) fn declare_struct(names: &mut Names, typedef: &ast::Typedef, diagnostics: &mut Vec<Diagnostic>) {
    if names.find_struct(&typedef.name.name).is_some() {
        let message = format!("type `{}` is defined twice", typedef.name.name);
        diagnostics.push(Diagnostic::error("redeclared", typedef.name.span, message));
        return;
    }
    let mut fields: Vec<Field> = Vec::new();
    let (mut size, mut depth, mut is_broken) = (0u32, 0, false);
    for decl in &typedef.fields {
        for declarator in &decl.vars {
            let Some((ty, array)) = declared_type(names, GLOBAL, decl, declarator, diagnostics) else {
                continue;
            };
            if fields.iter().any(|f| f.name == declarator.name.name) {
                let message =
                    format!("field `{}` stands twice in `{}`", declarator.name.name, typedef.name.name);
                diagnostics.push(Diagnostic::error("redeclared", declarator.name.span, message));
            }
            let bytes = u64::from(names.size(&ty)) * u64::from(array.unwrap_or(1));
            if bytes + u64::from(size) > u64::from(MAX_VECTOR) {
                let message = format!("`{}` makes a state longer than 1 MiB", declarator.name.name);
                diagnostics.push(Diagnostic::error("state-too-large", declarator.span, message));
                is_broken = true;
                continue;
            }
            if let Type::Struct(id) = &ty {
                let inner = &names.structs[*id];
                is_broken |= inner.is_broken;
                depth = depth.max(inner.depth + 1);
                if depth == MAX_STRUCTS && !inner.is_broken {
                    let message = format!("structures are nested more than {MAX_STRUCTS} deep");
                    diagnostics.push(Diagnostic::error("nested-too-deeply", declarator.span, message));
                    is_broken = true;
                }
                if is_broken {
                    continue;
                }
            }
            let var = Var { ty, array, region: Region::Global, offset: size };
            size += bytes as u32;
            fields.push(Field {
                name: declarator.name.name.clone(),
                var,
                init: declarator.init.as_deref().cloned(),
            });
        }
    }
    names.add_struct(Struct { name: typedef.name.name.clone(), fields, size, depth, is_broken });
}

/// Declares the constants of an `mtype`. As in SPIN, the last one has the lowest number.
pub(crate) fn declare_mtype(names: &mut Names, decl: &ast::MtypeDecl, diagnostics: &mut Vec<Diagnostic>) {
    let subtype = names.mtype(decl.subtype.as_ref().map(|s| s.name.as_str()));
    for name in decl.names.iter().rev() {
        let constants = &mut names.mtypes[subtype].1;
        constants.push(name.name.clone());
        let value = constants.len() as i32;
        if value > 255 {
            let message = "more than 255 names in an mtype";
            diagnostics.push(Diagnostic::error("mtype-too-large", name.span, message));
        }
        names.declare(GLOBAL, name, Meaning::Constant(value, subtype), false, diagnostics);
    }
}

/// The type of a declared variable and, for an array, its number of elements.
fn declared_type(
    names: &mut Names,
    scope: ScopeId,
    decl: &VarDecl,
    declarator: &Declarator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Type, Option<u32>)> {
    let name = &declarator.name.name;
    let mut ty = resolve_type(names, &decl.ty, diagnostics)?;
    match (&mut ty, &declarator.width) {
        (Type::Scalar(SlotType::Unsigned(bits)), Some(width)) => {
            let value = constant(names, names.here(scope), width, diagnostics)?;
            if !(1..=31).contains(&value) {
                let message = format!("`{name}` has {value} bits, an unsigned has 1 to 31");
                diagnostics.push(Diagnostic::error("bad-width", width.span, message));
                return None;
            }
            *bits = value as u8;
        }
        (Type::Scalar(SlotType::Unsigned(_)), None) => {
            let message = format!("unsigned `{name}` needs a width");
            let help = format!("write `unsigned {name} : 4`");
            let diagnostic = Diagnostic::error("missing-width", declarator.span, message).help(help);
            diagnostics.push(diagnostic.fix("Insert ` : 4`", insert_after(declarator.name.span, " : 4")));
            return None;
        }
        (_, Some(width)) => {
            let message = format!("only an unsigned has a width, `{name}` is none");
            diagnostics.push(Diagnostic::error("bad-width", width.span, message));
        }
        (_, None) => {}
    }
    let array = match &declarator.array {
        Some(bound) => Some(array_bound(names, scope, bound, diagnostics)?),
        None => None,
    };
    if let Some(Init::Chan(init)) = declarator.init.as_deref()
        && ty != Type::Scalar(SlotType::Chan)
    {
        let message = format!("`{name}` is not a chan");
        diagnostics.push(Diagnostic::error("not-a-channel", init.span, message));
        return None;
    }
    Some((ty, array))
}

fn array_bound(
    names: &Names,
    scope: ScopeId,
    bound: &Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<u32> {
    let value = match initial_value(names, names.here(scope), bound) {
        Some(value) => {
            let value = if value > 0 { value } else { 8 };
            let message = format!("a variable as an array's size is taken for its initial value, {value}");
            let help = "use a #define";
            diagnostics.push(Diagnostic::warning("variable-array-size", bound.span, message).help(help));
            value
        }
        None => constant(names, names.here(scope), bound, diagnostics)?,
    };
    if value <= 0 {
        let message = format!("an array of {value} elements");
        let help = "an array has at least one element";
        diagnostics.push(Diagnostic::error("bad-array-size", bound.span, message).help(help));
        return None;
    }
    Some(value as u32)
}

/// The capacity of a channel and the types of a message's fields, structures taken apart.
fn channel_type(
    names: &mut Names,
    init: &ChanInit,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(u16, Vec<SlotType>)> {
    let mut fields = Vec::new();
    for field in &init.fields {
        let Some(ty) = resolve_type(names, field, diagnostics) else {
            names.note_message(usize::MAX);
            return None;
        };
        let first = fields.len();
        names.flatten(&ty, &mut fields);
        if fields[first..].iter().any(|f| matches!(f, SlotType::Unsigned(_))) {
            let message = "an unsigned cannot be a field of a message";
            let help = "use byte, short or int";
            diagnostics.push(Diagnostic::error("bad-message-type", field.span, message).help(help));
            return None;
        }
    }
    // SPIN's verifier keeps a bit that is all of a message in a byte, and does not truncate it.
    if fields == [SlotType::Bit] {
        fields = vec![SlotType::Byte];
    }
    names.note_message(fields.len());
    let capacity = constant(names, names.here(GLOBAL), &init.capacity, diagnostics)?;
    let bytes: u32 = fields.iter().map(SlotType::size).sum();
    match u16::try_from(capacity) {
        Ok(capacity) if u32::from(capacity).saturating_mul(bytes) <= MAX_VECTOR => Some((capacity, fields)),
        _ => {
            let message = format!("a channel cannot hold {capacity} messages");
            diagnostics.push(Diagnostic::error("bad-capacity", init.capacity.span, message));
            None
        }
    }
}

fn resolve_type(names: &mut Names, ty: &TypeName, diagnostics: &mut Vec<Diagnostic>) -> Option<Type> {
    Some(Type::Scalar(match &ty.kind {
        TypeKind::Bit | TypeKind::Bool => SlotType::Bit,
        TypeKind::Byte => SlotType::Byte,
        TypeKind::Pid => SlotType::Pid,
        TypeKind::Short => SlotType::Short,
        TypeKind::Int => SlotType::Int,
        TypeKind::Unsigned => SlotType::Unsigned(0),
        TypeKind::Mtype(subtype) => {
            SlotType::Symbol(names.mtype(subtype.as_ref().map(|s| s.name.as_str())) as u16)
        }
        TypeKind::Chan => SlotType::Chan,
        TypeKind::User(name) => match names.find_struct(name) {
            Some(id) => return Some(Type::Struct(id)),
            None => {
                if !names.is_lost(name) {
                    let message = format!("no type `{name}`");
                    diagnostics.push(Diagnostic::error("undeclared-type", ty.span, message));
                }
                return None;
            }
        },
    }))
}

/// The initial value of the variable an expression names, where SPIN takes that for a constant.
pub(crate) fn initial_value(names: &Names, here: Here, expr: &Expr) -> Option<i32> {
    let ExprKind::Var(var) = &expr.kind else { return None };
    let symbol = names.symbol(names.lookup(here, &var.name.name)?);
    matches!(symbol.meaning, Meaning::Var(_)).then(|| symbol.initial.unwrap_or(0))
}

/// The value of an expression that must be known before the model runs.
pub(crate) fn constant(
    names: &Names,
    here: Here,
    expr: &Expr,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<i32> {
    let fail = |diagnostics: &mut Vec<Diagnostic>, span: Span, message: String| {
        diagnostics.push(Diagnostic::error("not-constant", span, message));
        None
    };
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, operand) => {
            Some(UnaryOp::Neg.apply(constant(names, here, operand, diagnostics)?))
        }
        ExprKind::Binary(op, left, right) => {
            let l = constant(names, here, left, diagnostics)?;
            let r = constant(names, here, right, diagnostics)?;
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem) {
                return fail(diagnostics, expr.span, "this must be a constant".into());
            }
            op.apply(l, r).or_else(|| fail(diagnostics, expr.span, "division by zero".into()))
        }
        ExprKind::Var(var) => {
            let name = &var.name.name;
            match names.lookup(here, name).map(|s| &names.symbol(s).meaning) {
                Some(Meaning::Constant(value, _)) => Some(*value),
                Some(Meaning::Broken) => None,
                Some(Meaning::Var(_)) => fail(
                    diagnostics,
                    expr.span,
                    format!("this must be a constant, and `{name}` is a variable"),
                ),
                None => {
                    diagnostics.extend(names.undeclared(here, &var.name, true));
                    None
                }
            }
        }
        ExprKind::Error => None,
        _ => fail(diagnostics, expr.span, "this must be a constant".into()),
    }
}
