use openapi_generate_runtime::form;
use openapi_generate_runtime::parameter::{Parameter, Shape, Style};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Charge {
    amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    expand: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    items: Vec<Item>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Card {
    name: String,
    address: Item,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Item {
    text: String,
}

fn charge() -> Charge {
    let item = |text: &str| Item {
        text: text.to_owned(),
    };
    Charge {
        amount: 100,
        card: Some(Card {
            name: "A & B".to_owned(),
            address: item("Rue é+1"),
        }),
        expand: vec!["a".to_owned(), "b".to_owned()],
        items: vec![item("x"), item("y=z")],
    }
}

#[test]
fn objects_are_json_and_lists_repeat() {
    let text = form::write(&charge(), &[]).unwrap();
    let expected = "amount=100&card=%7B%22name%22%3A%22A+%26+B%22%2C%22address%22%3A%7B%22text%22%3A%22\
        Rue+%C3%A9%2B1%22%7D%7D&expand=a&expand=b&items=%7B%22text%22%3A%22x%22%7D\
        &items=%7B%22text%22%3A%22y%3Dz%22%7D";
    assert_eq!(text, expected);
    assert_eq!(form::read::<Charge>(text.as_bytes(), &[]), Ok(charge()));
}

#[test]
fn brackets_nest_where_the_style_says_so() {
    let deep = |name| Parameter::query(name).style(Style::DeepObject, true);
    let table = [
        deep("card").shape(Shape::Map),
        deep("items").shape(Shape::List),
    ];
    let text = form::write(&charge(), &table).unwrap();
    let expected = "amount=100&card%5Baddress%5D%5Btext%5D=Rue+%C3%A9%2B1&card%5Bname%5D=A+%26+B\
        &expand=a&expand=b&items%5B0%5D%5Btext%5D=x&items%5B1%5D%5Btext%5D=y%3Dz";
    assert_eq!(text, expected);
    assert_eq!(form::read::<Charge>(text.as_bytes(), &table), Ok(charge()));
}

#[test]
fn what_a_style_cannot_say_is_refused() {
    let table = [Parameter::query("card").shape(Shape::Map)];
    let error = form::write(&charge(), &table).unwrap_err().to_string();
    assert!(error.contains("`card` is nested deeper"), "{error}");
    assert!(form::write(&7, &[]).is_err());
}

#[test]
fn a_field_can_have_its_own_style() {
    let table = [Parameter::query("expand")
        .shape(Shape::List)
        .style(Style::DeepObject, true)];
    let text = form::write(&charge(), &table).unwrap();
    assert!(text.contains("&expand%5B0%5D=a&expand%5B1%5D=b&"), "{text}");
    assert_eq!(form::read::<Charge>(text.as_bytes(), &table), Ok(charge()));

    let table = [Parameter::query("expand")
        .shape(Shape::List)
        .style(Style::PipeDelimited, false)];
    let text = form::write(&charge(), &table).unwrap();
    assert!(text.contains("&expand=a%7Cb&"), "{text}");
    assert_eq!(form::read::<Charge>(text.as_bytes(), &table), Ok(charge()));
}

#[test]
fn what_others_write_is_read_too() {
    let charge: Charge = form::read(b"amount=1&expand[]=a&expand[]=b", &[]).unwrap();
    assert_eq!(charge.expand, ["a", "b"]);
    let charge: Charge = form::read(b"amount=1&expand=a&unknown=1&", &[]).unwrap();
    assert_eq!(charge.expand, ["a"]);
}

#[test]
fn what_is_wrong_has_a_place() {
    let error = form::read::<Charge>(b"amount=one", &[]).unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.malformed),
        ("/amount", false)
    );
    let error = form::read::<Charge>(b"amount=1&card[name]=x", &[]).unwrap_err();
    assert_eq!(error.pointer, "/card/address");
    assert!(
        form::read::<Charge>(b"amount=%zz", &[])
            .unwrap_err()
            .malformed
    );
    assert!(
        form::read::<Charge>(b"amount=\xff", &[])
            .unwrap_err()
            .malformed
    );
}

proptest! {
    #[test]
    fn any_texts_round_trip(name in any::<String>(), texts in prop::collection::vec("\\PC{0,6}", 0..4)) {
        let items = texts.iter().map(|text| Item { text: text.clone() }).collect();
        let charge = Charge { card: Some(Card { name, ..Card::default() }), items, expand: texts, amount: -1 };
        let text = form::write(&charge, &[]).unwrap();
        prop_assert_eq!(form::read::<Charge>(text.as_bytes(), &[]), Ok(charge));
    }

    #[test]
    fn any_bytes_are_judged_without_a_panic(text in "[a-c=&%+\\[\\]0-2]{0,40}") {
        let _: Result<serde::de::IgnoredAny, _> = form::read(text.as_bytes(), &[]);
    }
}

#[test]
fn a_field_of_the_media_type_json_is_json() {
    let json = |name| Parameter::query(name).style(Style::Json, true);
    let table = [
        json("amount"),
        json("expand").shape(Shape::List),
        json("card").shape(Shape::Map),
    ];
    let text = form::write(&charge(), &table).unwrap();
    let begin = "amount=100&card=%7B%22name%22%3A%22A+%26+B%22";
    assert!(text.starts_with(begin), "{text}");
    assert!(text.contains("&expand=%22a%22&expand=%22b%22&"), "{text}");
    assert_eq!(form::read::<Charge>(text.as_bytes(), &table), Ok(charge()));
    let broken = form::read::<Charge>(b"amount=1&expand=a", &table).unwrap_err();
    assert_eq!(broken.message, "field `expand` is no JSON");
}
