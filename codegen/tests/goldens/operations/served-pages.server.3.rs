/// The operations of the area.
pub fn routes<T: ServedPages>(implementation: &Arc<T>) -> Routes {
    Routes::new()
        .operation(
            &operations::served_pages::BY_HEADER,
            implementation,
            by_header,
        )
        .operation(
            &operations::served_pages::BY_OFFSET,
            implementation,
            by_offset,
        )
        .operation(
            &operations::served_pages::BY_RELATION,
            implementation,
            by_relation,
        )
}

/// A router of the area.
pub fn router<T: ServedPages>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `byHeader`.
#[derive(Clone, Debug)]
pub enum ByHeaderResponse {
    /// 200: A page.
    Ok(Vec<i64>, operations::NumbersHeaders),
    /// Any other answer.
    Other(Answer),
}
