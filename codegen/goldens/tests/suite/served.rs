//! Lists that a generated server gives in pages and a generated client reads to their end: all items,
//! none of them twice, whatever leads from one page to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::recorder::{listen, plain_http};
use codegen_goldens::models::{EntryPage, RelatedPage, RelatedPageLink, WebhookPage};
use codegen_goldens::operations::NumbersHeaders;
use codegen_goldens::operations::marker_pages::ListWebhooksParameters;
use codegen_goldens::operations::numbered_pages::ListEntriesParameters;
use codegen_goldens::operations::served_pages::{
    ByHeaderParameters, ByOffsetParameters, ByRelationParameters,
};
use codegen_goldens::runtime::Nullable;
use codegen_goldens::runtime::client::{Connection, Settings};
use codegen_goldens::runtime::server::{Context, Routes};
use codegen_goldens::server::marker_pages::{ListWebhooksResponse, MarkerPages};
use codegen_goldens::server::numbered_pages::{ListEntriesResponse, NumberedPages};
use codegen_goldens::server::served_pages::{
    ByHeaderResponse, ByOffsetResponse, ByRelationResponse, ServedPages,
};
use codegen_goldens::{client, server};

/// Has the numbers from 1 to 7, three on a page; counts the pages.
#[derive(Default)]
struct Seven(AtomicUsize);

impl Seven {
    /// The page after so many numbers, and how many numbers stand before the next one.
    fn page(&self, before: Option<i64>) -> (Vec<i64>, Option<i64>) {
        self.0.fetch_add(1, Ordering::Relaxed);
        let before = before.unwrap_or(0);
        let page = (before + 1..=7).take(3).collect();
        (page, (before + 3 < 7).then_some(before + 3))
    }
}

impl ServedPages for Seven {
    async fn by_offset(&self, _: Context, asked: ByOffsetParameters) -> ByOffsetResponse {
        ByOffsetResponse::Ok(self.page(asked.offset).0, NumbersHeaders::default())
    }

    async fn by_header(&self, _: Context, asked: ByHeaderParameters) -> ByHeaderResponse {
        let (page, next) = self.page(asked.from);
        let first = r#"</header>; rel="first""#.to_owned();
        let link = next.map_or(first.clone(), |next| {
            format!(r#"{first}, </header?from={next}>; title="a, b"; rel="next""#)
        });
        ByHeaderResponse::Ok(page, NumbersHeaders { link: Some(link) })
    }

    async fn by_relation(&self, _: Context, asked: ByRelationParameters) -> ByRelationResponse {
        let (page, next) = self.page(asked.from);
        let link = |rel: &str, from: i64| RelatedPageLink {
            rel: Some(rel.to_owned()),
            href: Some(format!("/relation?from={from}")),
        };
        let next = next.map(|next| link("next", next));
        let links = [link("self", asked.from.unwrap_or(0))]
            .into_iter()
            .chain(next);
        ByRelationResponse::Ok(RelatedPage {
            items: Some(page),
            links: Some(links.collect()),
        })
    }
}

impl NumberedPages for Seven {
    async fn list_entries(&self, _: Context, asked: ListEntriesParameters) -> ListEntriesResponse {
        let before = asked.page.map(|page| (page - 1) * 3);
        ListEntriesResponse::Ok(EntryPage {
            entries: Some(self.page(before).0),
            total: Some(7),
        })
    }
}

impl MarkerPages for Seven {
    async fn list_webhooks(
        &self,
        _: Context,
        asked: ListWebhooksParameters,
    ) -> ListWebhooksResponse {
        let before = asked.marker.map(|marker| marker.parse().unwrap());
        let (page, next) = self.page(before);
        ListWebhooksResponse::Ok(WebhookPage {
            entries: Some(page.iter().map(ToString::to_string).collect()),
            next_marker: next.map_or(Nullable::Null, |next| Nullable::Value(next.to_string())),
            limit: None,
        })
    }
}

/// A server with these routes, and a connection to it.
async fn serving(routes: impl FnOnce(&Arc<Seven>) -> Routes) -> (Arc<Seven>, Arc<Connection>) {
    let seven = Arc::new(Seven::default());
    let settings = Settings::new(listen(routes(&seven)).await).http(plain_http());
    (seven, Arc::new(settings.connect().unwrap()))
}

/// All items of a list, as texts, and how many pages were asked for.
macro_rules! all {
    ($module:ident, $list:ident) => {{
        let (seven, connection) = serving(server::$module::routes).await;
        let mut items = client::$module(&connection).$list().items();
        let mut all = Vec::new();
        while let Some(item) = items.next().await {
            all.push(item.unwrap().to_string());
        }
        (all.join(" "), seven.0.load(Ordering::Relaxed))
    }};
}

#[tokio::test]
async fn every_page_is_read_once_whatever_leads_to_it() {
    let whole = ("1 2 3 4 5 6 7".to_owned(), 3);
    assert_eq!(all!(numbered_pages, list_entries), whole);
    assert_eq!(all!(marker_pages, list_webhooks), whole);
    assert_eq!(all!(served_pages, by_header), whole);
    assert_eq!(all!(served_pages, by_relation), whole);
    // Nothing tells the last page but that the next one is empty.
    assert_eq!(all!(served_pages, by_offset), (whole.0, 4));
}
