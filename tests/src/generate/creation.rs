//! Statements that create processes.

use super::features::Feature;
use super::names::{Generator, Parameter, Type};
use super::statement::Place;
use super::tree::{Node, Sort};

impl Generator {
    pub(super) fn late_run(&mut self, place: Place) -> Option<Node> {
        let rank = self.current.rank;
        let later: Vec<usize> = (rank + 1..self.processes.len()).collect();
        let target = *self.random.pick(&later)?;
        let run = self.run(target)?.tagged(Feature::RunLate);
        if !place.repeated && !self.has(Feature::Goto) && self.random.percent(40) {
            return Some(run);
        }
        let limit = self.random.range(3, 4);
        let test = Node::stmt(format!("(_nr_pr < {limit})"));
        if self.random.percent(50) {
            let skip = Node::new(Sort::Branch).text(":: else");
            let branch = Node::new(Sort::Branch).text(":: ").inline(vec![test, run], "; ", 2);
            return Some(Node::stmt("atomic { if").lines(vec![branch, skip], "", 2).text("fi }"));
        }
        Some(Node::stmt("atomic { ").inline(vec![test, run], "; ", 2).text(" }"))
    }

    /// `run P(…)`, sometimes keeping the process number.
    pub(super) fn run(&mut self, target: usize) -> Option<Node> {
        let process = self.processes[target].clone();
        let mut arguments = Vec::new();
        for parameter in &process.parameters {
            arguments.push(match *parameter {
                // SPIN wants the name itself here, not a variable.
                Parameter::Scalar(Type::Mtype(set)) => Node::expr(self.mtypes[set].1[0].clone()),
                Parameter::Scalar(ty) => self.value(ty),
                Parameter::Channel(signature) => {
                    let mut channels = self.channels();
                    channels.retain(|c| c.signature == signature);
                    let channel = self.random.pick(&channels)?.clone();
                    self.place(&channel.base, &channel.path).tagged(Feature::ChannelParameter)
                }
            });
        }
        let n = arguments.len();
        let keep = if self.random.percent(15) {
            self.write(|v| v.ty == Type::Pid || v.ty == Type::Byte)
        } else {
            None
        };
        let node = match keep {
            Some(variable) => Node::new(Sort::Statement).child(variable).text(" = "),
            None => Node::new(Sort::Statement),
        };
        let mut node = node.text(format!("run {}(", process.name)).inline(arguments, ", ", n).text(")");
        if self.chance(Feature::Priority, 40) {
            node = node.text(format!(" priority {}", self.random.range(1, 3)));
        }
        Some(node.tagged(Feature::Run))
    }
}
