//! `#[derive(FromTla)]`: the way back of `#[derive(ToTla)]`, and from calls by the names of actions and parameters.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Fields, Variant};

use super::attributes::{ContainerAttributes, FieldAttributes, VariantAttributes};
use crate::errors::Errors;

/// The implementation of `FromTla` for `input`; `root` is the module where the trait is.
pub fn from_tla(input: DeriveInput, root: &TokenStream) -> syn::Result<TokenStream> {
    let (value, call) = match &input.data {
        Data::Struct(data) => read_struct(&input, &data.fields, root)?,
        Data::Enum(data) => read_enum(&input, data, root)?,
        Data::Union(data) => {
            return Err(syn::Error::new(
                data.union_token.span,
                "the valid field of a union is unknown: implement `FromTla` by hand",
            ));
        }
    };
    let mut generics = input.generics;
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(#root::FromTla));
    }
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #root::FromTla for #name #type_generics #where_clause {
            fn from_tla(value: &#root::Value) -> ::core::result::Result<Self, #root::Mismatch> {
                #value
            }

            fn from_call(call: &mut #root::NamedCall<'_>) -> ::core::result::Result<Self, #root::Mismatch> {
                #call
            }
        }
    })
}

/// A field, and how it is read.
struct Member {
    /// Its name or number.
    member: TokenStream,
    /// Its name in the record or among the arguments; empty in a tuple.
    name: String,
    /// Where the user wrote it.
    span: Span,
    /// It gets its default value.
    skip: bool,
}

struct Members(Vec<Member>);

impl Members {
    fn new(fields: &Fields, rename: impl Fn(&str) -> String) -> syn::Result<Self> {
        let mut errors = Errors::default();
        let mut members: Vec<Member> = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let FieldAttributes { rename: given, skip } = FieldAttributes::parse(&field.attrs, field.ident.is_some())?;
            let (member, name) = match &field.ident {
                Some(ident) => (ident.to_token_stream(), given.unwrap_or_else(|| rename(&ident.unraw().to_string()))),
                None => (Literal::usize_unsuffixed(index).into_token_stream(), String::new()),
            };
            let span = field.span();
            if !name.is_empty() && members.iter().any(|earlier| !earlier.skip && !skip && earlier.name == name) {
                errors.add(syn::Error::new(span, format!("two fields are called `{name}` in the record")));
            }
            members.push(Member { member, name, span, skip });
        }
        errors.check()?;
        Ok(Self(members))
    }

    /// `{ name: …, 1: … }`, where `read` reads a field that is the `n`th of those that are not skipped.
    fn build(&self, read: impl Fn(&Member, usize) -> TokenStream) -> TokenStream {
        let mut nth = 0;
        let fields = self.0.iter().map(|member| {
            let (field, at) = (&member.member, Span::call_site().located_at(member.span));
            if member.skip {
                return quote_spanned!(at=> #field: ::core::default::Default::default());
            }
            let value = read(member, nth);
            nth += 1;
            quote_spanned!(at=> #field: #value)
        });
        let fields: Vec<_> = fields.collect();
        quote!({ #(#fields,)* })
    }

    /// How many are read.
    fn count(&self) -> usize {
        self.0.iter().filter(|member| !member.skip).count()
    }

    /// From a record called `record`.
    fn of_record(&self) -> TokenStream {
        self.build(|Member { name, .. }, _| quote!(record.field(#name)?))
    }

    /// From the elements of a tuple called `elements`.
    fn of_elements(&self, root: &TokenStream) -> TokenStream {
        self.build(|_, nth| quote!(#root::FromTla::from_tla(&elements[#nth])?))
    }

    /// From a call called `call`.
    fn of_call(&self) -> TokenStream {
        self.build(|Member { name, .. }, _| match name.as_str() {
            "" => quote!(call.take_next()?),
            name => quote!(call.take(#name)?),
        })
    }
}

fn read_struct(input: &DeriveInput, fields: &Fields, root: &TokenStream) -> syn::Result<(TokenStream, TokenStream)> {
    let attributes = ContainerAttributes::parse(&input.attrs)?;
    attributes.check_struct(fields)?;
    let members = Members::new(fields, |name| attributes.rename_all.apply(name))?;
    let of_call = members.of_call();
    let call = quote!(::core::result::Result::Ok(Self #of_call));
    let value = match fields {
        Fields::Named(_) => {
            let fields = members.of_record();
            quote!(let record = #root::Record::new(value)?; ::core::result::Result::Ok(Self #fields))
        }
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            if members.count() == 0 {
                return Err(syn::Error::new_spanned(fields, "a newtype is its field, which cannot be skipped"));
            }
            // A newtype is what it holds, also as a call.
            let value = quote!(#root::FromTla::from_tla(value).map(Self));
            return Ok((value, quote!(#root::FromTla::from_call(call).map(Self))));
        }
        Fields::Unnamed(_) => {
            let (count, fields) = (members.count(), members.of_elements(root));
            quote!(let elements = #root::elements(value, #count)?; ::core::result::Result::Ok(Self #fields))
        }
        Fields::Unit => {
            let name = attributes.rename.unwrap_or_else(|| input.ident.unraw().to_string());
            quote! {
                match #root::string(value)? {
                    #name => ::core::result::Result::Ok(Self),
                    other => ::core::result::Result::Err(#root::Mismatch::no_variant(other, &[#name])),
                }
            }
        }
    };
    Ok((value, call))
}

/// A variant, and the names that stand for it.
struct Named<'a> {
    variant: &'a Variant,
    names: Vec<String>,
    members: Members,
}

fn read_enum(input: &DeriveInput, data: &DataEnum, root: &TokenStream) -> syn::Result<(TokenStream, TokenStream)> {
    let attributes = ContainerAttributes::parse(&input.attrs)?;
    let has_data = data.variants.iter().any(|variant| !variant.fields.is_empty());
    attributes.check_enum(has_data)?;
    let mut errors = Errors::default();
    let (mut variants, mut other): (Vec<Named<'_>>, Option<&Ident>) = (Vec::new(), None);
    for variant in &data.variants {
        let VariantAttributes { rename, aliases, other_at } = VariantAttributes::parse(&variant.attrs)?;
        if let Some(at) = other_at {
            if !variant.fields.is_empty() {
                errors.add(syn::Error::new(at, "the variant for all other names has no fields"));
            }
            if other.replace(&variant.ident).is_some() {
                errors.add(syn::Error::new(at, "two variants are for all other names"));
            }
            continue;
        }
        let name = rename.unwrap_or_else(|| attributes.rename_all.apply(&variant.ident.unraw().to_string()));
        let names: Vec<String> = std::iter::once(name).chain(aliases).collect();
        for name in &names {
            if variants.iter().any(|earlier| earlier.names.contains(name)) {
                errors
                    .add(syn::Error::new(variant.ident.span(), format!("two variants are called `{name}` in traces")));
            }
        }
        variants.push(Named { variant, names, members: Members::new(&variant.fields, str::to_owned)? });
    }
    errors.check()?;
    let all: Vec<&String> = variants.iter().flat_map(|variant| &variant.names).collect();
    let value_other = match other {
        Some(ident) => quote!(_ => ::core::result::Result::Ok(Self::#ident {})),
        None => quote!(other => ::core::result::Result::Err(#root::Mismatch::no_variant(other, &[#(#all),*]))),
    };
    let value_arms = variants.iter().map(|Named { variant, names, members }| {
        let ident = &variant.ident;
        let (prepare, fields) = of_value(&variant.fields, members, root);
        quote!(#(#names)|* => { #prepare ::core::result::Result::Ok(Self::#ident #fields) })
    });
    let value = if has_data {
        let tag = attributes.tag.as_deref().unwrap_or("tag");
        quote! {
            let record = #root::Record::new(value)?;
            match record.tag(#tag)? { #(#value_arms)* #value_other }
        }
    } else {
        quote!(match #root::string(value)? { #(#value_arms)* #value_other })
    };
    let mut first = 0;
    let call_arms: Vec<_> = variants
        .iter()
        .map(|Named { variant, names, members }| {
            let (ident, fields) = (&variant.ident, members.of_call());
            let places = (first..first + names.len()).map(Literal::usize_unsuffixed);
            first += names.len();
            quote!(::core::result::Result::Ok(#(#places)|*) => ::core::result::Result::Ok(Self::#ident #fields),)
        })
        .collect();
    let call_other = match other {
        Some(ident) => quote!(_ => ::core::result::Result::Ok(Self::#ident {})),
        None => quote! {
            ::core::result::Result::Ok(_) => ::core::unreachable!("a place in the list"),
            ::core::result::Result::Err(problem) => ::core::result::Result::Err(problem),
        },
    };
    Ok((value, quote!(match call.choose(&[#(#all),*]) { #(#call_arms)* #call_other })))
}

/// What is to be done before the fields of a variant can be read from its record, and the fields.
fn of_value(fields: &Fields, members: &Members, root: &TokenStream) -> (TokenStream, TokenStream) {
    match fields {
        Fields::Unnamed(fields) if members.count() > 0 => {
            if fields.unnamed.len() == 1 {
                return (quote!(), members.build(|_, _| quote!(record.field("value")?)));
            }
            let count = members.count();
            let prepare = quote!(let value: #root::Value = record.field("value")?; let elements = #root::elements(&value, #count)?;);
            (prepare, members.of_elements(root))
        }
        _ => (quote!(), members.of_record()),
    }
}
