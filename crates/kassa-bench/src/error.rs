//! What ends a run.

/// Any error that ends a run, as a sentence.
pub type BenchError = Box<dyn std::error::Error>;
