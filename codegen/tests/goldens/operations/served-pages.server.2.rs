/// The operations of `served-pages`.
pub trait ServedPages: Send + Sync + 'static {
    /// The operation `byHeader`.
    ///
    /// `GET /header`
    fn by_header(
        &self,
        context: Context,
        parameters: operations::served_pages::ByHeaderParameters,
    ) -> impl Future<Output = ByHeaderResponse> + Send {
        let _ = parameters;
        ready(ByHeaderResponse::Other(context.not_implemented()))
    }

    /// The operation `byOffset`.
    ///
    /// `GET /offset`
    fn by_offset(
        &self,
        context: Context,
        parameters: operations::served_pages::ByOffsetParameters,
    ) -> impl Future<Output = ByOffsetResponse> + Send {
        let _ = parameters;
        ready(ByOffsetResponse::Other(context.not_implemented()))
    }

    /// The operation `byRelation`.
    ///
    /// `GET /relation`
    fn by_relation(
        &self,
        context: Context,
        parameters: operations::served_pages::ByRelationParameters,
    ) -> impl Future<Output = ByRelationResponse> + Send {
        let _ = parameters;
        ready(ByRelationResponse::Other(context.not_implemented()))
    }
}
