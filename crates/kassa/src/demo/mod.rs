//! `kassa demo`: a server on a folder of its own, filled with a catalogue and its sales.
//!
//! All of it is made through the HTTP interface, in process, by the organizers and agents
//! themselves: what they send is what any client would. The clock of the preparation begins a month
//! ago and is moved on to the present, so that some of it has happened long since.

mod calendar;
mod catalogue;
mod client;
mod deals;
mod event;
mod folder;
mod hall;
mod partners;
mod picture;
mod posters;
mod promocodes;
mod promotions;
mod refunds;
mod sales;
mod site;
mod webhooks;
mod welcome;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kassa_domain::DecisionSettings;
use kassa_engine::clock::{Clock as _, ManualClock, SystemClock};
use kassa_engine::housekeeping::CHANGES_KEPT;
use kassa_engine::mail::MailRates;
use kassa_engine::outgoing::OutgoingHttp;
use kassa_engine::webhooks::WebhookSettings;
use kassa_engine::{Engine, Failure, ReadLimits};
use kassa_http::{AppState, ChangeMessages, ConnectionSettings, HttpConfig, SettingInForce};

use crate::bound_server::{BoundServer, CopiesElsewhere, bind_listener};
use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::files::FilesArguments;
use crate::installation::{self, LogUse};
use crate::mail;
use crate::open_files;
use crate::server_arguments::ServerArguments;

use calendar::{Calendar, DAY_MS};
use catalogue::DemoCatalogue;
use client::DemoClient;
use folder::DemoManifest;
use partners::DemoPartners;

/// Flags of `kassa demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The data folder of the demo; it is made and filled when it is not there.
    #[arg(long, value_name = "DIR", default_value = "./kassa-demo")]
    data: PathBuf,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// The address of a site of somebody else that sells, to try the widget on; port 0 picks a free port.
    #[arg(long, env = "KASSA_SITE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    site_listen: SocketAddr,
}

impl DemoArguments {
    /// Notes what the program was told, for operators of the platform.
    pub(crate) fn tell_settings(&mut self, settings: Vec<SettingInForce>) {
        self.server.tell_settings(settings);
    }
}

/// What the demo sells in.
const DEMO_CURRENCY: &str = "EUR";

/// How long before the present the preparation begins.
const PAST_DAYS: i64 = 30;

/// Fills the folder if it is new, prints how to try it, and serves it.
pub(crate) async fn run(arguments: DemoArguments) -> Result<(), Fatal> {
    let outgoing = arguments.server.webhooks.outgoing(webhooks::receiver())?;
    let mut server = arguments.server;
    server.shop.currency = server.shop.currency.or_else(|| DEMO_CURRENCY.parse().ok());
    let holds = server.limits.holds();
    let server = BoundServer::bind(server, outgoing.clone())?;
    let site_listener = bind_listener(arguments.site_listen, "--site-listen")?;
    let place = InstallationArguments {
        data: arguments.data,
        database: None,
        database_file: None,
        secret_file: None,
        files: FilesArguments::in_data_folder(),
        is_self_contained: true,
    };
    let demo = match folder::read_manifest(&place.data)? {
        Some(demo) => demo,
        None => prepare(&place, outgoing).await?,
    };
    // Nobody pays for what the demo sells.
    let settings = DecisionSettings { allow_test_payments: true, holds, ..DecisionSettings::default() };
    let installation =
        installation::open_for_server(&place, settings, None, ReadLimits::default(), LogUse::Own).await?;
    let (url, site_url) = (server.url()?, format!("http://{}", site_listener.local_addr()?));
    let site = site::prepare_site(&demo, &installation.engine, &url, &site_url).await?;
    welcome::print_welcome(&demo, (&url, &site_url), &place.data, &installation.engine).await?;
    let connections = ConnectionSettings::new(open_files::OPS_CONNECTIONS_MAX, true);
    let site = tokio::spawn(kassa_http::static_pages::serve(site_listener, site, connections));
    // Whom the demo names does not wait for mail.
    let mails = mail::outbox_delivery(&place.data.join(mail::OUTBOX_FOLDER), Some(url.parse()?), MailRates::OFF)?;
    let ended = server.run(&installation, &place.data, mails, CHANGES_KEPT, CopiesElsewhere::NONE).await;
    site.abort();
    ended
}

/// Makes an installation with a past.
async fn prepare(place: &InstallationArguments, outgoing: OutgoingHttp) -> Result<DemoManifest, Fatal> {
    let present = SystemClock.now();
    let clock = Arc::new(ManualClock::new(present.plus_ms(-PAST_DAYS * DAY_MS)));
    let past_clock = Arc::<ManualClock>::clone(&clock);
    let installation = installation::open_with_clock(
        place,
        DecisionSettings::default(),
        None,
        ReadLimits::default(),
        LogUse::Own,
        past_clock,
    )
    .await?;
    folder::mark_incomplete(&place.data)?;
    let past = SimulatedTime { engine: installation.engine.clone(), clock };
    let writer = Arc::new(ChangeMessages::new(past.engine.clone()));
    let app = AppState::new(past.engine.clone(), HttpConfig::default());
    let app = app.with_webhooks(WebhookSettings { outgoing, writer });
    let filled = fill_history(app, &past, &Calendar::from(present)).await;
    installation.engine.close().await;
    let demo = filled?;
    folder::write_manifest(&place.data, &demo)?;
    Ok(demo)
}

/// What has happened, from a month ago until now.
async fn fill_history(app: AppState, past: &SimulatedTime, calendar: &Calendar) -> Result<DemoManifest, Fatal> {
    let api = DemoClient::new(app);
    let partners = DemoPartners::register_all(&api).await?;
    let catalogue = DemoCatalogue::publish(&api, &partners, calendar).await?;
    deals::create_deals(&partners, &catalogue).await?;
    promocodes::create_promocodes(&partners, &catalogue).await?;
    promotions::create_promotions(&partners, &catalogue, calendar).await?;
    past.advance(5 * DAY_MS).await?;
    sales::sell_last_month(&partners, &catalogue).await?;
    past.advance((PAST_DAYS - 5) * DAY_MS).await?;
    sales::sell_today(&partners, &catalogue).await?;
    webhooks::create_webhook(&partners).await?;
    let DemoPartners { harbour, clockwork, north_light, city_tickets, weekend_guide } = &partners;
    Ok(DemoManifest {
        organizer: harbour.login("organizer"),
        agent: city_tickets.login("agent"),
        others: vec![clockwork.login("organizer"), north_light.login("both"), weekend_guide.login("agent")],
        event: catalogue.lanterns.id.clone(),
        set: catalogue.lanterns.set_id("Stalls")?,
        seated_event: catalogue.strings.id.clone(),
        seated_set: catalogue.strings.set_id("Stalls")?,
    })
}

/// A time that passes only when it is advanced.
struct SimulatedTime {
    engine: Engine,
    clock: Arc<ManualClock>,
}

impl SimulatedTime {
    /// Lets time pass, and ends the holds that lapse in it, as a server that runs does by itself.
    async fn advance(&self, ms: i64) -> Result<(), Failure> {
        self.clock.advance_ms(ms);
        self.engine.expire_due().await.map(drop)
    }
}
