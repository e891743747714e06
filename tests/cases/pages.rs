//! `stubborn trail`: its JSON, its columns, its chart as XML, and its page in a real browser. Structure is compared,
//! never pixels.

mod browser;
mod chart;
mod command;
mod subjects;
