//! `/v2/services/promocodes`

pub(super) mod check;
