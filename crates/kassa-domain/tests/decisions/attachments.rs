//! Attachments, and the pictures that events and partners make of them.

use kassa_domain::attachment::{Attachment, AttachmentId, CreateAttachment, Hex128};
use kassa_domain::event::{CreateEvent, EventPatch};
use kassa_domain::media::{Media, MediaItem, MediaPatch};
use kassa_domain::partner::{PartnerId, PartnerPatch, UpdatePartner};
use kassa_domain::permission;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::{Actor, Patch, Refusal};

use crate::fixture::{Fixture, NOON};

fn upload(author: PartnerId, content_type: &str) -> CreateAttachment {
    let content_type = content_type.parse().unwrap();
    CreateAttachment { author, content_type, length: 3, md5: Hex128([1; 16]), token: Hex128([2; 16]) }
}

fn attachment(fixture: &mut Fixture, author: PartnerId, content_type: &str) -> Attachment {
    fixture.give(&Actor::Partner(author), &upload(author, content_type)).unwrap()
}

fn cover(id: AttachmentId) -> MediaPatch {
    MediaPatch { main: Patch::Set(id), ..MediaPatch::default() }
}

#[test]
fn an_attachment_is_made_by_its_own_author() {
    let mut fixture = Fixture::new();
    let (org, other, nobody) = (fixture.org, fixture.partner(), PartnerId::root(7));
    let cases = [
        (Actor::Anonymous, org, Refusal::CredentialRequired),
        (Actor::Partner(other), org, Refusal::Forbidden(ForbiddenReason::OwnPartnerOnly)),
        (Actor::Partner(nobody), nobody, Refusal::NotFound("partner")),
    ];
    for (actor, author, refusal) in cases {
        assert_eq!(fixture.give(&actor, &upload(author, "text/plain")).unwrap_err(), refusal);
    }
    let made = attachment(&mut fixture, org, "text/plain");
    assert_eq!((made.author, made.length, made.removed, made.created_at), (org, 3, false, NOON));
    assert!(permission::sees_attachment(&Actor::Partner(org), &made));
    assert!(!permission::sees_attachment(&Actor::Partner(other), &made));
    assert!(!permission::sees_attachment(&Actor::Anonymous, &made));
}

#[test]
fn an_event_keeps_what_is_shown_of_its_pictures() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let (one, two) = (attachment(&mut fixture, org, "image/png"), attachment(&mut fixture, org, "image/jpeg"));
    let patch = EventPatch { media: cover(one.id), ..EventPatch::default() };
    let event = fixture.give(&fixture.organizer(), &CreateEvent { organizer: org, patch }).unwrap();
    assert_eq!(event.details.media, Media { main: Some(MediaItem::from(&one)), ..Media::default() });
    let small = MediaPatch { small: Patch::Set(two.id), ..MediaPatch::default() };
    let mut pictures = |media: MediaPatch| fixture.change_event(|event| event.media = media).unwrap().details.media;
    pictures(cover(one.id));
    let both = Media { main: Some((&one).into()), small: Some((&two).into()), original: None };
    assert_eq!(pictures(small), both, "what is not named stays");
    assert_eq!(pictures(MediaPatch::default()), both);
    let without = MediaPatch { main: Patch::Clear, ..MediaPatch::default() };
    assert_eq!(pictures(without), Media { main: None, ..both });
    assert_eq!(pictures(MediaPatch::clear()), Media::default());
}

#[test]
fn only_ones_own_safe_images_become_pictures() {
    let mut fixture = Fixture::new();
    let (org, other) = (fixture.org, fixture.partner());
    let foreign = attachment(&mut fixture, other, "image/png").id;
    let drawing = attachment(&mut fixture, org, "image/svg+xml").id;
    let removed = attachment(&mut fixture, org, "image/png");
    fixture.arrange(|view| view.attachments.put(Attachment { removed: true, ..removed.clone() }));
    let unknown = AttachmentId::root(9);
    let cases = [
        (foreign, Refusal::AttachmentUnknown(foreign)),
        (removed.id, Refusal::AttachmentUnknown(removed.id)),
        (unknown, Refusal::AttachmentUnknown(unknown)),
        (drawing, Refusal::AttachmentNotImage(drawing)),
    ];
    for (id, refusal) in cases {
        assert_eq!(fixture.change_event(|event| event.media = cover(id)).unwrap_err(), refusal);
        let patch = PartnerPatch { media: cover(id), ..PartnerPatch::default() };
        let logo = UpdatePartner { partner: org, patch, users: None };
        assert_eq!(fixture.give(&Actor::Partner(org), &logo).unwrap_err(), refusal);
    }
}
