//! By what messages are signed, and what a test of a webhook shows.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use crate::receiver::{Received, Receiver};
use crate::shop::{HOUR_MS, Shop, text};

/// As a receiver verifies, by what is public of the standard.
fn is_signed_by(received: &Received, secret: &str) -> bool {
    let header = |name: &str| received.headers[name].as_str();
    let key = base64(secret.strip_prefix("whsec_").unwrap());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.{}", header("webhook-id"), header("webhook-timestamp"), received.body).as_bytes());
    let expected = mac.finalize().into_bytes();
    let mut signatures = header("webhook-signature").split(' ').map(|one| base64(one.strip_prefix("v1,").unwrap()));
    signatures.any(|signature| signature == expected.as_slice())
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter(|byte| *byte != b'=') {
        let value = DIGITS.iter().position(|own| *own == digit).unwrap();
        (bits, count) = (bits << 6 | u32::try_from(value).unwrap(), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    bytes
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, old) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    assert_eq!(shop.get(&format!("{path}/secret")).await["data"]["secret"], old);
    assert_eq!(shop.get(&path).await["data"]["secret"], json!(null), "only where it is asked for");
    let sent = |shop| async move {
        let shop: &Shop = shop;
        shop.order().await;
        shop.send().await;
    };
    sent(&shop).await;
    let first = receiver.take().pop().unwrap();
    assert!(is_signed_by(&first, &old));
    assert_eq!(first.headers["webhook-timestamp"], "1767225600");
    let rotated = shop.post(&format!("{path}/secret"), json!({})).await;
    let new = text(&rotated["data"]["secret"]);
    assert_eq!(rotated["data"]["previous_signs_till"], "2026-01-02 00:00:00");
    sent(&shop).await;
    let second = receiver.take().pop().unwrap();
    assert!(is_signed_by(&second, &new) && is_signed_by(&second, &old) && new != old);
    shop.pass_ms(24 * HOUR_MS);
    shop.engine.watch_webhooks().await.unwrap();
    sent(&shop).await;
    let third = receiver.take().pop().unwrap();
    assert!(is_signed_by(&third, &new) && !is_signed_by(&third, &old));
    assert_eq!(shop.get(&format!("{path}/secret")).await["data"]["previous_signs_till"], json!(null));
}

#[tokio::test]
async fn what_is_under_way_during_a_rotation_is_sent_once_and_what_follows_has_both_signatures() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, old) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    shop.order().await;
    shop.send().await;
    assert_eq!(receiver.take_changes(), ["order.reserved 1"], "from now on several are sent at a time");
    receiver.hold_answers(true);
    let first = shop.order().await;
    let rotation = async {
        receiver.has_received(2).await;
        let rotated = shop.post(&format!("{path}/secret"), json!({})).await;
        let second = shop.order().await;
        receiver.has_received(3).await;
        receiver.hold_answers(false);
        (text(&rotated["data"]["secret"]), second)
    };
    let ((), (new, second)) = tokio::join!(shop.send(), rotation);
    shop.send().await;
    let messages = receiver.take();
    let told: Vec<String> = messages.iter().map(|message| text(&message.json()["resource"]["id"])).collect();
    assert_eq!(told, [first, second]);
    let signed = |message| [is_signed_by(message, &old), is_signed_by(message, &new)];
    assert_eq!([signed(&messages[0]), signed(&messages[1])], [[true, false], [true, true]]);
    let attempts = shop.get(&format!("{path}/attempts")).await;
    assert_eq!(attempts["total_count"], 3);
}

#[tokio::test]
async fn a_test_shows_what_the_receiver_answers() {
    let receiver = Receiver::start().await;
    let shop = Shop::open(&[&receiver]).await;
    let (path, secret) = shop.webhook(&receiver, json!({"types": ["order.*"]})).await;
    let tested = shop.post(&format!("{path}/test"), json!({})).await["data"].clone();
    assert_eq!((&tested["accepted"], &tested["status"], &tested["answer"]), (&json!(true), &json!(200), &json!("ok")));
    let messages = receiver.take().pop().unwrap();
    assert_eq!(messages.json()["type"], "webhook.test");
    assert!(is_signed_by(&messages, &secret));
    receiver.answer(500);
    let tested = shop.post(&format!("{path}/test"), json!({})).await["data"].clone();
    assert_eq!((&tested["accepted"], &tested["status"], &tested["error"]), (&json!(false), &json!(500), &json!(null)));
    let attempts = shop.get(&format!("{path}/attempts?failed=true")).await;
    assert_eq!((&attempts["total_count"], &attempts["data"][0]["type"]), (&json!(1), &json!("webhook.test")));
    assert_eq!(shop.get(&path).await["data"]["failures"], 0, "it is held against nobody");
    for _ in 2..30 {
        shop.post(&format!("{path}/test"), json!({})).await;
    }
    let key = shop.key.clone();
    shop.json("POST", &format!("{path}/test"), &key, &json!({})).await.is(429);
}
