//! Credentials of the caller.

use super::super::base64;
use super::super::operation::{Carrier, Operation, Scheme};
use super::super::percent;
use super::super::sensitive::Sensitive;
use super::call::Call;
use super::error::RequestError;

/// A credential of the caller, for one security scheme.
#[derive(Clone, Debug)]
pub enum Credential {
    /// An API key or a bearer token.
    Key(Sensitive<String>),
    /// User and password.
    Basic(String, Sensitive<String>),
}

/// Adds the credentials of the first way in for which the caller has all of them; a certificate is
/// for the HTTP client to have. With none the request goes out as it is, and the server says what
/// it thinks of that.
pub(super) fn apply(
    credentials: &[(Scheme, Credential)],
    operation: &Operation,
    call: &mut Call,
) -> Result<(), RequestError> {
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
    for (scheme, credential) in complete
        .into_iter()
        .flat_map(|way| way.iter().filter_map(find))
    {
        add(scheme, credential, call)?;
    }
    Ok(())
}

fn add(scheme: &Scheme, credential: &Credential, call: &mut Call) -> Result<(), RequestError> {
    let (Credential::Key(secret) | Credential::Basic(_, secret)) = credential;
    let key = secret.expose();
    match (scheme.carrier, credential) {
        (Carrier::Header(name), _) => call.secret_header(name, key.clone()),
        (Carrier::Query(name), _) => {
            call.query.push(format!(
                "{}={}",
                percent::encode(name),
                percent::encode(key)
            ));
            Ok(())
        }
        (Carrier::Cookie(name), _) => {
            call.cookies
                .push(format!("{name}={}", percent::encode(key)));
            Ok(())
        }
        (Carrier::Certificate | Carrier::Unknown, _) => Ok(()),
        (Carrier::Bearer, _) => call.secret_header("authorization", format!("Bearer {key}")),
        (Carrier::Basic, Credential::Basic(user, _)) => {
            let pair = base64::encode(format!("{user}:{key}").as_bytes());
            call.secret_header("authorization", format!("Basic {pair}"))
        }
        (Carrier::Basic, Credential::Key(_)) => Err(RequestError::new(format_args!(
            "`{}` needs user and password",
            scheme.name
        ))),
    }
}
