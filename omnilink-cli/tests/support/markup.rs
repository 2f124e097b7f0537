//! A reader of HTML as strict as XML, so that a page in which text became markup does not pass.

use std::collections::BTreeSet;

/// Elements that have nothing in them and no end.
const VOID: [&str; 2] = ["meta", "br"];

/// What a page consists of.
#[derive(Debug, Default)]
pub struct Markup {
    /// The names of its elements.
    pub elements: BTreeSet<String>,
    /// The places in it that links may lead to.
    pub ids: BTreeSet<String>,
    pub links: Vec<Link>,
}

/// Where a link leads.
#[derive(Debug)]
pub enum Link {
    Place(String),
    File(String),
}

/// Reads a page; says what is wrong with it.
pub fn read(page: &str) -> Result<Markup, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("it does not begin as a page does")?;
    let (mut markup, mut open) = (Markup::default(), Vec::new());
    loop {
        let (text, after) = rest.split_once('<').unwrap_or((rest, ""));
        // What is in a style is no markup.
        if open.last() != Some(&"style") {
            check_text(text)?;
        }
        if after.is_empty() {
            return if open.is_empty() { Ok(markup) } else { Err(format!("{open:?} do not end")) };
        }
        let (tag, next) = after.split_once('>').ok_or("a tag does not end")?;
        rest = next;
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => continue,
                last => return Err(format!("{last:?} ends with </{name}>")),
            }
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("<{tag}> is no tag"));
        }
        markup.elements.insert(name.to_owned());
        read_attributes(attributes, &mut markup)?;
        if !VOID.contains(&name) {
            open.push(name);
        }
    }
}

fn read_attributes(text: &str, markup: &mut Markup) -> Result<(), String> {
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("{text}: an attribute has no value"))?;
        let (value, next) = after.split_once('"').ok_or_else(|| format!("{text}: a value does not end"))?;
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') || name.starts_with("on") {
            return Err(format!("{name} is no attribute of ours"));
        }
        check_text(value)?;
        match (name, value.strip_prefix('#')) {
            ("id", _) => drop(markup.ids.insert(value.to_owned())),
            ("href", Some(place)) => markup.links.push(Link::Place(place.to_owned())),
            ("href", None) => markup.links.push(Link::File(value.to_owned())),
            _ => {}
        }
        rest = next.trim_start();
    }
    Ok(())
}

/// Characters that mean something are escaped.
fn check_text(text: &str) -> Result<(), String> {
    let mut after = text.split('&').skip(1);
    let is_reference = |rest: &str| ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| rest.starts_with(name));
    match text.contains('>') || !after.all(is_reference) {
        true => Err(format!("{text:?} is not escaped")),
        false => Ok(()),
    }
}
