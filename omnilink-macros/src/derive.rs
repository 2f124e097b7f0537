//! `#[derive(ToTla)]` and `#[derive(FromTla)]`: the shape of a type determines its TLA+ value.

mod attributes;
mod case;
mod from_tla;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Fields, Variant};

use crate::errors::Errors;
pub use from_tla::from_tla;

use attributes::{ContainerAttributes, FieldAttributes, VariantAttributes};

/// The implementation of `ToTla` for `input`.
pub fn to_tla(input: DeriveInput) -> syn::Result<TokenStream> {
    let body = match &input.data {
        Data::Struct(data) => encode_struct(&input, &data.fields)?,
        Data::Enum(data) => encode_enum(&input, data)?,
        Data::Union(data) => {
            return Err(syn::Error::new(
                data.union_token.span,
                "the valid field of a union is unknown: implement `ToTla` by hand",
            ));
        }
    };
    let mut generics = input.generics;
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(::omnilink::__private::ToTla));
    }
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::omnilink::__private::ToTla for #name #type_generics #where_clause {
            fn encode(&self, out: &mut ::omnilink::__private::Encoder<'_>) {
                #body
            }
        }
    })
}

/// A field that is recorded.
struct Member {
    /// The variable that it is bound to.
    binding: Ident,
    /// Name in the record; in a tuple not used.
    name: String,
    /// Where the user wrote the field.
    span: Span,
}

impl Member {
    fn encode(&self) -> TokenStream {
        let binding = &self.binding;
        let at = Span::call_site().located_at(self.span);
        quote_spanned!(at=> ::omnilink::__private::ToTla::encode(#binding, out);)
    }
}

/// A struct's or variant's fields: a pattern that binds them and those that are recorded.
struct Members {
    pattern: TokenStream,
    recorded: Vec<Member>,
}

impl Members {
    fn new(fields: &Fields, rename: impl Fn(&str) -> String) -> syn::Result<Self> {
        let mut errors = Errors::default();
        let mut recorded: Vec<Member> = Vec::new();
        let mut patterns = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let attributes = FieldAttributes::parse(&field.attrs, field.ident.is_some())?;
            let member = match &field.ident {
                Some(ident) => ident.to_token_stream(),
                None => Literal::usize_unsuffixed(index).into_token_stream(),
            };
            if attributes.skip {
                continue;
            }
            let name = match (attributes.rename, &field.ident) {
                (Some(name), _) => name,
                (None, Some(ident)) => rename(&ident.unraw().to_string()),
                (None, None) => String::new(),
            };
            let span = field.span();
            if field.ident.is_some() && recorded.iter().any(|earlier| earlier.name == name) {
                errors.add(syn::Error::new(span, format!("two fields are called `{name}` in the record")));
            }
            let binding = Ident::new(&format!("field_{index}"), Span::mixed_site().located_at(span));
            patterns.push(quote!(#member: #binding));
            recorded.push(Member { binding, name, span });
        }
        errors.check()?;
        // Also for tuples and units: `Pair { 0: field_0, .. }` is a pattern like any other.
        Ok(Self { pattern: quote!({ #(#patterns,)* .. }), recorded })
    }

    /// `[tag |-> …, name |-> …]`
    fn encode_record(&self, tag: Option<TokenStream>) -> TokenStream {
        let len = Literal::usize_unsuffixed(self.recorded.len() + usize::from(tag.is_some()));
        let fields = self.recorded.iter().map(|member| {
            let (name, value) = (&member.name, member.encode());
            quote!(out.str(#name); #value)
        });
        quote!(out.function(#len, |out| { #tag #(#fields)* });)
    }

    /// `<<a, b>>`
    fn encode_tuple(&self) -> TokenStream {
        let len = Literal::usize_unsuffixed(self.recorded.len());
        let fields = self.recorded.iter().map(Member::encode);
        quote!(out.tuple(#len, |out| { #(#fields)* });)
    }
}

fn encode_struct(input: &DeriveInput, fields: &Fields) -> syn::Result<TokenStream> {
    let attributes = ContainerAttributes::parse(&input.attrs)?;
    attributes.check_struct(fields)?;
    let members = Members::new(fields, |name| attributes.rename_all.apply(name))?;
    let pattern = &members.pattern;
    let encode = match fields {
        Fields::Named(_) => members.encode_record(None),
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => match members.recorded.as_slice() {
            [inner] => inner.encode(),
            _ => return Err(syn::Error::new_spanned(fields, "a newtype is its field, which cannot be skipped")),
        },
        Fields::Unnamed(_) => members.encode_tuple(),
        Fields::Unit => {
            let name = attributes.rename.unwrap_or_else(|| input.ident.unraw().to_string());
            return Ok(quote!(out.str(#name);));
        }
    };
    Ok(quote!(let Self #pattern = self; #encode))
}

fn encode_enum(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let attributes = ContainerAttributes::parse(&input.attrs)?;
    let has_data = data.variants.iter().any(|variant| !variant.fields.is_empty());
    attributes.check_enum(has_data)?;
    if data.variants.is_empty() {
        return Ok(quote!(match *self {}));
    }
    let mut errors = Errors::default();
    let mut names: Vec<String> = Vec::new();
    let mut arms = Vec::new();
    for variant in &data.variants {
        let given = VariantAttributes::parse(&variant.attrs)?.rename;
        let name = given.unwrap_or_else(|| attributes.rename_all.apply(&variant.ident.unraw().to_string()));
        if names.contains(&name) {
            errors.add(syn::Error::new(variant.ident.span(), format!("two variants are called `{name}` in traces")));
        }
        let ident = &variant.ident;
        arms.push(if has_data {
            let tag = attributes.tag.as_deref().unwrap_or("tag");
            let (pattern, encode) = encode_variant(variant, tag, &name)?;
            quote!(Self::#ident #pattern => { #encode })
        } else {
            quote!(Self::#ident { .. } => out.str(#name),)
        });
        names.push(name);
    }
    errors.check()?;
    Ok(quote!(match self { #(#arms)* }))
}

/// The pattern and the encoding of one variant of an enum with data.
fn encode_variant(variant: &Variant, tag: &str, name: &str) -> syn::Result<(TokenStream, TokenStream)> {
    let members = Members::new(&variant.fields, str::to_owned)?;
    let write_tag = quote!(out.str(#tag); out.str(#name););
    let clash =
        |what: &str| format!("{what} is called `{tag}`, as the tag is: choose another with `#[tla(tag = \"…\")]`");
    let encode = match &variant.fields {
        Fields::Unnamed(fields) if !members.recorded.is_empty() => {
            if tag == "value" {
                return Err(syn::Error::new_spanned(fields, clash("what a tuple variant holds")));
            }
            let value = match members.recorded.as_slice() {
                [inner] if fields.unnamed.len() == 1 => inner.encode(),
                _ => members.encode_tuple(),
            };
            quote!(out.function(2, |out| { #write_tag out.str("value"); #value });)
        }
        _ => {
            if let Some(member) = members.recorded.iter().find(|member| member.name == tag) {
                return Err(syn::Error::new(member.span, clash("a field")));
            }
            members.encode_record(Some(write_tag))
        }
    };
    Ok((members.pattern, encode))
}
