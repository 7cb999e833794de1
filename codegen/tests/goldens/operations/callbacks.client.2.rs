impl Callbacks {
    /// Sends with these settings; [`Settings::anywhere`] has what it takes. Each of the secrets
    /// signs what is sent.
    pub fn new(settings: Settings, secrets: Secrets) -> Result<Self, RequestError> {
        Ok(Self {
            connection: Arc::new(settings.connect()?),
            secrets,
        })
    }

    /// The operation `shipped`.
    ///
    /// `POST {$request.body#/tell}`
    pub fn shipped(
        &self,
        address: &str,
        webhook_id: impl Into<String>,
        body: &models::Shipment,
    ) -> Request<Shipped> {
        Request::new(
            &self.connection,
            operations::callbacks::ShippedParameters {
                webhook_id: webhook_id.into(),
            },
        )
        .to(address)
        .seal(self.secrets.seal())
        .json("application/json", body)
    }
}

/// The operation `shipped`.
#[derive(Clone, Copy, Debug)]
pub struct Shipped;
