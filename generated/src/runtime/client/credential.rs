//! Credentials of the caller.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::operation::{Carrier, Operation, Scheme};
use super::super::percent;
use super::super::sensitive::Sensitive;
use super::call::Call;
use super::error::RequestError;
use super::token::Tokens;

/// A credential of the caller, for one security scheme.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key or a bearer token.
    Key(Sensitive<String>),
    /// User and password.
    Basic(String, Sensitive<String>),
    /// Bearer tokens that are fetched.
    Tokens(Tokens),
}

/// Adds the credentials of the first way in for which the caller has all of them; a certificate is
/// for the HTTP client to have. With none the request goes out as it is, and the server says what
/// it thinks of that. Gives the source of the token that is still to be added, if there is one.
pub(super) fn apply(
    credentials: &[(Scheme, Credential)],
    operation: &Operation,
    call: &mut Call,
) -> Result<Option<Tokens>, RequestError> {
    let find = |scheme: &Scheme| {
        credentials
            .iter()
            .find(|(known, _)| known.name == scheme.name)
    };
    let there = |scheme: &Scheme| scheme.carrier == Carrier::Certificate || find(scheme).is_some();
    // A way that takes nothing may stand first, and is no reason to hold back what there is.
    let complete = operation
        .security
        .iter()
        .find(|way| way.iter().any(|scheme| find(scheme).is_some()) && way.iter().all(there));
    let mut tokens = None;
    for (scheme, credential) in complete
        .into_iter()
        .flat_map(|way| way.iter().filter_map(find))
    {
        match credential {
            Credential::Key(key) => add(scheme, key.expose(), call)?,
            Credential::Basic(user, password) => basic(scheme, user, password.expose(), call)?,
            Credential::Tokens(source) => {
                only(scheme, Carrier::Bearer, "does not take tokens")?;
                tokens = Some(source.clone());
            }
        }
    }
    Ok(tokens)
}

fn add(scheme: &Scheme, key: &str, call: &mut Call) -> Result<(), RequestError> {
    match scheme.carrier {
        Carrier::Header(name) => call.secret_header(name, key.to_owned()),
        Carrier::Query(name) => {
            call.query.add(name, key);
            Ok(())
        }
        Carrier::Cookie(name) => {
            call.cookies
                .push(format!("{name}={}", percent::encode(key)));
            Ok(())
        }
        Carrier::Certificate | Carrier::Unknown => Ok(()),
        Carrier::Bearer => call.secret_header("authorization", bearer(key)),
        Carrier::Basic => only(scheme, Carrier::Bearer, "needs user and password"),
    }
}

fn basic(scheme: &Scheme, user: &str, password: &str, call: &mut Call) -> Result<(), RequestError> {
    only(scheme, Carrier::Basic, "does not take user and password")?;
    let pair = STANDARD.encode(format!("{user}:{password}"));
    call.secret_header("authorization", format!("Basic {pair}"))
}

/// What a token is in `Authorization`.
pub(super) fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn only(scheme: &Scheme, carrier: Carrier, flaw: &str) -> Result<(), RequestError> {
    if scheme.carrier == carrier {
        return Ok(());
    }
    Err(RequestError::new(format_args!("`{}` {flaw}", scheme.name)))
}
