//! The drawing that a page changes is the one that Rust makes.

use game::{Bitboard, Color, ColorSet, Rules};
use picture::svg::{SCRIPT, Svg};
use proptest::prelude::*;
use rquickjs::{Context, Runtime};

use super::common::random_position;

/// Elements that a page would have, as far as `paintBoard` knows them.
const PAGE: &str = r#"
    const elements = {};
    function element(selector) {
        return (elements[selector] ??= {
            attributes: {},
            textContent: "",
            setAttribute(key, value) { this.attributes[key] = String(value); },
            removeAttribute(key) { delete this.attributes[key]; },
        });
    }
    const svg = { querySelector: element };
    const get = (selector, key) => key ? element(selector).attributes[key] ?? "" : element(selector).textContent;
"#;

/// The numbers of cells, not in order.
fn numbers(cells: Bitboard) -> String {
    let mut numbers: Vec<String> = cells.iter().map(|cell| (20 * cell.y() + cell.x()).to_string()).collect();
    numbers.reverse();
    format!("[{}]", numbers.join(","))
}

/// The attribute of an element that has `class` and lies in the group `group`, if a group is named.
fn attribute<'a>(svg: &'a str, group: &str, class: &str, key: &str) -> &'a str {
    let rest = &svg[svg.find(group).unwrap()..];
    let rest = &rest[rest.find(&format!("class=\"{class}\"")).unwrap()..];
    let tag = &rest[..rest.find('>').unwrap()];
    let Some(at) = tag.find(&format!(" {key}=\"")) else { return "" };
    tag[at + key.len() + 3..].split('"').next().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn pages_draw_as_rust_does(seed: u64, plies in 0usize..90, before in 0usize..90) {
        let runtime = Runtime::new().unwrap();
        let context = Context::full(&runtime).unwrap();
        context.with(|js| {
            js.eval::<(), _>(format!("{PAGE}{SCRIPT}")).unwrap();
            // What an earlier position left must not stay.
            for plies in [before, plies] {
                let (position, last) = random_position(Rules::Season2027, seed, plies);
                let board = position.board();
                let svg = Svg {
                    last,
                    letters: true,
                    anchors: ColorSet::ALL,
                    title: Some("a title"),
                    description: Some("a description"),
                    style: false,
                    ..Svg::new(&position)
                };
                let svg = svg.to_string();
                let lists = |of: &dyn Fn(Color) -> Bitboard| Color::ALL.map(|color| numbers(of(color))).join(",");
                let call = format!(
                    "paintBoard(svg, {{ covered: [{}], last: {}, anchors: [{}], title: 'a title' }})",
                    lists(&|color| board.covered(color)),
                    last.map_or("[]".to_owned(), |last| numbers(last.cells())),
                    lists(&|color| board.anchors(color)),
                );
                js.eval::<(), _>(call).unwrap();
                let drawn = |selector: &str, key: &str| -> String {
                    js.eval(format!("get('{selector}', '{key}')")).unwrap()
                };
                for class in ["blue", "yellow", "red", "green"] {
                    for (group, key) in [("cells", "d"), ("anchors", "d"), ("letters", "x"), ("letters", "y")] {
                        let expected = attribute(&svg, &format!("class=\"{group}\""), class, key);
                        assert_eq!(drawn(&format!(".{group} .{class}"), key), expected, "{group} {class} {key}");
                    }
                    let letters = drawn(&format!(".letters .{class}"), "");
                    assert!(svg.contains(&format!(">{letters}</text>")), "{letters}");
                }
                for class in ["last-edge", "last"] {
                    assert_eq!(drawn(&format!(".{class}"), "d"), attribute(&svg, "", class, "d"));
                }
                assert_eq!(drawn("title", ""), "a title");
                assert_eq!(drawn("desc", ""), "", "it stays as it is");
            }
        });
    }
}
