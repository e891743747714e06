//! SPIN's numbers of the elements of a whole model, which its trails are written in.
//!
//! SPIN numbers elements as it makes them, so those of a process follow those of the process before it. The first
//! reference to a label on a jump, from another process, makes one more: the jump, behind a `skip` that the label
//! then marks. It is made while the statement that refers is read, and so just before the element of that.

use hashbrown::HashSet;
use smol_str::SmolStr;
use stubborn_base::Span;

use super::flow::{El, Flow, Kind};
use super::names::Names;
use super::process::Process;

/// A reference to a label of another process.
pub(crate) struct RemoteLabel<'a> {
    pub(crate) proctype: &'a SmolStr,
    pub(crate) label: &'a SmolStr,
    pub(crate) span: Span,
}

/// Which numbers the elements of a process have.
#[derive(Clone, Default, Debug)]
pub(crate) struct Numbers {
    /// Of its first element.
    pub(crate) first: u32,
    /// Elements, by their number in the process, before which a number is left out.
    left_out: Vec<u32>,
}

impl Numbers {
    /// Of the element with the number `order` in the process.
    pub(crate) fn of(&self, order: u32) -> u32 {
        let n_left_out = self.left_out.iter().filter(|&&before| before <= order).count();
        self.first + order - 1 + n_left_out as u32
    }
}

/// Leaves out the numbers that references take, in the order of the text.
pub(crate) fn leave_out(processes: &mut [&mut Process<'_>], names: &Names, references: &[RemoteLabel<'_>]) {
    let mut made: HashSet<(usize, El)> = HashSet::new();
    for reference in references {
        let Some(target) = processes.iter().position(|p| p.name.name == *reference.proctype) else {
            continue;
        };
        let process = &processes[target];
        let label = process.flow.labels.find(names, process.scope, reference.label);
        let Some(element) = label.map(|label| label.element) else { continue };
        let is_jump = matches!(process.flow.elements[element].kind, Kind::Goto(_) | Kind::Break(_));
        if !is_jump || !made.insert((target, element)) {
            continue;
        }
        let found = processes.iter().enumerate().filter_map(|(i, process)| {
            narrowest(&process.flow, reference.span).map(|(length, order)| (length, i, order))
        });
        let Some((_, at, order)) = found.min() else { continue };
        let first = processes[at].numbers.first;
        processes[at].numbers.left_out.push(order);
        for process in processes.iter_mut().filter(|process| process.numbers.first > first) {
            process.numbers.first += 1;
        }
    }
}

/// The length and the number of the narrowest element that a span lies in.
fn narrowest(flow: &Flow<'_>, span: Span) -> Option<(u32, u32)> {
    let around = flow.elements.iter().filter(|element| {
        let outer = element.span;
        outer.file == span.file && outer.start <= span.start && span.end <= outer.end
    });
    around.map(|element| (element.span.end - element.span.start, element.order)).min()
}
