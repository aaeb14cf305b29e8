//! The OpenAPI document, and the page that shows it.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::Answer;
use crate::contract::{Contract, validator};
use crate::harness::Shop;
use kassa_http::HttpConfig;

/// Set to renew `docs/openapi.json` and `docs/openapi-v2.json`.
const RENEW: &str = "KASSA_RENEW_OPENAPI";

#[tokio::test]
async fn the_documents_are_kept_in_the_repository() {
    let contracts = Contract::all(&Shop::open().await).await;
    for (contract, name) in contracts.into_iter().zip(["openapi.json", "openapi-v2.json"]) {
        is_kept(&contract.document, name);
    }
}

fn is_kept(document: &Value, name: &str) {
    let now = format!("{}\n", serde_json::to_string_pretty(document).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os(RENEW).is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(now.lines()).position(|(kept, now)| kept != now);
    let line = differs.unwrap_or(kept.lines().count().min(now.lines().count())) + 1;
    assert!(
        kept == now,
        "docs/{name} differs from line {line} on; renew it with\n\
         {RENEW}=1 cargo test -p kassa-http --test http the_documents_are_kept_in_the_repository"
    );
}

#[tokio::test]
async fn the_documents_are_for_everybody() {
    let shop = Shop::open().await;
    let stranger = shop.anonymous().with("authorization", "key None");
    let second = stranger.get("/v2//openapi.json/").await;
    assert_eq!(second.status, 200);
    assert_eq!(second.json()["info"]["title"], "Kassa, version 2");
    let document = stranger.get("/openapi.json").await;
    assert_eq!((document.status, document.header("cache-control")), (200, "public, max-age=3600"));
    assert_eq!(document.json()["openapi"], "3.1.0");
    let packed = stranger.with("accept-encoding", "gzip").get("/openapi.json/").await;
    assert_eq!((packed.status, packed.header("content-encoding")), (200, "gzip"));
    let head = stranger.send("HEAD", "/openapi.json", None, Vec::new()).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-type"), "application/json; charset=UTF-8");
    stranger.post("/openapi.json", json!({})).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn each_form_of_a_document_has_a_tag() {
    let shop = Shop::open().await;
    for path in ["/openapi.json", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"] {
        let (plain, packed) = (shop.anonymous(), shop.anonymous().with("accept-encoding", "br, *;q=0.5"));
        let tags = [plain.get(path).await, packed.get(path).await].map(|answer| answer.header("etag").to_owned());
        assert_eq!(tags[1], format!("{}-gzip\"", tags[0].trim_end_matches('"')), "{path}");
        for (asks, tag) in [plain, packed].into_iter().zip(tags) {
            let answer = asks.get(path).await;
            assert_eq!(answer.headers.get_all("vary").iter().collect::<Vec<_>>(), ["accept-encoding"], "{path}");
            let again = asks.with("if-none-match", tag).get(path).await;
            assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
        }
    }
}

#[tokio::test]
async fn the_document_says_where_clients_reach_the_server() {
    let here = Shop::open().await.anonymous().get("/openapi.json").await.ok();
    assert_eq!(here["servers"], json!([{"url": "/"}]));
    let config =
        HttpConfig { public_url: Some("https://tickets.example.org/shop/".parse().unwrap()), ..HttpConfig::default() };
    let shop = Shop::with(config).await;
    let there = shop.anonymous().get("/openapi.json").await.ok();
    assert_eq!(there["servers"], json!([{"url": "https://tickets.example.org/shop"}]));
    let page = shop.anonymous().get("/docs").await;
    assert!(page.header("content-security-policy").contains("connect-src 'self' https://tickets.example.org;"));
    assert!(String::from_utf8(page.bytes).unwrap().contains(r#"data-document="/shop/openapi.json""#));
}

#[tokio::test]
async fn what_is_deprecated_says_so_in_the_document_and_in_every_answer() {
    let config =
        HttpConfig { public_url: Some("https://tickets.example.org/shop/".parse().unwrap()), ..HttpConfig::default() };
    let shop = Shop::with(config).await;
    let org = shop.organizer("org@example.org").await;
    let file = org.send("POST", "attachments", Some("text/plain"), b"X".to_vec()).await.ok();
    let id = file["id"].as_str().unwrap();
    let said = |answer: &Answer| ["deprecation", "sunset", "link"].map(|name| answer.header(name).to_owned());
    let notice = ["@1795651200", "", r#"<https://tickets.example.org/shop/docs>; rel="deprecation"; type="text/html""#];
    for (path, status) in [(id, 200), ("x", 404)] {
        let answer = org.get(&format!("attachment/{path}")).await;
        assert_eq!((answer.status, said(&answer)), (status, notice.map(str::to_owned)));
        let answer = org.get(&format!("attachments/{path}")).await;
        assert_eq!((answer.status, said(&answer)), (status, [""; 3].map(str::to_owned)));
    }
    let stranger = shop.anonymous().get(&format!("attachment/{id}")).await;
    assert_eq!((stranger.status, said(&stranger)), (401, notice.map(str::to_owned)));
    assert!(stranger.header("access-control-expose-headers").contains("Deprecation, Sunset, Link"));
    let [first, second] = Contract::all(&shop).await;
    let deprecated: Vec<_> = [first, second]
        .into_iter()
        .flat_map(Contract::operations)
        .filter(|(_, _, operation)| operation.get("deprecated").is_some())
        .map(|(method, path, operation)| (method, path, operation["description"].as_str().unwrap()))
        .collect();
    let about = "Deprecated since 2026-11-26: use `GET /v1/resources/attachments/{attachment}`. Only for the partner \
        that uploaded it.";
    assert_eq!(deprecated, [("get", "/v1/resources/attachment/{attachment}", about)]);
}

#[tokio::test]
async fn the_page_loads_nothing_from_elsewhere() {
    let shop = Shop::open().await;
    let stranger = shop.anonymous().with("authorization", "key None");
    let page = stranger.get("/docs/").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=UTF-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(policy.contains("connect-src 'self';"), "{policy}");
    let html = String::from_utf8(page.bytes).unwrap();
    let sources: Vec<&str> = html.split(['"', '\'']).filter(|text| text.starts_with('/')).collect();
    let files = [
        ("/docs/swagger-ui.css", "text/css"),
        ("/docs", "text/html"),
        ("/docs?version=2", "text/html"),
        ("/openapi.json", "application/json"),
        ("/v2/openapi.json", "application/json"),
        ("/docs/swagger-ui-bundle.js", "text/javascript"),
        ("/docs/page.js", "text/javascript"),
    ];
    assert_eq!(sources, files.map(|(path, _)| path));
    assert!(!html.contains("http"), "{html}");
    for (path, content_type) in files {
        let plain = stranger.get(path).await;
        assert_eq!((plain.status, plain.header("content-type").split(';').next()), (200, Some(content_type)), "{path}");
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        assert!(plain.bytes.is_ascii() || std::str::from_utf8(&plain.bytes).is_ok(), "{path}");
    }
    let bundle = stranger.with("accept-encoding", "gzip").get("/docs/swagger-ui-bundle.js").await;
    assert_eq!((bundle.header("content-encoding"), &bundle.bytes[..2]), ("gzip", [0x1f, 0x8b].as_slice()));
    stranger.get("/docs/other.js").await.refused(404, "no_such_path");
}

#[tokio::test]
async fn every_name_and_example_of_the_documents_holds() {
    for contract in Contract::all(&Shop::open().await).await {
        names_and_examples_hold(contract);
    }
}

fn names_and_examples_hold(contract: &Contract) {
    let document = &contract.document;
    let mut ids = BTreeSet::new();
    let tags: Vec<&Value> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    for (method, path, operation) in contract.operations() {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id), "{id} stands twice");
        assert!(operation["summary"].is_string(), "{method} {path} has no summary");
        let tagged = operation["tags"].as_array().unwrap();
        assert!(tagged.len() == 1 && tags.contains(&&tagged[0]), "{id} has unknown tags: {tagged:?}");
    }
    each(document, &mut |part| {
        let Some(to) = part.get("$ref").and_then(Value::as_str) else { return };
        assert!(to.strip_prefix('#').is_some_and(|to| document.pointer(to).is_some()), "{to} is not there");
    });
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let is_schema = ["type", "anyOf", "allOf"].iter().any(|key| schema.get(key).is_some());
        assert!(is_schema, "an example is there for {name}, which is none of the schemas");
    }
    let text = document.to_string();
    assert!(!text.contains('§') && !text.contains("seed"), "marks of the code are not for clients");
}

#[tokio::test]
async fn every_property_and_parameter_has_a_description() {
    let mut lacking = Vec::new();
    for contract in Contract::all(&Shop::open().await).await {
        let document = &contract.document;
        let is_described = |part: &Value| part["description"].as_str().is_some_and(|text| !text.trim().is_empty());
        each_property(&document["components"]["schemas"], "", &mut |place, property| {
            if !is_described(property) {
                lacking.push(place.to_owned());
            }
        });
        for (method, path, operation) in contract.operations() {
            let inline = [&operation["requestBody"], &operation["responses"]];
            for part in inline {
                each_property(part, &format!("{method} {path}"), &mut |place, property| {
                    if !is_described(property) {
                        lacking.push(place.to_owned());
                    }
                });
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let parameter = contract.resolved(parameter);
                if !is_described(parameter) {
                    lacking.push(format!("{method} {path} {}", parameter["name"]));
                }
            }
        }
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
}

/// Shows each property of the schemas in a part of a document, with its place. Examples have none.
fn each_property(part: &Value, place: &str, see: &mut impl FnMut(&str, &Value)) {
    match part {
        Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| !matches!(name.as_str(), "example" | "examples")) {
                let properties = field.as_object().filter(|_| name == "properties").into_iter().flatten();
                for (property, schema) in properties {
                    see(&format!("{place}.{property}"), schema);
                }
                each_property(field, &format!("{place}/{name}"), see);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_property(item, place, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn every_body_has_an_example_that_is_valid() {
    for contract in Contract::all(&Shop::open().await).await {
        bodies_have_examples(contract);
    }
}

fn bodies_have_examples(contract: &Contract) {
    let document = &contract.document;
    let mut wrong = Vec::new();
    let mut check = |about: String, media: &Value| {
        let examples = examples(media, document);
        if examples.is_empty() {
            wrong.push(format!("{about} has no example"));
        }
        let validator = validator(&media["schema"], document);
        for example in examples {
            wrong.extend(validator.iter_errors(&example).map(|error| format!("{about}: {error}")));
        }
    };
    for (_, _, operation) in contract.operations() {
        let id = &operation["operationId"];
        // Other bodies are files.
        if let Some(media) = operation["requestBody"]["content"].get("application/json") {
            check(format!("{id} from its body"), media);
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            for (_, media) in contract.resolved(response)["content"].as_object().unwrap() {
                check(format!("{id} {status}"), media);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The examples of a body: its own, else those of its schema.
fn examples(media: &Value, document: &Value) -> Vec<Value> {
    let own = media["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
    let own: Vec<Value> = own.chain(media.get("example")).cloned().collect();
    if own.is_empty() { examples_of(&media["schema"], document) } else { own }
}

fn examples_of(schema: &Value, document: &Value) -> Vec<Value> {
    if let Some(to) = schema["$ref"].as_str() {
        return examples_of(document.pointer(&to[1..]).unwrap(), document);
    }
    if schema["type"] == "array" {
        return examples_of(&schema["items"], document).into_iter().map(|item| json!([item])).collect();
    }
    let forms = schema["anyOf"].as_array().into_iter().flatten();
    let own = schema["examples"].as_array().into_iter().flatten().cloned();
    own.chain(forms.flat_map(|form| examples_of(form, document))).collect()
}

fn each(part: &Value, see: &mut impl FnMut(&Value)) {
    see(part);
    match part {
        Value::Object(fields) => fields.values().for_each(|field| each(field, see)),
        Value::Array(items) => items.iter().for_each(|item| each(item, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
