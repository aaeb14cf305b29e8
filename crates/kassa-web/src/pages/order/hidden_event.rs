//! An event that not everybody sees, because it was called off or is not shown any more, as an order tells whoever has its
//! link of it.

use super::model::OrderRefs;
use crate::error::PageError;
use crate::model::{Covers, EventData, PartnerData, Reference, Span};

/// The event with this id. It sells nothing here, so it has no sets.
pub(super) fn event(refs: &OrderRefs, id: &str) -> Result<EventData, PageError> {
    let about = refs.events.get(id).cloned().ok_or(PageError::NotFound)?;
    let venue = about.venue.and_then(|venue| refs.venues.get(&venue).cloned());
    Ok(EventData {
        id: id.to_owned(),
        status: about.status,
        lifetime: about.lifetime.map(|span| Span { start: Some(span.start), end: Some(span.finish) }),
        title: about.title,
        translations: Vec::new(),
        original_title: None,
        age_rating: about.age_rating,
        hold_minutes: 0,
        media: Covers::default(),
        org: Reference::hidden(),
        venue: venue.map(Reference::shown),
        sets: Vec::new(),
        map: None,
        single_seats: String::new(),
        tickets_limit: 0,
        buyer_name: String::new(),
        buyer_phone: String::new(),
        questions: Vec::new(),
        name_change_until: None,
        updated_at: None,
        removed: false,
    })
}

/// The seller with this id. Nothing can be paid to it here.
pub(super) fn vendor(refs: &OrderRefs, id: &str) -> Result<PartnerData, PageError> {
    let name = refs.partners.get(id).ok_or(PageError::NotFound)?.name.clone();
    Ok(PartnerData::named(id, name))
}
