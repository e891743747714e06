//! Texts are read on a thread of their own, so that whoever owns the workspace never waits for it.
//!
//! Of several changes to one model only the newest is read. Invariant: every change that is asked for is answered, or
//! a later one of the same model is; a defect of ours that ends in a panic is answered with a diagnostic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::analysis::Analysis;
use crate::checking::Listener;
use crate::texts::Texts;

/// Counts what happened to texts and settings.
pub type Generation = u64;

/// A model to read.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) path: PathBuf,
    pub(crate) texts: Texts,
    pub(crate) defines: Vec<(String, String)>,
    pub(crate) generation: Generation,
}

/// A model that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its path.
    pub path: PathBuf,
    /// What it means; none if the text is gone.
    pub analysis: Option<Arc<Analysis>>,
    /// The texts were those of this generation.
    pub generation: Generation,
}

/// Reads what it is sent, until nobody can send any more. None if no thread can be had.
pub(crate) fn start(listener: Listener<Reading>) -> Option<Sender<Order>> {
    let (sender, orders) = channel();
    let body = move || run(&orders, &listener);
    std::thread::Builder::new().name("reader".to_owned()).spawn(body).ok()?;
    Some(sender)
}

fn run(orders: &Receiver<Order>, listener: &Listener<Reading>) {
    let mut waiting: Vec<Order> = Vec::new();
    loop {
        if waiting.is_empty() {
            let Ok(order) = orders.recv() else { return };
            waiting.push(order);
        }
        for order in orders.try_iter() {
            waiting.retain(|older| older.path != order.path);
            waiting.push(order);
        }
        let order = waiting.remove(0);
        listener(read(&order));
    }
}

/// Reads a model.
pub(crate) fn read(order: &Order) -> Reading {
    let Order { path, texts, defines, generation } = order;
    let analysis = texts.read(path).map(|text| {
        let read = || Analysis::new(path, text.clone(), texts, defines);
        Arc::new(catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Analysis::failed(path, text)))
    });
    Reading { path: path.clone(), analysis, generation: *generation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_newest_of_several_changes_is_read() {
        let (sender, readings) = channel();
        let reader = start(Arc::new(move |reading| sender.send(reading).unwrap())).unwrap();
        let mut texts = Texts::default();
        let path = Path::new("/nowhere/m.pml");
        for version in 1..=20 {
            texts.set(path, format!("byte x{version}; active proctype P() {{ x{version} = 1 }}"), version);
            let generation = version as Generation;
            let order = Order { path: path.to_owned(), texts: texts.clone(), defines: vec![], generation };
            reader.send(order).unwrap();
        }
        let mut last = 0;
        while last < 20 {
            let reading = readings.recv().unwrap();
            assert!(reading.generation > last);
            last = reading.generation;
            let analysis = reading.analysis.unwrap();
            assert_eq!(analysis.outline.symbols[0].name, format!("x{last}"));
        }
    }
}
