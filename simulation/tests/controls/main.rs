//! Negative controls: each guard is taken away, and nothing else; then the accident must be seen that it prevents. A
//! control that sees nothing fails, and so does a guard without a control.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod code;
mod constraints;
mod rows;
