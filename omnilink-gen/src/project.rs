//! The files of a generated project: which of them are the generator's and which the user's.
//!
//! The generator's files are written again on every run, and only if they changed. A user's file is written once, when
//! it does not exist; after that it is never touched, so nothing that somebody wrote is ever lost. A new project may be
//! where other files are, beside its specification for one, but none of them may be where its own files belong.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::dependency::Dependency;
use crate::error::Error;
use crate::model::Model;
use crate::recipe::Recipe;

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is, from the project's directory: `src/actions.rs`.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
    /// Who may change it.
    pub owner: Owner,
}

/// Who a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Rewritten every time.
    Generator,
    /// Written once, never touched again.
    User,
    /// Some lines are rewritten every time, the others stay as they are. Nobody misses it.
    Shared,
}

impl File {
    /// A file that is rewritten every time.
    pub fn generated(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), owner: Owner::Generator }
    }

    /// A file of which some lines are rewritten every time; `text` has the others already.
    pub fn shared(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), owner: Owner::Shared }
    }

    /// A file that is written once.
    pub fn for_user(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), owner: Owner::User }
    }
}

/// What a project is to be like, apart from the specification.
#[derive(Clone, Debug)]
pub struct Output {
    /// The name of the project: lower-case letters, digits and `-`, beginning with a letter.
    pub name: String,
    /// Where the crate `omnilink` comes from, as seen from the project.
    pub dependency: Dependency,
    /// The checkout of OmniLink that has the library for C++, as seen from the project.
    pub checkout: Option<PathBuf>,
    /// The options to generate the same again.
    pub recipe: Recipe,
}

impl Output {
    /// What the generated file of actions begins with: `//` comments that say where it comes from, followed by a line
    /// from which [`Recipe::find`] reads the options again. ASCII without anything that could end a comment or splice a
    /// line.
    pub fn header(&self, model: &Model) -> String {
        self.recipe.header(model)
    }
}

/// Where a file is, compared with what would be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was not there.
    New,
    /// It is the generator's and was different.
    Changed,
    /// It is the generator's and as it should be.
    Same,
    /// It is the user's and there.
    Kept,
}

/// A project on disk.
#[derive(Clone, Debug)]
pub struct Project {
    directory: PathBuf,
    /// Whether there was none.
    is_new: bool,
}

/// Files that nothing depends on: another one that is there already can stay.
const ASIDE: [&str; 2] = ["README.md", ".gitignore"];

impl Project {
    /// The project in a directory, which need not exist. `actions` is the file that holds the options of a project of
    /// this language; if it is empty, so are they. Gives the options that an existing project was made with.
    ///
    /// # Errors
    /// If that file is somebody else's, or cannot be read.
    pub fn open(directory: impl Into<PathBuf>, actions: &Path) -> Result<(Self, Option<Recipe>), Error> {
        let directory = directory.into();
        let path = directory.join(actions);
        let recipe = match fs::read_to_string(&path) {
            // Somebody wants it to be one.
            Ok(text) if text.is_empty() => Some(Recipe::default()),
            Ok(text) => Some(Recipe::find(&text).ok_or(Error::UnreadableHeader { path })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(Error::File { path, source }),
        };
        Ok((Self { directory, is_new: recipe.is_none() }, recipe))
    }

    /// What becomes of each file when it is written.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn compare<'f>(&self, files: &'f [File]) -> Result<Vec<(&'f File, Fate)>, Error> {
        files.iter().map(|file| Ok((file, self.fate(file)?))).collect()
    }

    /// Writes what is new or changed.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if a new project would not get all of its files because others are there.
    pub fn write<'f>(&self, files: &'f [File]) -> Result<Vec<(&'f File, Fate)>, Error> {
        let compared = self.compare(files)?;
        if self.is_new {
            self.find_room(&compared)?;
        }
        for (file, fate) in &compared {
            if matches!(fate, Fate::New | Fate::Changed) {
                let path = self.directory.join(&file.path);
                let write = || {
                    path.parent().map_or(Ok(()), fs::create_dir_all)?;
                    fs::write(&path, &file.text)
                };
                write().map_err(|source| Error::File { path: path.clone(), source })?;
            }
        }
        Ok(compared)
    }

    fn fate(&self, file: &File) -> Result<Fate, Error> {
        let path = self.directory.join(&file.path);
        match (fs::read(&path), file.owner) {
            (Ok(_), Owner::User) => Ok(Fate::Kept),
            (Ok(text), Owner::Generator | Owner::Shared) => {
                Ok(if text == file.text.as_bytes() { Fate::Same } else { Fate::Changed })
            }
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => Ok(Fate::New),
            (Err(source), _) => Err(Error::File { path, source }),
        }
    }

    /// Refuses if a file that the project needs is there and has another text.
    fn find_room(&self, compared: &[(&File, Fate)]) -> Result<(), Error> {
        let is_other = |(file, fate): &(&File, Fate)| match fate {
            Fate::New | Fate::Same => false,
            Fate::Changed => true,
            // It was read a moment ago; if it cannot be any more it is not ours.
            Fate::Kept => fs::read(self.directory.join(&file.path)).map_or(true, |text| text != file.text.as_bytes()),
        };
        let is_needed = |(file, _): &&(&File, Fate)| !ASIDE.iter().any(|aside| file.path == Path::new(aside));
        match compared.iter().filter(is_needed).find(|file| is_other(file)) {
            Some((file, _)) => Err(Error::InTheWay { path: self.directory.join(&file.path) }),
            None => Ok(()),
        }
    }
}
