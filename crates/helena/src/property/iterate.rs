//! Iterators over the tokens that may be in places.

use stubborn_ir::{BinaryOp, Expr};
use stubborn_nets::Value;

use crate::ast::Quantifier;
use crate::code::{Bound, Iterate, Node, Range};
use crate::property::expr::{all, any, binary, conditional, not, positive, sum};
use crate::property::partial::{Frame, Partial, Stop, Writer, number};

/// One of the things an iterator goes over.
struct Case {
    /// When it is there.
    when: Vec<Expr>,
    /// How often, if that is asked.
    amount: Option<Expr>,
    /// What is said of it.
    said: Option<Expr>,
}

impl Writer<'_> {
    pub(super) fn iterate(&mut self, iterate: &Iterate, frame: &mut Frame) -> Result<Expr, Stop> {
        if let Some(expr) = self.count_only(iterate, frame)? {
            return Ok(expr);
        }
        let mut cases = Vec::new();
        self.cases(iterate, &iterate.vars, frame, &mut Vec::new(), None, &mut cases)?;
        write(iterate, cases)
    }

    /// An iterator that counts tokens of one place by a condition that does not depend on the marking.
    fn count_only(&mut self, iterate: &Iterate, frame: &mut Frame) -> Result<Option<Expr>, Stop> {
        let [Bound { local, domain: Range::Place(place) }] = iterate.vars[..] else { return Ok(None) };
        if iterate.body.is_some() {
            return Ok(None);
        }
        let mut wanted = Vec::new();
        for (token, _) in self.marking.tokens(place) {
            frame[local as usize] = Partial::Known(token.clone());
            let holds = match &iterate.condition {
                Some(condition) => self.condition(condition, frame)?,
                None => Expr::Const(1),
            };
            match holds {
                Expr::Const(0) => {}
                Expr::Const(_) => wanted.push(token),
                _ => return Ok(None),
            }
        }
        wanted.sort();
        let mut is_wanted = |token: &Value| wanted.binary_search(token).is_ok();
        Ok(Some(match iterate.quantifier {
            Quantifier::Card => self.distinct(place, &mut is_wanted),
            Quantifier::Mult => self.marking.count(place, &mut is_wanted),
            _ => positive(self.marking.count(place, &mut is_wanted)),
        }))
    }

    /// All that an iterator goes over; `when` tells of the tokens of the variables before.
    fn cases(
        &mut self,
        iterate: &Iterate,
        vars: &[Bound],
        frame: &mut Frame,
        when: &mut Vec<Expr>,
        amount: Option<Expr>,
        found: &mut Vec<Case>,
    ) -> Result<(), Stop> {
        let Some((first, rest)) = vars.split_first() else {
            let mut when = when.clone();
            if let Some(condition) = &iterate.condition {
                match self.condition(condition, frame)? {
                    Expr::Const(0) => return Ok(()),
                    Expr::Const(_) => {}
                    expr => when.push(expr),
                }
            }
            let said = match &iterate.body {
                Some(body) => Some(self.condition(body, frame)?),
                None => None,
            };
            self.spend(when.len() + 1)?;
            found.push(Case { when, amount, said });
            return Ok(());
        };
        match &first.domain {
            Range::Place(place) => {
                for (token, amount) in self.marking.tokens(*place) {
                    frame[first.local as usize] = Partial::Known(token);
                    when.push(positive(amount.clone()));
                    self.cases(iterate, rest, frame, when, Some(amount), found)?;
                    when.pop();
                }
            }
            Range::Each(node) => {
                for value in self.known_values(node, frame)? {
                    frame[first.local as usize] = Partial::Known(value);
                    self.cases(iterate, rest, frame, when, None, found)?;
                }
            }
        }
        Ok(())
    }

    /// The values of a sequence that must not depend on the marking.
    pub(super) fn known_values(&mut self, node: &Node, frame: &mut Frame) -> Result<Vec<Value>, Stop> {
        match self.value(node, frame)? {
            Partial::Known(Value::Seq(values)) => Ok(values.to_vec()),
            _ => Err(Stop::Unsupported("what a variable goes over cannot depend on the marking".to_owned())),
        }
    }
}

fn write(iterate: &Iterate, cases: Vec<Case>) -> Result<Expr, Stop> {
    let said = |case: &Case| case.said.clone().unwrap_or(Expr::Const(1));
    Ok(match iterate.quantifier {
        Quantifier::Exists => any(cases.into_iter().map(|case| all(case.when)).collect()),
        Quantifier::Forall => {
            let violated = cases.into_iter().map(|case| {
                let wrong = not(said(&case));
                all(case.when.into_iter().chain([wrong]).collect())
            });
            not(any(violated.collect()))
        }
        Quantifier::Card => sum(cases
            .into_iter()
            .map(|case| conditional(all(case.when), Expr::Const(1), Expr::Const(0)))
            .collect()),
        Quantifier::Mult => {
            let amounts = cases.into_iter().map(|case| {
                let amount = case.amount.unwrap_or(Expr::Const(1));
                conditional(all(case.when), amount, Expr::Const(0))
            });
            sum(amounts.collect())
        }
        Quantifier::Sum => {
            let addends = cases.into_iter().map(|case| {
                let value = said(&case);
                conditional(all(case.when), value, Expr::Const(0))
            });
            sum(addends.collect())
        }
        Quantifier::Product => {
            let factors = cases.into_iter().map(|case| {
                let value = said(&case);
                conditional(all(case.when), value, Expr::Const(1))
            });
            stubborn_ir::balanced(BinaryOp::Mul, factors.collect()).unwrap_or(Expr::Const(1))
        }
        Quantifier::Max => extreme(cases, iterate.bounds.0, false)?,
        Quantifier::Min => extreme(cases, iterate.bounds.1, true)?,
    })
}

/// The most or the least of values that are known: from `nothing`, step by step to what is there.
fn extreme(cases: Vec<Case>, nothing: i64, is_least: bool) -> Result<Expr, Stop> {
    let mut known: Vec<(i64, Expr)> = Vec::new();
    for case in cases {
        let Some(Expr::Const(value)) = case.said else {
            let message = "`min` and `max` of what depends on the marking cannot be written down";
            return Err(Stop::Unsupported(message.to_owned()));
        };
        known.push((i64::from(value), all(case.when)));
    }
    known.sort_by_key(|(value, _)| if is_least { -value } else { *value });
    let mut before = nothing;
    let mut addends = vec![number(nothing)?];
    for i in 0..known.len() {
        let value = known[i].0;
        if value == before {
            continue;
        }
        // One that is at least as far is there.
        let reached = any(known[i..].iter().map(|(_, when)| when.clone()).collect());
        let truth = conditional(reached, Expr::Const(1), Expr::Const(0));
        addends.push(binary(BinaryOp::Mul, truth, number(value - before)?));
        before = value;
    }
    if known.len() > 300 {
        return Err(Stop::Unsupported("`min` and `max` go over too many tokens".to_owned()));
    }
    Ok(sum(addends))
}
