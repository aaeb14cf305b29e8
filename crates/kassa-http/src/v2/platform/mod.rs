//! `/v2/platform`: what operators of the platform see and do, over all partners.

pub(super) mod jobs;
pub(super) mod mails;
mod model;
pub(super) mod partner;
pub(super) mod partners;
pub(super) mod restore;
pub(super) mod state;
pub(super) mod suspend;
pub(super) mod verify;
pub(super) mod webhooks;
