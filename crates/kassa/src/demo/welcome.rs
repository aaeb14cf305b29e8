//! What the demo prints when it starts: who can log in, and commands to try.
//!
//! Lines that begin with four blanks are commands, to be pasted into a shell one after another.

use std::io::{self, Write as _};
use std::path::Path;

use kassa_domain::ReadSet;
use kassa_engine::Engine;

use super::folder::{DemoManifest, PartnerLogin};
use super::partners::PASSWORD;
use crate::error::Fatal;

/// Prints it all: the addresses are those of the server, and of the site that sells from elsewhere.
pub(super) async fn print_welcome(
    demo: &DemoManifest,
    (url, site_url): (&str, &str),
    data: &Path,
    engine: &Engine,
) -> Result<(), Fatal> {
    let organizer = api_token(&demo.organizer, engine).await?;
    let agent = api_token(&demo.agent, engine).await?;
    let mut rows = vec![partner_line(&demo.organizer, &organizer), partner_line(&demo.agent, &agent)];
    for login in &demo.others {
        rows.push(partner_line(login, &api_token(login, engine).await?));
    }
    let text =
        [introduction_text(url, site_url, data), rows.concat(), commands_text(demo, url, &organizer, &agent)].concat();
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// The API key of a partner, as it is sent.
async fn api_token(login: &PartnerLogin, engine: &Engine) -> Result<String, Fatal> {
    let view = engine.view(&ReadSet { keys: vec![login.key], ..ReadSet::default() }).await?;
    let key = view.keys.get(login.key).ok_or_else(|| format!("the database has no key {}", login.key))?;
    Ok(engine.api_key_token(key)?)
}

fn introduction_text(url: &str, site_url: &str, data: &Path) -> String {
    let data = data.display();
    format!(
        "Kassa's demo: the shop is at {url}/

It is for trying out: whoever reaches it can act with what is printed here.
Its data is in {data}; delete that folder to start anew. Ctrl+C stops it.

  Shop       {url}/
  Console    {url}/console/sign-in
  Reference  {url}/docs
  OpenAPI    {url}/openapi.json
  Widget     {site_url}/     a site of somebody else that sells with it
  Drop-in    {site_url}/old  a page that was written for another server

Each of these can log in with the password {PASSWORD}; programs send the API key instead:

"
    )
}

fn partner_line(PartnerLogin { name, role, email, .. }: &PartnerLogin, key: &str) -> String {
    format!("  {name:<17}  {role:<9}  {email:<21}  {key}\n")
}

fn commands_text(demo: &DemoManifest, url: &str, organizer: &str, agent: &str) -> String {
    let DemoManifest { organizer: PartnerLogin { email, .. }, event, set, seated_event, seated_set, .. } = demo;
    format!(
        r#"
To try it, paste this into another shell first:

    V1={url}/v1
    ORGANIZER='Authorization: key {organizer}'
    AGENT='Authorization: key {agent}'
    JSON='Content-Type: application/json'

A log-in, which sets a cookie:

    curl -sS -i -H "$JSON" "$V1/services/whoami" -d '{{"email": "{email}", "password": "{PASSWORD}"}}'

The events that everybody sees:

    curl -sS "$V1/resources/events?status=public"

The sets of one of them, at the agent's prices:

    curl -sS -H "$AGENT" "$V1/resources/events/{event}/sets"

What the agent can sell:

    curl -sS -H "$AGENT" "$V1/services/simple/events"

Two numbered seats, the first that are free from the front:

    curl -sS -g -H "$AGENT" -H "$JSON" "$V1/resources/orders?fields-schema=status,value,tickets{{seat{{row,number}}}}" \
      -d '{{"event": "{seated_event}", "random": {{"{seated_set}": 2}}}}'

Two tickets, held for 15 minutes:

    ORDER=$(curl -sS -H "$AGENT" -H "$JSON" "$V1/resources/orders?fields-schema=id" \
      -d '{{"event": "{event}", "random": {{"{set}": 2}}}}' | cut -d '"' -f 4)

The agent has the money:

    curl -sS -H "$AGENT" -H "$JSON" -X PATCH "$V1/resources/orders/$ORDER" \
      -d '{{"customer": {{"email": "you@example.org"}}, "payment": {{"system": "api/BASE"}}, "status": "done"}}'

The order as the organizer sees it, but only some fields, and references as objects:

    curl -sS -g -H "$ORGANIZER" \
      "$V1/resources/orders/$ORDER?fields-schema=number,status,values,event{{title{{text}}}},tickets{{serial,number,barcode}}"

A webhook, its secret, and what comes of a test; docs/api/webhooks.md has a receiver for it in twenty lines:

    V2={url}/v2
    WEBHOOK=$(curl -sS -H "$ORGANIZER" "$V2/resources/webhooks" | cut -d '"' -f 6)
    curl -sS -H "$ORGANIZER" "$V2/resources/webhooks/$WEBHOOK/secret"
    curl -sS -H "$ORGANIZER" -X POST "$V2/resources/webhooks/$WEBHOOK/test"

Once the receiver runs, this has it told of every order:

    curl -sS -H "$ORGANIZER" -H "$JSON" -X PATCH "$V2/resources/webhooks/$WEBHOOK" -d '{{"status": "enabled"}}'

"#
    )
}
