use openapi_generate_runtime::JsonText;
use openapi_generate_runtime::parameter::{
    Parameter, Shape, Style, StyleError, Tree, pairs, parse_pairs, parse_text, read_tree, text,
};
use proptest::prelude::*;

fn scalar() -> Tree {
    Tree::Text("blue".to_owned())
}

fn list() -> Tree {
    Tree::List(
        ["blue", "black", "brown"]
            .map(|item| Tree::Text(item.to_owned()))
            .into(),
    )
}

fn map() -> Tree {
    Tree::Map(
        [("R", "100"), ("G", "200")]
            .map(|(k, v)| (k.into(), Tree::Text(v.to_owned())))
            .into(),
    )
}

/// The table of examples in the OpenAPI specification, version 3.0.4.
#[test]
fn path_styles_follow_the_specification() {
    let color = Parameter::path("color");
    for (style, explode, expected) in [
        (
            Style::Simple,
            false,
            ["blue", "blue,black,brown", "R,100,G,200"],
        ),
        (
            Style::Simple,
            true,
            ["blue", "blue,black,brown", "R=100,G=200"],
        ),
        (
            Style::Label,
            false,
            [".blue", ".blue,black,brown", ".R,100,G,200"],
        ),
        (
            Style::Label,
            true,
            [".blue", ".blue.black.brown", ".R=100.G=200"],
        ),
        (
            Style::Matrix,
            false,
            [
                ";color=blue",
                ";color=blue,black,brown",
                ";color=R,100,G,200",
            ],
        ),
        (
            Style::Matrix,
            true,
            [
                ";color=blue",
                ";color=blue;color=black;color=brown",
                ";R=100;G=200",
            ],
        ),
    ] {
        let parameter = color.style(style, explode);
        let shapes = [
            (parameter, scalar()),
            (parameter.shape(Shape::List), list()),
            (parameter.shape(Shape::Map), map()),
        ];
        for ((parameter, tree), expected) in shapes.iter().zip(expected) {
            assert_eq!(text(parameter, tree), expected, "{style:?} {explode}");
            assert_eq!(
                parse_text(parameter, expected).as_ref(),
                Some(tree),
                "{expected}"
            );
        }
    }
}

#[test]
fn query_styles_follow_the_specification() {
    let color = Parameter::query("color");
    for (style, explode, expected) in [
        (
            Style::Form,
            false,
            ["color=blue", "color=blue,black,brown", "color=R,100,G,200"],
        ),
        (
            Style::Form,
            true,
            [
                "color=blue",
                "color=blue&color=black&color=brown",
                "R=100&G=200",
            ],
        ),
        (
            Style::SpaceDelimited,
            false,
            [
                "color=blue",
                "color=blue%20black%20brown",
                "color=R%20100%20G%20200",
            ],
        ),
        (
            Style::PipeDelimited,
            false,
            [
                "color=blue",
                "color=blue%7Cblack%7Cbrown",
                "color=R%7C100%7CG%7C200",
            ],
        ),
        (
            Style::DeepObject,
            true,
            [
                "color=blue",
                "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
                "color%5BR%5D=100&color%5BG%5D=200",
            ],
        ),
    ] {
        let parameter = color.style(style, explode);
        let shapes = [
            (parameter, scalar()),
            (parameter.shape(Shape::List), list()),
            (parameter.shape(Shape::Map), map()),
        ];
        for ((parameter, tree), expected) in shapes.iter().zip(expected) {
            assert_eq!(
                pairs(parameter, tree).join("&"),
                expected,
                "{style:?} {explode}"
            );
            assert_eq!(
                parsed(parameter, expected).as_ref(),
                Ok(&Some(tree.clone())),
                "{expected}"
            );
        }
    }
}

fn parsed(parameter: &Parameter, query: &str) -> Result<Option<Tree>, StyleError> {
    let raw: Vec<_> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    parse_pairs(parameter, &raw, &[*parameter])
}

#[test]
fn what_others_write_is_read_too() {
    let list_of = |style| {
        Parameter::query("color")
            .shape(Shape::List)
            .style(style, false)
    };
    assert_eq!(
        parsed(&list_of(Style::PipeDelimited), "color=blue|black|brown"),
        Ok(Some(list()))
    );
    assert_eq!(
        parsed(&list_of(Style::SpaceDelimited), "color=blue+black+brown"),
        Ok(Some(list()))
    );
    assert_eq!(parsed(&list_of(Style::Form), "other=1"), Ok(None));
    let deep = Parameter::query("color")
        .shape(Shape::Map)
        .style(Style::DeepObject, true);
    assert_eq!(
        parsed(&deep, "color[R]=100&color[G]=200&other=1"),
        Ok(Some(map()))
    );
    let header = Parameter::header("color").shape(Shape::List);
    assert_eq!(parse_text(&header, "blue, black ,brown"), Some(list()));
}

#[test]
fn texts_in_another_style_are_refused() {
    let path = Parameter::path("color");
    assert_eq!(parse_text(&path.style(Style::Label, false), "blue"), None);
    assert_eq!(
        parse_text(&path.style(Style::Matrix, false), ";colour=blue"),
        None
    );
    assert_eq!(parse_text(&path.shape(Shape::Map), "R,100,G"), None);
    assert_eq!(parse_text(&path, "%zz"), None);
    assert_eq!(
        parsed(&Parameter::query("color"), "color=%"),
        Err(StyleError)
    );
}

#[test]
fn json_in_a_parameter_is_one_text() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Filter {
        from: f64,
        tags: Vec<String>,
    }
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Parameters {
        filter: JsonText<Filter>,
    }
    let value = Parameters {
        filter: JsonText(Filter {
            from: 1.5,
            tags: vec!["a&b".to_owned()],
        }),
    };
    let parameter = Parameter::query("filter");
    let tree = Tree::of(&value).unwrap().unwrap();
    let query = pairs(&parameter, tree.get("filter").unwrap()).join("&");
    assert_eq!(
        query,
        "filter=%7B%22from%22%3A1.5%2C%22tags%22%3A%5B%22a%26b%22%5D%7D"
    );
    let read = parsed(&parameter, &query).unwrap().unwrap();
    assert_eq!(
        read_tree::<Parameters>(Tree::Map(vec![("filter".into(), read)])),
        Ok(value)
    );
}

#[test]
fn texts_become_the_types_that_are_asked_for() {
    #[derive(Debug, serde::Deserialize)]
    struct Typed {
        count: Option<u8>,
        flag: bool,
        price: openapi_generate_runtime::Number,
        one: Vec<String>,
    }
    let tree = Tree::Map(vec![
        ("count".into(), Tree::Text("7".to_owned())),
        ("flag".into(), Tree::Text("true".to_owned())),
        ("price".into(), Tree::Text("10.10".to_owned())),
        ("one".into(), Tree::Text("x".to_owned())),
    ]);
    let typed: Typed = read_tree(tree).unwrap();
    assert_eq!(
        (typed.count, typed.flag, typed.one),
        (Some(7), true, vec!["x".to_owned()])
    );
    assert_eq!(typed.price.as_str(), "10.10");
    let error = read_tree::<Typed>(Tree::Map(vec![("count".into(), scalar())])).unwrap_err();
    assert_eq!(
        (error.pointer.as_str(), error.message.as_str()),
        ("/count", "expected an integer")
    );
}

proptest! {
    #[test]
    fn any_texts_round_trip_in_query_and_path(
        items in prop::collection::vec("\\PC{1,8}", 1..4),
        explode in any::<bool>(),
    ) {
        let tree = Tree::List(items.into_iter().map(Tree::Text).collect());
        let query = Parameter::query("näme").shape(Shape::List).style(Style::Form, explode);
        prop_assert_eq!(parsed(&query, &pairs(&query, &tree).join("&")), Ok(Some(tree.clone())));
        for style in [Style::Simple, Style::Matrix] {
            let path = Parameter::path("name").shape(Shape::List).style(style, explode);
            prop_assert_eq!(parse_text(&path, &text(&path, &tree)), Some(tree.clone()));
        }
    }

    /// In these styles the delimiter itself cannot be escaped.
    #[test]
    fn texts_without_the_delimiter_round_trip(items in prop::collection::vec("[^ .|\\pC]{1,8}", 1..4)) {
        let tree = Tree::List(items.into_iter().map(Tree::Text).collect());
        for style in [Style::SpaceDelimited, Style::PipeDelimited] {
            let query = Parameter::query("name").shape(Shape::List).style(style, false);
            prop_assert_eq!(parsed(&query, &pairs(&query, &tree).join("&")), Ok(Some(tree.clone())));
        }
        let path = Parameter::path("name").shape(Shape::List).style(Style::Label, true);
        prop_assert_eq!(parse_text(&path, &text(&path, &tree)), Some(tree));
    }
}
