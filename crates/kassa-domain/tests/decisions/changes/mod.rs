//! What commands state of the rows that they change.

mod catalogue;
mod orders;
mod partners;
mod personal_data;
mod rules;
