//! Git: reads files of revisions with the program `git`, without a checkout and without writing
//! files.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use openapi_document::origin::{Origin, tidy};

/// The default branches to try if the repository does not name one.
const USUAL: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

/// Why a revision cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct GitError {
    /// A description of the error.
    pub what: String,
    /// A hint what to do.
    pub help: String,
}

impl GitError {
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            help: help.into(),
        }
    }
}

/// A local repository.
#[derive(Debug, Clone)]
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository that contains a folder.
    ///
    /// # Errors
    /// The folder is in no repository, or `git` is not installed.
    pub fn around(folder: &Path) -> Result<Self, GitError> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let repository = Self {
            root: folder.to_owned(),
        };
        let root = repository.run(&["rev-parse", "--show-toplevel"])?;
        let Some(root) = root else {
            let what = format!("`{}` is in no git repository", folder.display());
            let help = "give two files, or run it in a repository";
            return Err(GitError::new(what, help));
        };
        Ok(Self { root: root.into() })
    }

    /// The path of a file relative to the repository.
    ///
    /// # Errors
    /// The file is outside the repository.
    pub fn inside(&self, file: &Path) -> Result<PathBuf, GitError> {
        // The file may be deleted; its folder still exists.
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let absolute = folder
            .canonicalize()
            .map(|folder| folder.join(file.file_name().unwrap_or_default()));
        let root = self.root.canonicalize();
        let inside = match (&absolute, &root) {
            (Ok(file), Ok(root)) => file.strip_prefix(root).ok(),
            _ => None,
        };
        inside.map(Path::to_owned).ok_or_else(|| {
            let what = format!("`{}` is not in the repository", file.display());
            GitError::new(
                what,
                "name the file of the revision, as in `main:openapi.yaml`",
            )
        })
    }

    /// The path of a repository file relative to the current folder.
    pub fn on_disk(&self, path: &Path) -> PathBuf {
        let whole = self.root.join(path);
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        match here {
            Ok(here) => whole.strip_prefix(here).unwrap_or(&whole).to_owned(),
            Err(_) => whole,
        }
    }

    /// The commit that a revision names.
    ///
    /// # Errors
    /// There is no such revision.
    pub fn commit(&self, revision: &str) -> Result<String, GitError> {
        let commit = format!("{revision}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let found = self.run(&[&arguments[..], &[commit.as_str()]].concat())?;
        found.ok_or_else(|| {
            let what = format!("there is no revision `{revision}` in this repository");
            let help = "`git fetch` may bring it; in CI, check out with the whole history";
            GitError::new(what, help)
        })
    }

    /// Whether no branch has a commit yet.
    ///
    /// # Errors
    /// `git` cannot be run.
    pub fn is_empty(&self) -> Result<bool, GitError> {
        let any = self.run(&["rev-list", "--max-count=1", "--all"])?;
        Ok(any.is_none_or(|commit| commit.is_empty()))
    }

    /// The merge base of the checkout and the default branch.
    ///
    /// # Errors
    /// There is no default branch, or it has no commit in common with the checkout.
    pub fn merge_base(&self) -> Result<String, GitError> {
        let branch = self.default_branch()?;
        let base = self.run(&["merge-base", "HEAD", &branch])?;
        base.ok_or_else(|| {
            let what = format!("`{branch}` and the checkout have no commit in common");
            let help = "the history may be cut off: check out with the whole of it \
                        (`fetch-depth: 0`), or name the base";
            GitError::new(what, help)
        })
    }

    /// The default branch: the target of a pull request, the head of the remote, or a usual name.
    fn default_branch(&self) -> Result<String, GitError> {
        let target = std::env::var("GITHUB_BASE_REF").ok();
        let target = target.filter(|name| !name.is_empty());
        let remote = self.run(&["rev-parse", "--abbrev-ref", "origin/HEAD"])?;
        let named = target.map(|name| format!("origin/{name}"));
        let candidates = named.into_iter().chain(remote);
        let candidates = candidates.chain(USUAL.map(str::to_owned));
        for branch in candidates {
            if self.commit(&branch).is_ok() {
                return Ok(branch);
            }
        }
        let what = "the repository has no default branch that could be found";
        let help = "name what to compare with: `--base REVISION`, or `base` in contract.toml";
        Err(GitError::new(what, help))
    }

    /// The output of a git command; `None` if it fails.
    fn run(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        let mut command = self.command();
        let output = command.args(arguments).output().map_err(absent)?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.status.success() && !text.is_empty()).then_some(text))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).stderr(Stdio::null());
        // Git sets these variables when it runs a hook; here, files are requested by commit.
        command.env_remove("GIT_INDEX_FILE");
        command
    }

    /// The files of a commit, shown under a name.
    ///
    /// # Errors
    /// `git` cannot be started.
    pub fn tree(&self, commit: &str, name: &str) -> Result<Tree, GitError> {
        let mut command = self.command();
        let child = command
            .args(["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(absent)?;
        Ok(Tree {
            commit: commit.to_owned(),
            name: name.to_owned(),
            batch: RefCell::new(Batch::of(child)),
        })
    }
}

#[allow(clippy::needless_pass_by_value, reason = "the form of map_err")]
fn absent(error: io::Error) -> GitError {
    GitError::new(
        format!("failed to run git: {error}"),
        "install git, or give two files",
    )
}

/// The files of one commit.
pub struct Tree {
    commit: String,
    name: String,
    batch: RefCell<Batch>,
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({}, {})", self.name, self.commit)
    }
}

impl Origin for Tree {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let path = tidy(path);
        let names: Vec<_> = path
            .components()
            .map(|name| name.as_os_str().to_string_lossy())
            .collect();
        let object = format!("{}:{}", self.commit, names.join("/"));
        if object.contains('\n') {
            return Err(io::Error::other("its name has more than one line"));
        }
        self.batch.borrow_mut().read(&object)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        tidy(path)
    }

    fn shown(&self, path: &Path) -> PathBuf {
        format!("{}:{}", self.name, tidy(path).display()).into()
    }
}

/// A `git cat-file --batch` process that answers one request after the other.
struct Batch {
    child: Child,
    questions: Option<ChildStdin>,
    answers: Option<BufReader<ChildStdout>>,
}

impl Batch {
    fn of(mut child: Child) -> Self {
        Self {
            questions: child.stdin.take(),
            answers: child.stdout.take().map(BufReader::new),
            child,
        }
    }

    fn read(&mut self, object: &str) -> io::Result<Vec<u8>> {
        let ended = || io::Error::other("git has ended");
        let (Some(questions), Some(answers)) = (&mut self.questions, &mut self.answers) else {
            return Err(ended());
        };
        writeln!(questions, "{object}")?;
        questions.flush()?;
        let mut head = String::new();
        answers.read_line(&mut head)?;
        if head.is_empty() {
            return Err(ended());
        }
        let words: Vec<&str> = head.split_whitespace().collect();
        let length = words.last().and_then(|word| word.parse::<usize>().ok());
        let kind = words.len().checked_sub(2).and_then(|at| words.get(at));
        let missing = || io::Error::new(io::ErrorKind::NotFound, "the revision has no such file");
        let Some(length) = length.filter(|_| !head.trim_end().ends_with(" missing")) else {
            return Err(missing());
        };
        let mut bytes = vec![0; length + 1];
        answers.read_exact(&mut bytes)?;
        bytes.pop();
        match kind {
            Some(&"blob") => Ok(bytes),
            Some(&"tree") => Err(io::Error::other("it is a folder")),
            _ => Err(missing()),
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The process ends when its input is closed.
        self.questions = None;
        let _ = self.child.wait();
    }
}
