//! What the files of a crate know of each other: none in a circle, and in `player` none of another algorithm.
//!
//! A file knows another if it names something that is declared there; a name that a third file passes on (`pub use`)
//! counts as one of the file that declares it. Tests inside of files may know anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// The way from the root of a crate to a module or to something in it; `main.rs` beside a library has one of its own.
type ModulePath = Vec<String>;

/// The files of a crate by their modules.
type Sources = BTreeMap<ModulePath, String>;

/// Which files each file knows.
type Graph = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

/// The names that a file mentions.
#[derive(Default)]
struct Mentions {
    /// The module of the file, and modules inside of it that are being looked at.
    module: ModulePath,
    /// The modules that the file declares.
    children: BTreeSet<String>,
    /// All names, as ways from the root.
    paths: BTreeSet<ModulePath>,
    /// What it passes on: the name in this file and the way to the original.
    passed_on: BTreeMap<String, ModulePath>,
}

impl Mentions {
    fn of(module: &ModulePath, source: &str) -> Self {
        let file = syn::parse_file(source).unwrap_or_else(|error| panic!("{module:?}: {error}"));
        let declared = file.items.iter().filter_map(|item| match item {
            Item::Mod(ItemMod { ident, content: None, .. }) => Some(ident.to_string()),
            _ => None,
        });
        let mut mentions = Self { module: module.clone(), children: declared.collect(), ..Self::default() };
        mentions.visit_file(&file);
        mentions
    }

    /// The way from the root to what stands here as `path`; none if that is in another crate or in this file.
    fn resolve(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let mut from = self.module.clone();
        match first.as_str() {
            "crate" => from.clear(),
            "self" => {}
            "super" => {
                from.pop();
                let more = rest.iter().take_while(|part| *part == "super").count();
                from.truncate(from.len() - more);
                return Some([&from, &rest[more..]].concat());
            }
            child if self.children.contains(child) => from.push(child.to_owned()),
            _ => return None,
        }
        from.extend(rest.iter().cloned());
        Some(from)
    }

    fn mention(&mut self, path: &[String]) {
        self.paths.extend(self.resolve(path));
    }

    fn mention_tokens(&mut self, tokens: TokenStream) {
        let mut path: ModulePath = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.mention(&std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.mention(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.mention_tokens(group.stream());
                    }
                }
            }
        }
        self.mention(&path);
    }
}

/// Whether something is there in tests alone.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list().ok().filter(|list| list.path.is_ident("cfg"));
        let tokens = list.map(|list| list.tokens.to_string()).unwrap_or_default();
        tokens == "test" || tokens.starts_with("all (test") || tokens.starts_with("all(test")
    })
}

/// The paths of a tree of `use`, with the name that each has afterwards.
fn leaves(tree: &UseTree, path: &mut ModulePath, out: &mut Vec<(String, ModulePath)>) {
    let mut leaf = |name: String, last: Option<String>| {
        out.push((name, path.iter().cloned().chain(last.filter(|last| last != "self")).collect()));
    };
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            leaves(&part.tree, path, out);
            path.pop();
        }
        UseTree::Name(name) => leaf(name.ident.to_string(), Some(name.ident.to_string())),
        UseTree::Rename(name) => leaf(name.rename.to_string(), Some(name.ident.to_string())),
        UseTree::Glob(_) => leaf("*".to_owned(), None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, path, out)),
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut named = Vec::new();
        leaves(&item.tree, &mut Vec::new(), &mut named);
        for (name, path) in named {
            match (&item.vis, self.resolve(&path)) {
                (Visibility::Inherited, _) => self.mention(&path),
                (_, Some(original)) => drop(self.passed_on.insert(name, original)),
                (_, None) => {}
            }
        }
    }

    /// Who may see something is not what it knows.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: ModulePath = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.mention(&parts);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.mention_tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }
}

/// The file that declares what a way leads to.
fn declaring(path: &[String], files: &BTreeMap<ModulePath, Mentions>) -> ModulePath {
    let file = (0..=path.len()).rev().map(|end| &path[..end]).find(|start| files.contains_key(*start));
    let file = file.expect("every crate has a root").to_vec();
    let name = path.get(file.len());
    match name.and_then(|name| files[&file].passed_on.get(name)) {
        Some(original) if original[..] != *path => declaring(&[&original[..], &path[file.len() + 1..]].concat(), files),
        _ => file,
    }
}

fn graph(sources: &Sources) -> Graph {
    let mentions = |(module, source): (&ModulePath, &String)| (module.clone(), Mentions::of(module, source));
    let files: BTreeMap<ModulePath, Mentions> = sources.iter().map(mentions).collect();
    let known = |module: &ModulePath, mentions: &Mentions| {
        let declaring = mentions.paths.iter().map(|path| declaring(path, &files));
        declaring.filter(|other| other != module).collect()
    };
    files.iter().map(|(module, mentions)| (module.clone(), known(module, mentions))).collect()
}

/// Files of which each knows the next and the last knows the first.
fn cycle(graph: &Graph) -> Option<Vec<ModulePath>> {
    fn search(graph: &Graph, way: &mut Vec<ModulePath>, done: &mut BTreeSet<ModulePath>) -> bool {
        let here = way.last().expect("a beginning").clone();
        for next in &graph[&here] {
            if let Some(start) = way.iter().position(|file| file == next) {
                way.drain(..start);
                return true;
            }
            if !done.contains(next) {
                way.push(next.clone());
                if search(graph, way, done) {
                    return true;
                }
                way.pop();
            }
        }
        done.insert(here);
        false
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|start| {
        let mut way = vec![start.clone()];
        (!done.contains(start) && search(graph, &mut way, &mut done)).then_some(way)
    })
}

/// The module of a file in the folder `src`.
fn module(file: &Path, has_library: bool) -> ModulePath {
    let mut path: ModulePath =
        file.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    match path.last().map(String::as_str) {
        Some("main") if has_library => {}
        Some("lib" | "main" | "mod") => drop(path.pop()),
        _ => {}
    }
    path
}

fn add_sources(folder: &Path, src: &Path, sources: &mut Sources) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            add_sources(&path, src, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = module(path.strip_prefix(src).unwrap(), src.join("lib.rs").exists());
            sources.insert(module, std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// The files of a crate in this folder.
fn sources(folder: &Path) -> Sources {
    let src = folder.join("src");
    let mut sources = Sources::new();
    add_sources(&src, &src, &mut sources);
    sources
}

#[test]
fn no_files_of_a_crate_know_each_other_in_a_circle() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().unwrap();
    for package in metadata.packages {
        let sources = sources(package.manifest_path.parent().unwrap().as_std_path());
        let cycle = cycle(&graph(&sources)).map(|files| files.iter().map(|file| file.join("::")).collect::<Vec<_>>());
        assert_eq!(cycle, None, "each of these files of `{}` knows the next", package.name);
    }
}

/// The algorithms of the crate `player`, which stand side by side.
const ALGORITHMS: [&str; 4] = ["heuristic", "mcts", "minimax", "random"];

#[test]
fn no_algorithm_knows_another_and_the_model_knows_nothing_but_itself() {
    let graph = graph(&sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../player")));
    let room = |file: &ModulePath| file.first().cloned().unwrap_or_default();
    for algorithm in ALGORITHMS {
        assert!(graph.keys().any(|file| room(file) == algorithm), "there is no `{algorithm}`");
    }
    for (file, known) in &graph {
        for other in known.iter().filter(|other| room(other) != room(file)) {
            let is_algorithm = |file| ALGORITHMS.contains(&room(file).as_str());
            assert!(!(is_algorithm(file) && is_algorithm(other)), "{file:?} knows {other:?}, which stands beside it");
            assert_ne!(room(file), "model", "{file:?} knows {other:?}, which stands above it");
        }
    }
}

/// The cycle in a crate of these files, with the names of the modules as one text each.
fn cycle_of<const N: usize>(files: [(&str, &str); N]) -> Option<Vec<String>> {
    let module = |name: &str| name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let sources = files.map(|(name, source)| (module(name), source.to_owned()));
    cycle(&graph(&Sources::from(sources))).map(|files| files.iter().map(|file| file.join("::")).collect())
}

#[test]
fn a_circle_is_found_however_a_file_is_named() {
    let root = ("", "mod a; mod b; pub use b::Thing;");
    for known in [
        "use crate::a::Other;",
        "use super::a::{Other as It};",
        "fn other() -> crate::a::Other { todo!() }",
        "fn other() { println!(\"{}\", crate::a::NUMBER); }",
        "mod inner { use super::super::a; }",
    ] {
        for thing in ["use crate::b::Thing;", "use crate::Thing;"] {
            assert_eq!(cycle_of([root, ("a", thing), ("b", known)]), Some(vec!["a".to_owned(), "b".to_owned()]));
        }
    }
    let parent = [("", "mod a;"), ("a", "mod inner; use self::inner::Inner;"), ("a::inner", "use super::Outer;")];
    assert_eq!(cycle_of(parent), Some(vec!["a".to_owned(), "a::inner".to_owned()]));
    for allowed in [
        "",
        "pub(in crate::a) struct S;",
        "#[cfg(test)] mod tests { use crate::a::Other; }",
        "/// [`Other`](crate::a::Other)\nstruct S;",
    ] {
        assert_eq!(cycle_of([root, ("a", "use crate::Thing;"), ("b", allowed)]), None);
    }
}
