//! What ends the program.

/// Any error that ends the program, as a sentence.
pub(crate) type Fatal = Box<dyn std::error::Error>;
