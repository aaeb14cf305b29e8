//! The kinds of resources that others refer to, each of which stands beside its wire form; and what holds for all kinds.

pub(crate) use super::cities::model::CITY;
pub(crate) use super::countries::model::COUNTRY;
pub(crate) use super::deals::model::DEAL;
pub(crate) use super::events::model::EVENT;
pub(crate) use super::maps::model::MAP;
pub(crate) use super::orders::model::ORDER;
pub(crate) use super::partners::model::PARTNER;
pub(crate) use super::promocodes::model::ORDER_PROMOCODE;
pub(crate) use super::promotions::model::PROMOTION;
pub(crate) use super::sets::model::SET;
pub(crate) use super::tickets::model::TICKET;
pub(crate) use super::users::model::USER;
pub(crate) use super::venues::model::VENUE;

#[cfg(test)]
mod tests;
