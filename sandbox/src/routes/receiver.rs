//! Checks the receiver of notifications in a request.

use super::Operations;
use crate::domain::{Code, Rejection};
use crate::egress::Destination;

impl Operations {
    /// Refuses an address that the egress policy denies, as far as the address alone shows.
    pub(super) fn check_receiver(&self, url: Option<&str>) -> Result<(), Rejection> {
        let Some(url) = url else { return Ok(()) };
        let checked = Destination::parse(url, self.service.policy());
        checked.map(drop).map_err(|refusal| {
            let detail = format!("no notification can be sent to this address: {refusal}");
            Rejection::at(Code::ContractViolation, "/customIpnUrl", detail)
        })
    }
}
