//! The `sandbox` program.

use std::io::Write;
use std::process::ExitCode;

use allocator::{MiMalloc, ZeroAlloc, keep_memory, return_memory};
use anyhow::Context;
use clap::{CommandFactory, Parser, error::ErrorKind};
use sandbox::arguments::{Arguments, At, Command, Serve};
use sandbox::domain::card::AcceptedCards;
use sandbox::domain::notification::Reply;
use sandbox::egress::Policy;
use sandbox::http::IDLE;
use sandbox::log;
use sandbox::remote::{Forwarder, Remote};
use sandbox::store::{Database, Flush, StoreSettings, audit_database};
use sandbox::{Sandbox, Settings};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// Overwrites freed memory: card numbers in request buffers must not stay in memory.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<MiMalloc> = ZeroAlloc(MiMalloc);

/// How often to check for new notifications.
const POLL: std::time::Duration = std::time::Duration::from_millis(300);

fn main() -> std::io::Result<ExitCode> {
    keep_memory();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.enable_all().on_thread_park(return_memory).build()?;
    Ok(runtime.block_on(execute()))
}

async fn execute() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = log::start(arguments.log_format) {
        let refusal = format!("{} cannot be read: {error}", log::FILTER);
        Arguments::command()
            .error(ErrorKind::ValueValidation, refusal)
            .exit();
    }
    let ended = match arguments.command {
        Some(Command::Audit { database }) => check(&database),
        Some(Command::Trigger { event, notify, at }) => {
            trigger(&at, &event, notify.as_deref()).await
        }
        Some(Command::Listen { forward_to, at }) => listen(&at, &forward_to).await,
        None => run(arguments.serve).await,
    };
    ended.unwrap_or_else(|error| {
        // Printed here, because `main` would print a returned error with a backtrace.
        let _ = writeln!(std::io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}

async fn run(serve: Serve) -> anyhow::Result<ExitCode> {
    if let Some(refusal) = serve.refusal() {
        Arguments::command()
            .error(ErrorKind::ValueValidation, refusal)
            .exit();
    }
    let (database, public) = (serve.database.clone(), serve.public_url.clone());
    let listen = serve.listen;
    let sandbox = Sandbox::open(settings(serve))
        .await
        .with_context(|| format!("cannot open {database}"))?;
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("cannot listen on {listen}"))?;
    print_line(&format!("http://{}", listener.local_addr()?))?;
    if let Some(url) = public {
        sandbox.service.announce(&url);
    }
    sandbox.serve(listener, IDLE, stop_signal()?).await?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

fn settings(serve: Serve) -> Settings {
    Settings {
        store: StoreSettings {
            group: serve.commit_group.get(),
            connections: serve.connections.get(),
            flush: if serve.fast {
                Flush::Later
            } else {
                Flush::EachCommit
            },
        },
        demand: serve.auth,
        missing: serve.missing_request_id,
        api_key: serve.api_key,
        admin_key: serve.admin_key,
        notify: serve
            .notify
            .unwrap_or_else(|| Policy::of_listener(serve.listen.ip())),
        signing_secret: serve.signing_secret,
        cards: if serve.allow_any_pan {
            AcceptedCards::AnyCard
        } else {
            AcceptedCards::TestCards
        },
        ..Settings::new(serve.database)
    }
}

async fn trigger(at: &At, event: &str, notify: Option<&str>) -> anyhow::Result<ExitCode> {
    let answer = remote(at)?.trigger(event, notify).await?;
    print_line(&format!("{answer:#}"))?;
    Ok(ExitCode::SUCCESS)
}

async fn listen(at: &At, to: &str) -> anyhow::Result<ExitCode> {
    let mut forwarder = Forwarder::new(remote(at)?, to).await?;
    print_line(&format!(
        "forwarding the notifications of {} to {to}",
        at.tenant
    ))?;
    let mut stop_signal = std::pin::pin!(stop_signal()?);
    loop {
        for forwarded in forwarder.forward().await? {
            let (event, id) = (&forwarded.event, &forwarded.id);
            let reply = match forwarded.reply {
                Reply::Answered { status, .. } => status.to_string(),
                Reply::Failed(failure) => failure.word().to_owned(),
            };
            print_line(&format!("{event} {reply} {id}"))?;
        }
        tokio::select! {
            () = &mut stop_signal => return Ok(ExitCode::SUCCESS),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

fn remote(at: &At) -> anyhow::Result<Remote> {
    Ok(Remote::new(&at.url, &at.admin_key, &at.tenant)?)
}

/// Completes when the program receives a stop signal.
#[cfg(unix)]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Completes when the program receives a stop signal.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without signals, the program runs until its process is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

fn check(database: &Database) -> anyhow::Result<ExitCode> {
    match database {
        Database::File(path) => {
            anyhow::ensure!(
                path.is_file(),
                "there is no database at {}; name the --database of a sandbox",
                path.display()
            );
        }
        Database::Memory => anyhow::bail!(
            "{database} ends with its program; name a file, or a database of PostgreSQL"
        ),
        Database::Postgres(_) => {}
    }
    let findings = audit_database(database).with_context(|| format!("cannot audit {database}"))?;
    for finding in &findings {
        print_line(&format!("{}: {}", finding.rule, finding.subject))?;
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn print_line(line: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
