//! `stubborn trail`: its JSON, its columns, its chart as XML, and its page in a real browser. Structure is compared,
//! never pixels.

#[path = "pages/browser.rs"]
mod browser;
#[path = "pages/chart.rs"]
mod chart;
#[path = "pages/command.rs"]
mod command;
#[path = "pages/subjects.rs"]
mod subjects;
