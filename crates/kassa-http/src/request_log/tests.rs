use kassa_store::RowCount;

use super::*;

const BEGIN: Timestamp = Timestamp::from_ms(1_000_000_000_000);
const ALL: PageWindow = PageWindow { limit: 200, offset: 0, count: RowCount::All };

fn log(requests_of_key: usize, bytes_of_shard: usize) -> RequestLog {
    RequestLog::new(RequestLogLimits { requests_of_key, bytes: bytes_of_shard * SHARDS })
}

/// A key of a partner; all partners of these tests share a shard if they are alike.
fn key(partner: i64, key: i64) -> (PartnerId, ApiKeyId) {
    (PartnerId::root(partner), ApiKeyId::root(key))
}

impl RequestLog {
    fn add(&self, key: (PartnerId, ApiKeyId), path: &str, status: StatusCode, ms: i64) {
        let begun_at = BEGIN.plus_ms(ms - 3);
        self.record(PendingRequest::new(&Method::GET, path, key, begun_at), status, BEGIN.plus_ms(ms));
    }

    fn paths(&self, key: (PartnerId, ApiKeyId), now_ms: i64) -> Vec<String> {
        let page = self.page(key, None, BEGIN.plus_ms(now_ms), ALL);
        page.requests.iter().map(|request| request.path.to_string()).collect()
    }

    /// What all shards count, and what their rows say.
    fn assert_counted(&self) -> usize {
        let mut all = 0;
        for shard in &self.shards {
            let shard = shard.lock();
            let said: usize = shard.partners.values().map(PartnerRequests::bytes).sum();
            assert_eq!(shard.bytes, said);
            all += said;
        }
        all
    }
}

#[test]
fn requests_of_a_key_are_there_newest_first_and_no_others() {
    let log = log(3, 100_000);
    for (at, path) in (0..).zip(["/a", "/b", "/c", "/d"]) {
        log.add(key(1, 1), path, StatusCode::OK, at);
    }
    log.add(key(1, 2), "/other-key", StatusCode::OK, 9);
    log.add(key(2, 1), "/other-partner", StatusCode::OK, 9);
    assert_eq!(log.paths(key(1, 1), 10), ["/d", "/c", "/b"], "and the oldest is gone");
    assert_eq!(log.paths(key(1, 2), 10), ["/other-key"]);
    assert_eq!(log.paths(key(1, 3), 10), [""; 0]);
    let page = log.page(key(1, 1), None, BEGIN, PageWindow { limit: 1, offset: 1, count: RowCount::All });
    assert_eq!((page.total, &*page.requests[0].path, page.requests[0].duration_ms()), (3, "/c", 3));
    log.assert_counted();
}

#[test]
fn requests_are_narrowed_to_a_class_of_statuses() {
    let log = log(10, 100_000);
    for (at, status) in (0..).zip([200, 201, 404, 422, 503]) {
        log.add(key(1, 1), &format!("/{status}"), StatusCode::from_u16(status).unwrap(), at);
    }
    for (class, statuses) in [(2, vec![201, 200]), (3, vec![]), (4, vec![422, 404]), (5, vec![503])] {
        let page = log.page(key(1, 1), Some(&[class]), BEGIN, ALL);
        let found: Vec<u16> = page.requests.iter().map(LoggedRequest::status).collect();
        assert_eq!((page.total, &found), (statuses.len() as u64, &statuses), "{class}");
    }
}

#[test]
fn a_request_is_forgotten_after_a_day() {
    let log = log(10, 100_000);
    log.add(key(1, 1), "/old", StatusCode::OK, 0);
    log.add(key(1, 1), "/new", StatusCode::OK, 1);
    assert_eq!(log.paths(key(1, 1), KEPT_MS), ["/new", "/old"]);
    assert_eq!(log.paths(key(1, 1), KEPT_MS + 1), ["/new"]);
    assert_eq!(log.paths(key(1, 1), KEPT_MS + 2), [""; 0]);
    assert_eq!(log.assert_counted(), 0, "nothing of it is left in memory");
}

#[test]
fn a_long_path_is_cut_between_letters() {
    let log = log(10, 100_000);
    let path = format!("/{}", "ä".repeat(500));
    log.add(key(1, 1), &path, StatusCode::NOT_FOUND, 0);
    let kept = log.paths(key(1, 1), 1).remove(0);
    assert!(path.starts_with(&kept) && (PATH_BYTES_MAX - 3..=PATH_BYTES_MAX).contains(&kept.len()), "{}", kept.len());
}

/// Partners whose requests are in one shard.
fn neighbours(log: &RequestLog) -> Vec<i64> {
    let first: *const _ = log.shard(PartnerId::root(1));
    (1..).filter(|id| std::ptr::eq(log.shard(PartnerId::root(*id)), first)).take(3).collect()
}

#[test]
fn who_asks_much_takes_nothing_of_those_who_ask_little() {
    let log = log(1_000, 20_000);
    let [quiet, loud, many] = neighbours(&log)[..] else { panic!("there are three") };
    for at in 0..10 {
        log.add(key(quiet, 1), &format!("/quiet/{at}"), StatusCode::OK, at);
        log.add(key(loud, 2), &format!("/rare/{at}"), StatusCode::OK, at);
    }
    for at in 10..5_000 {
        log.add(key(loud, 1), &format!("/loud/{at}"), StatusCode::OK, at);
        log.add(key(many, at), &format!("/many/{at}"), StatusCode::OK, at);
        assert!(log.assert_counted() <= 20_000 + 2_000, "it never takes more");
    }
    assert_eq!(log.paths(key(quiet, 1), 5_000).len(), 10, "a partner keeps what it has");
    assert_eq!(log.paths(key(loud, 2), 5_000).len(), 10, "and a key, too");
    let kept = log.paths(key(loud, 1), 5_000);
    assert!(kept.len() > 10 && kept[0] == "/loud/4999", "{}", kept.len());
    assert_eq!(log.paths(key(many, 4_999), 5_000), ["/many/4999"], "the newest are kept");
}
