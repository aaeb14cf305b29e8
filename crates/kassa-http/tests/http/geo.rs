//! `/v1/resources/countries` and `/v1/resources/cities`.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::shape;
use crate::harness::Shop;

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET countries", "", 200, [200, 200], [200, 200], 200),
    row("GET cities?limit=1", "", 200, [200, 200], [200, 200], 200),
];

#[tokio::test]
async fn a_city_says_where_it_is() {
    let shop = Shop::open().await;
    let answer = shop.anonymous().get("cities?ids=498817").await;
    assert_eq!(answer.total(), 1);
    insta::assert_snapshot!(shape(&answer.ok()[0]), @r#"
    {
      "country": "RU",
      "id": 498817,
      "name": {
        "default": "Saint Petersburg",
        "en": "Saint Petersburg"
      },
      "population": 5351935,
      "timezone": "Europe/Moscow",
      "type": "city"
    }
    "#);
}

#[tokio::test]
async fn a_country_has_names_in_many_languages() {
    let shop = Shop::open().await;
    let answer = shop.anonymous().get("countries?ids=ru,ZZ").await;
    assert_eq!(answer.total(), 1, "what is unknown is left out");
    let country = answer.ok()[0].clone();
    assert_eq!((&country["id"], &country["type"]), (&json!("RU"), &json!("country")));
    let name = &country["name"];
    assert_eq!((&name["default"], &name["en"], &name["ru"]), (&json!("Russia"), &json!("Russia"), &json!("Россия")));
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|city| city["id"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn cities_are_filtered_sorted_and_cut() {
    let shop = Shop::open().await;
    let nobody = shop.anonymous();
    let three = "cities?ids=520555,498817,524901";
    let (moscow, novgorod, petersburg) = (524_901, 520_555, 498_817);
    let cases = [
        ("", vec![moscow, novgorod, petersburg]),
        ("&sort=-population", vec![moscow, petersburg, novgorod]),
        ("&sort=country,-name", vec![petersburg, novgorod, moscow]),
        ("&limit=1&offset=1", vec![novgorod]),
        ("&page=2&page_size=2", vec![petersburg]),
        ("&suggest=%D0%BC%D0%9E%D1%81", vec![moscow]),
        ("&suggest=PETER&country=ru", vec![petersburg]),
        ("&country=de", vec![]),
        ("&country=", vec![moscow, novgorod, petersburg]),
    ];
    for (query, found) in cases {
        assert_eq!(numbers(&nobody.get(&format!("{three}{query}")).await.ok()), found, "{query}");
    }
    assert_eq!(nobody.get(&format!("{three}&limit=0")).await.total(), 3);
}

#[tokio::test]
async fn a_thousand_cities_come_at_once() {
    let shop = Shop::open().await;
    for query in ["", "?limit=5000"] {
        let answer = shop.anonymous().get(&format!("cities{query}")).await;
        assert_eq!(answer.total(), 69_472);
        assert_eq!(answer.ok().as_array().unwrap().len(), 1_000);
    }
    assert_eq!(shop.anonymous().get("countries").await.ok().as_array().unwrap().len(), 250);
}

#[tokio::test]
async fn a_bad_value_of_a_known_parameter_is_refused() {
    let shop = Shop::open().await;
    let cases = [
        ("cities?ids=x", "ids"),
        ("cities?ids=-1", "ids"),
        ("cities?country=russia", "country"),
        ("cities?sort=mayor", "sort"),
        ("cities?sort=--name", "sort"),
        ("cities?limit=x", "limit"),
        ("cities?suggest=a%00b", "suggest"),
        ("countries?ids=russia", "ids"),
        ("countries?sort=population", "sort"),
        ("countries?offset=-1", "offset"),
    ];
    for (path, field) in cases {
        let details = shop.anonymous().get(path).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], field, "{path}");
    }
    shop.anonymous().get("countries?country=x&unknown=1").await.ok();
}
