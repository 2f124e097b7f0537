//! Where projects get the crate `omnilink` from, if nobody says.

use std::path::{Path, PathBuf};

use clap::Args;
use omnilink_gen::Dependency;
use omnilink_gen::dependency::VERSION;

use crate::failure::Failure;

/// Where projects get the crate `omnilink` from.
#[derive(Args)]
pub struct OriginArgs {
    /// Where the project gets the crate `omnilink` from: a checkout, a version, or git+URL[#REV] [default: the version of
    /// this program if it was installed from a registry, else the checkout that it was built from, by a relative path]
    #[arg(long, value_name = "WHERE")]
    omnilink: Option<String>,
}

/// What was given, and what to use if nothing was.
pub struct Origin {
    pub omnilink: Option<Dependency>,
    pub checkout: Option<PathBuf>,
}

impl OriginArgs {
    /// What was given, and what to use if nothing was.
    pub fn origin(&self) -> Result<Origin, Failure> {
        let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
        let given = self.omnilink.as_deref().map(Dependency::parse).transpose()?;
        let released = is_from_registry(crate_directory).then(|| Dependency::Version(VERSION.to_owned()));
        Ok(Origin { omnilink: given.or(released), checkout: crate_directory.parent().map(Path::to_owned) })
    }
}

/// Whether a crate was compiled where Cargo unpacks what it downloads from a registry: then the crate `omnilink` of the same
/// version is there, too.
fn is_from_registry(crate_directory: &Path) -> bool {
    let names: Vec<_> = crate_directory.components().map(|part| part.as_os_str()).collect();
    names.windows(2).any(|pair| pair == ["registry", "src"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_downloaded_is_recognised() {
        let registry = "/home/a/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/omnilink-cli-0.1.0";
        assert!(is_from_registry(Path::new(registry)));
        assert!(!is_from_registry(Path::new("/home/a/src/registry/omnilink/omnilink-cli")));
        assert!(!is_from_registry(Path::new("/home/a/.cargo/git/checkouts/omnilink-1/2/omnilink-cli")));
    }
}
