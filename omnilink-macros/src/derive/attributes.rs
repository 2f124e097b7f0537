//! `#[tla(…)]` on types, fields and variants.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, LitStr};

use super::case::Case;

/// On a struct or enum.
#[derive(Default)]
pub struct ContainerAttributes {
    /// The string that a unit struct becomes.
    pub rename: Option<String>,
    /// How names of fields or variants are spelt.
    pub rename_all: Case,
    /// The field of the record that names the variant.
    pub tag: Option<String>,
    rename_at: Option<Span>,
    tag_at: Option<Span>,
}

/// On a variant.
#[derive(Default)]
pub struct VariantAttributes {
    /// The variant's name.
    pub rename: Option<String>,
    /// Further names that are read as this variant.
    pub aliases: Vec<String>,
    /// All other names are read as this variant.
    pub other_at: Option<Span>,
}

/// On a field.
#[derive(Default)]
pub struct FieldAttributes {
    /// The field's name in the record.
    pub rename: Option<String>,
    /// The field is not recorded.
    pub skip: bool,
}

impl ContainerAttributes {
    pub fn parse(attrs: &[Attribute]) -> syn::Result<Self> {
        let mut parsed = Self::default();
        each(attrs, |meta| {
            if meta.path.is_ident("rename") {
                parsed.rename_at = Some(meta.path.span());
                parsed.rename = Some(name(&meta)?);
            } else if meta.path.is_ident("rename_all") {
                parsed.rename_all = meta.value()?.parse::<LitStr>().and_then(|text| Case::parse(&text))?;
            } else if meta.path.is_ident("tag") {
                parsed.tag_at = Some(meta.path.span());
                parsed.tag = Some(name(&meta)?);
            } else {
                let known = "a type can have `rename_all = \"…\"`, an enum with data `tag = \"…\"`, \
                             a unit struct `rename = \"…\"`";
                return Err(meta.error(known));
            }
            Ok(())
        })?;
        Ok(parsed)
    }

    /// What makes sense on a struct.
    pub fn check_struct(&self, fields: &Fields) -> syn::Result<()> {
        if let Some(at) = self.tag_at {
            return Err(syn::Error::new(at, "a struct has no tag: only records of enums with data have one"));
        }
        match (self.rename_at, fields) {
            (None, _) | (_, Fields::Unit) => Ok(()),
            (Some(at), _) => Err(syn::Error::new(at, "the name of a struct with fields is not recorded")),
        }
    }

    /// What makes sense on an enum.
    pub fn check_enum(&self, has_data: bool) -> syn::Result<()> {
        if let Some(at) = self.rename_at {
            return Err(syn::Error::new(at, "the name of an enum is not recorded: rename its variants"));
        }
        match self.tag_at {
            Some(at) if !has_data => Err(syn::Error::new(at, "an enum without data is a string: it has no tag")),
            _ => Ok(()),
        }
    }
}

impl VariantAttributes {
    pub fn parse(attrs: &[Attribute]) -> syn::Result<Self> {
        let mut parsed = Self::default();
        each(attrs, |meta| {
            if meta.path.is_ident("rename") {
                parsed.rename = Some(name(&meta)?);
            } else if meta.path.is_ident("alias") {
                parsed.aliases.push(name(&meta)?);
            } else if meta.path.is_ident("other") {
                parsed.other_at = Some(meta.path.span());
            } else {
                return Err(
                    meta.error("a variant can have `rename = \"…\"`, and for `FromTla` `alias = \"…\"` and `other`")
                );
            }
            Ok(())
        })?;
        Ok(parsed)
    }
}

impl FieldAttributes {
    pub fn parse(attrs: &[Attribute], is_named: bool) -> syn::Result<Self> {
        let mut parsed = Self::default();
        each(attrs, |meta| {
            if meta.path.is_ident("skip") {
                parsed.skip = true;
            } else if !meta.path.is_ident("rename") {
                return Err(meta.error("a field can have `rename = \"…\"` and `skip`"));
            } else if is_named {
                parsed.rename = Some(name(&meta)?);
            } else {
                return Err(meta.error("a field of a tuple has no name: it can only have `skip`"));
            }
            Ok(())
        })?;
        Ok(parsed)
    }
}

fn each(attrs: &[Attribute], mut read: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>) -> syn::Result<()> {
    attrs.iter().filter(|attr| attr.path().is_ident("tla")).try_for_each(|attr| attr.parse_nested_meta(&mut read))
}

fn name(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    Ok(meta.value()?.parse::<LitStr>()?.value())
}
