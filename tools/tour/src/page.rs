//! A page with blocks that a program writes, between comments that readers do not see.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};

/// Before the name of a block.
const BEGIN: &str = "<!-- tour: ";

/// After the name of a block.
const NAME_END: &str = " -->\n";

/// After a block.
const END: &str = "<!-- end -->";

/// The page with every block as it should be.
///
/// # Errors
/// If the page has a block that is not among these, lacks one, or does not end one.
pub fn renewed(page: &str, blocks: &BTreeMap<&str, String>) -> anyhow::Result<String> {
    let page = page.replace("\r\n", "\n");
    let mut parts = page.split(BEGIN);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut used = Vec::new();
    for part in parts {
        let (name, rest) = part.split_once(NAME_END).context("a block has no name")?;
        let (_, rest) = rest.split_once(END).with_context(|| format!("the block `{name}` has no end"))?;
        let block = blocks.get(name).with_context(|| format!("there is no block `{name}`"))?;
        text += &format!("{BEGIN}{name}{NAME_END}{block}{END}{rest}");
        used.push(name);
    }
    let unused: Vec<_> = blocks.keys().filter(|name| !used.contains(name)).copied().collect();
    ensure!(unused.is_empty(), "the page lacks {}", unused.join(", "));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> BTreeMap<&'static str, String> {
        BTreeMap::from([("one", "1\n".to_owned()), ("two", "2\n".to_owned())])
    }

    #[test]
    fn blocks_are_replaced_and_nothing_else() {
        let page = "# A\n\n<!-- tour: one -->\nold\n<!-- end -->\nB\n<!-- tour: two -->\n<!-- end -->\n\nC\n";
        let expected = "# A\n\n<!-- tour: one -->\n1\n<!-- end -->\nB\n<!-- tour: two -->\n2\n<!-- end -->\n\nC\n";
        assert_eq!(renewed(page, &blocks()).unwrap(), expected);
        assert_eq!(renewed(expected, &blocks()).unwrap(), expected);
        assert_eq!(renewed(&page.replace('\n', "\r\n"), &blocks()).unwrap(), expected);
    }

    #[test]
    fn a_page_that_does_not_fit_says_why() {
        for (page, words) in [
            ("<!-- tour: one -->\n<!-- end -->", "the page lacks two"),
            ("<!-- tour: three -->\n<!-- end -->", "no block `three`"),
            ("<!-- tour: one -->\n1", "`one` has no end"),
        ] {
            let error = format!("{:#}", renewed(page, &blocks()).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }
}
