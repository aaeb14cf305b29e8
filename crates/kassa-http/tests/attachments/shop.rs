//! A shop whose files lie in a folder of its own.

use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::{Attachment, AttachmentId};
use kassa_domain::partner::{CreatePartner, PartnerPatch, SetPartnerQuotas};
use kassa_domain::quota::QuotaKind;
use kassa_domain::user::RegisterUser;
use kassa_domain::{Actor, DecisionSettings, ReadSet, Timestamp};
use kassa_engine::accounts::NewApiKey;
use kassa_engine::clock::ManualClock;
use kassa_engine::{Engine, EngineParts, FileStore, ReadLimits, Secret, random};
use kassa_http::{AppState, HttpConfig};
use kassa_store::Store;
use kassa_store::memory::Memory;
use serde_json::Value;
use tower::ServiceExt;

pub(crate) const OPEN_END: &str =
    "BEGIN:VEVENT\r\nDTSTART:20260601T180000Z\r\nDTEND:20990601T210000Z\r\nEND:VEVENT\r\n";
pub(crate) const ATTACHMENTS: &str = "/v1/resources/attachments";
pub(crate) const BYTES_MAX: usize = 20 * 1024 * 1024;

pub(crate) struct Shop {
    pub(crate) engine: Engine,
    pub(crate) app: AppState,
    memory: Memory,
    clock: Arc<ManualClock>,
    folder: tempfile::TempDir,
}

impl Shop {
    pub(crate) async fn open() -> Self {
        Self::with(HttpConfig::default()).await
    }

    pub(crate) async fn with(config: HttpConfig) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::default();
        let clock = Arc::new(ManualClock::new(Timestamp::from_ms(1_767_225_600_000)));
        let parts = EngineParts {
            store: Store::Memory(memory.clone()),
            files: FileStore::in_folder(folder.path()).unwrap(),
            clock: Arc::<ManualClock>::clone(&clock),
            random: random::from_seed(1),
            settings: DecisionSettings::default(),
            secret: Secret::new("a secret of these tests, long enough").unwrap(),
            lanes: 1,
            read_limits: ReadLimits::default(),
        };
        let engine = Engine::start(parts).await.unwrap();
        Self { app: AppState::new(engine.clone(), config), engine, memory, clock, folder }
    }

    /// A key of a new partner, as its header.
    pub(crate) async fn key(&self, email: &str) -> String {
        let (email, password_hash) = (email.parse().unwrap(), String::new());
        let command = RegisterUser { email, password_hash, first_name: None, last_name: None, earlier: None };
        let manager = self.engine.execute(&Actor::Anonymous, command, |_, user| user.id).await.unwrap();
        let command = CreatePartner { manager, patch: PartnerPatch::default() };
        let partner = self.engine.execute(&Actor::Operator, command, |_, partner| partner.id).await.unwrap();
        let shown = |_: &ApiKey, token: &str| format!("key {token}");
        self.engine.create_key(&Actor::Operator, NewApiKey::without_scopes(partner, "till"), shown).await.unwrap()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = kassa_http::service(self.app.clone()).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: parts.status.as_u16(), headers: parts.headers, bytes }
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(request("GET", path, headers, Body::empty())).await
    }

    pub(crate) async fn json(&self, method: &str, path: &str, key: &str, body: &Value) -> Answer {
        let headers = [("authorization", key), ("content-type", "application/json"), ("host", "kassa.test")];
        self.send(request(method, path, &headers, body.to_string().into())).await
    }

    pub(crate) async fn upload(&self, key: &str, content_type: &str, body: impl Into<Body>) -> Answer {
        let headers = [("authorization", key), ("content-type", content_type), ("host", "kassa.test")];
        self.send(request("POST", ATTACHMENTS, &headers, body.into())).await
    }

    /// An attachment of these bytes.
    pub(crate) async fn file(&self, key: &str, content_type: &str, bytes: &'static str) -> Value {
        self.upload(key, content_type, bytes).await.is(200)
    }

    /// Removes an attachment as a server would that stopped before it deleted the bytes.
    pub(crate) fn remove(&self, id: &Value) {
        let id: AttachmentId = id.as_str().unwrap().parse().unwrap();
        let removal = self.memory.transact(&ReadSet { attachments: vec![id], ..ReadSet::default() }, &mut |view| {
            let attachment = view.attachments.get(id).unwrap().clone();
            view.attachments.put(Attachment { removed: true, ..attachment });
            view.accept_changes();
            Ok(())
        });
        removal.unwrap();
    }

    /// Allows the partner of a key another amount than all may store.
    pub(crate) async fn set_quota(&self, key: &str, kind: QuotaKind, amount: i64) {
        let id = self.json("GET", "/v1/resources/partners", key, &Value::Null).await.is(200)[0]["id"].clone();
        let partner = id.as_str().unwrap().parse().unwrap();
        let command = SetPartnerQuotas { partner, quotas: vec![(kind, Some(amount))] };
        self.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    }

    pub(crate) fn pass_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }

    /// What lies on the disk, parts of uploads included.
    pub(crate) fn files_on_disk(&self) -> usize {
        fn count(folder: &Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        count(self.folder.path())
    }

    /// Expects that no attachment is there, in part or whole.
    pub(crate) async fn has_nothing(&self, key: &str) {
        let list = self.get(ATTACHMENTS, &[("authorization", key)]).await;
        assert_eq!((list.is(200), self.files_on_disk()), (Value::Array(Vec::new()), 0));
    }
}

pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body).unwrap()
}

/// The path of a url of this shop.
pub(crate) fn path_of(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("http://kassa.test").unwrap().to_owned()
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    /// The value of a header; empty when it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        serde_json::from_slice(&self.bytes).unwrap()
    }

    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.is(status)["code"], code);
    }
}
