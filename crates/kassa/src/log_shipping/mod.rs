//! Point-in-time recovery: what is committed to a database in a data folder is kept elsewhere, too, half a second later at
//! most while that place is there; and an installation as of any second is made of it again.
//!
//! A *line* is a gapless run of segments, each with the pages that were written since the one before, and of *bases*:
//! backups of the database, page by page, beside it. What is restored is a base, with the segments that follow it put in
//! their places. When something was committed of which nobody knows (the place was away for too long, or another program
//! took the log away while no server ran), the line has ended, and another begins, with a base.

mod name;
mod progress;
mod recovery;
mod segment;
mod settings;
mod shipper;

pub(crate) use progress::Progress;
pub(crate) use recovery::{Recovery, RecoveryTime};
pub(crate) use settings::LogShippingArguments;
pub(crate) use shipper::{LogShipping, ship_log};
