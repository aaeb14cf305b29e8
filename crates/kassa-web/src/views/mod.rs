//! What templates show, in words: made of what the interface says, in the language of the page.

mod card;
mod money_back;
mod offer;
mod when;

pub(crate) use card::{Artwork, Card, event_path, place_line, seats_path};
pub(crate) use money_back::money_back_key;
pub(crate) use offer::{Availability, LEFT_SHOWN_MAX, Offer, SaleState, moment, offer_of, sale_state, summary_price};
pub(crate) use when::{When, last_day};
