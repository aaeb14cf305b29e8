//! `kassa demo`: a server on a folder of its own, filled with a catalogue and its sales.
//!
//! All of it is made through the HTTP interface, in process, by the organizers and agents
//! themselves: what they send is what any client would. The clock of the preparation begins a month
//! ago and is moved on to the present, so that some of it has happened long since.

mod api;
mod calendar;
mod catalogue;
mod deals;
mod folder;
mod hall;
mod partners;
mod picture;
mod print;
mod promocodes;
mod promotions;
mod refunds;
mod sales;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kassa_domain::Settings;
use kassa_engine::clock::{Clock as _, ManualClock, SystemClock};
use kassa_engine::{Engine, Failure};
use kassa_http::{App, Config};

use crate::config::Place;
use crate::files::FilesArguments;
use crate::installation::{self, Fatal};
use crate::mail;
use crate::serve::{Server, ServerArguments};

use api::Api;
use calendar::{Calendar, DAY_MS};
use catalogue::Catalogue;
use folder::Demo;
use partners::Partners;

/// Flags of `kassa demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The data folder of the demo; it is made and filled when it is not there.
    #[arg(long, value_name = "DIR", default_value = "./kassa-demo")]
    data: PathBuf,
    #[command(flatten)]
    server: ServerArguments,
}

/// How long before the present the preparation begins.
const PAST_DAYS: i64 = 30;

/// Fills the folder if it is new, tells how to try it, and serves it.
pub(crate) async fn run(arguments: DemoArguments) -> Result<(), Fatal> {
    let server = Server::bind(arguments.server).await?;
    let place =
        Place { data: arguments.data, database: None, secret_file: None, files: FilesArguments::in_data_folder() };
    let demo = match folder::look(&place.data)? {
        Some(demo) => demo,
        None => prepare(&place).await?,
    };
    let installation = installation::open_for_server(&place, Settings::default(), None).await?;
    print::welcome(&demo, &server.url()?, &place.data, &installation.engine).await?;
    // Whom the demo names does not wait for mail.
    let post = mail::outbox(&place.data.join(mail::OUTBOX), None)?;
    server.run(&installation, &place.data, post).await
}

/// Makes an installation with a past.
async fn prepare(place: &Place) -> Result<Demo, Fatal> {
    let present = SystemClock.now();
    let clock = Arc::new(ManualClock::new(present.plus_ms(-PAST_DAYS * DAY_MS)));
    let past_clock = Arc::<ManualClock>::clone(&clock);
    let installation = installation::open_at(place, Settings::default(), None, past_clock).await?;
    folder::begin(&place.data)?;
    let past = Past { engine: installation.engine.clone(), clock };
    let filled = fill(&past, &Calendar::from(present)).await;
    installation.engine.close().await;
    let demo = filled?;
    folder::finish(&place.data, &demo)?;
    Ok(demo)
}

/// What has happened, from a month ago until now.
async fn fill(past: &Past, calendar: &Calendar) -> Result<Demo, Fatal> {
    let api = Api::new(App::new(past.engine.clone(), Config::default()));
    let partners = Partners::join(&api).await?;
    let catalogue = Catalogue::publish(&api, &partners, calendar).await?;
    deals::negotiate(&partners, &catalogue).await?;
    promocodes::give_out(&partners, &catalogue).await?;
    promotions::announce(&partners, &catalogue, calendar).await?;
    past.let_pass(5 * DAY_MS).await?;
    sales::of_last_month(&partners, &catalogue).await?;
    past.let_pass((PAST_DAYS - 5) * DAY_MS).await?;
    sales::of_today(&partners, &catalogue).await?;
    let Partners { harbour, clockwork, north_light, city_tickets, weekend_guide } = &partners;
    Ok(Demo {
        organizer: harbour.login("organizer"),
        agent: city_tickets.login("agent"),
        others: vec![clockwork.login("organizer"), north_light.login("both"), weekend_guide.login("agent")],
        event: catalogue.lanterns.id.clone(),
        set: catalogue.lanterns.set("Stalls")?,
        seated_event: catalogue.strings.id.clone(),
        seated_set: catalogue.strings.set("Stalls")?,
    })
}

/// A time that passes when it is told to.
struct Past {
    engine: Engine,
    clock: Arc<ManualClock>,
}

impl Past {
    /// Lets time pass, and ends the holds that lapse in it, as a server that runs does by itself.
    async fn let_pass(&self, ms: i64) -> Result<(), Failure> {
        self.clock.advance_ms(ms);
        self.engine.expire_due().await.map(drop)
    }
}
