//! Names that people have typed with bad intent.

use crate::harness::{ANN, MailHarness};
use crate::sale::SaleFixture;

const HEADERS: [&str; 8] =
    ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"];

/// Tries to leave its header, its line, its part, and its tag.
const INJECTION: &str =
    "X\r\nBcc: eve@example.org\r\n\r\n--{boundary}\r\n<script>alert(\"'&\")</script>\u{0}\u{2028}.\r\n";

#[tokio::test]
async fn names_cannot_inject_headers_or_markup() {
    let harness = MailHarness::memory().await;
    SaleFixture {
        title: INJECTION,
        set: INJECTION,
        venue: Some((INJECTION, INJECTION)),
        ..SaleFixture::default_for(&harness)
    }
    .sell()
    .await;
    let letter = harness.only_sent_mail().await;
    assert_eq!(letter.headers(), HEADERS);
    assert_eq!(letter.to, [ANN]);
    let one_line = "X Bcc: eve@example.org --{boundary} <script>alert(\"'&\")</script> .";
    assert_eq!(letter.subject, format!("Your tickets: {one_line}"));
    assert_eq!(letter.text.lines().filter(|line| line.starts_with("Bcc")).count(), 0, "{}", letter.text);
    assert!(letter.text.contains(&format!("Where: {one_line}, {one_line}, Hamburg\n")), "{}", letter.text);
    assert!(letter.html.contains("&lt;script&gt;alert(&quot;&#39;&amp;&quot;)&lt;/script&gt;"), "{}", letter.html);
    // The only element of its kind is our own, and nothing in it ends it.
    let [_, data] = letter.html.split("<script").collect::<Vec<_>>()[..] else { panic!("{}", letter.html) };
    let data = data.strip_prefix(" type=\"application/ld+json\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data[0]["reservationFor"]["name"], INJECTION);
    assert_eq!(letter.pictures.len(), 2);
}

#[tokio::test]
async fn an_event_without_a_name_has_a_mail_all_the_same() {
    let harness = MailHarness::memory().await;
    SaleFixture { title: " \r\n", set: "", ..SaleFixture::default_for(&harness) }.sell().await;
    let letter = harness.only_sent_mail().await;
    assert_eq!((letter.headers().as_slice(), letter.subject.as_str()), (&HEADERS[..], "Your tickets:"));
    assert_eq!(letter.pictures.len(), 2);
}
