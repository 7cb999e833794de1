//! The `sandbox` program.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser, error::ErrorKind};
use sandbox::arguments::{Arguments, Command, Serve};
use sandbox::domain::card::Taken;
use sandbox::egress::Policy;
use sandbox::http::IDLE;
use sandbox::log;
use sandbox::store::{Database, StoreSettings, audit_database};
use sandbox::{Sandbox, Settings};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = log::start(arguments.log_format) {
        let refusal = format!("{} cannot be read: {error}", log::FILTER);
        Arguments::command()
            .error(ErrorKind::ValueValidation, refusal)
            .exit();
    }
    let ended = match (arguments.command, arguments.serve) {
        (Some(Command::Audit { database }), _) => check(&database),
        (None, Some(serve)) => run(serve).await.map(|()| ExitCode::SUCCESS),
        (None, None) => {
            let missing = ErrorKind::MissingRequiredArgument;
            Arguments::command()
                .error(missing, "--database is missing")
                .exit()
        }
    };
    ended.unwrap_or_else(|error| {
        // Written by hand: returned from here it would come with a backtrace.
        let _ = writeln!(std::io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}

async fn run(serve: Serve) -> anyhow::Result<()> {
    if let Some(refusal) = serve.refusal() {
        Arguments::command()
            .error(ErrorKind::ValueValidation, refusal)
            .exit();
    }
    let (database, public) = (serve.database.clone(), serve.public_url.clone());
    let settings = Settings {
        store: StoreSettings {
            group: serve.commit_group.get(),
            connections: serve.connections.get(),
        },
        api_key: serve.api_key,
        admin_key: serve.admin_key,
        notify: serve
            .notify
            .unwrap_or_else(|| Policy::of_listener(serve.listen.ip())),
        signing_secret: serve.signing_secret,
        cards: if serve.allow_any_pan {
            Taken::AnyCard
        } else {
            Taken::TestCards
        },
        ..Settings::new(serve.database)
    };
    let sandbox = Sandbox::open(settings)
        .await
        .with_context(|| format!("cannot open {database}"))?;
    let listener = TcpListener::bind(serve.listen)
        .await
        .with_context(|| format!("cannot listen on {}", serve.listen))?;
    say(&format!("http://{}", listener.local_addr()?))?;
    if let Some(url) = public {
        sandbox.service.announce(&url);
    }
    sandbox.serve(listener, IDLE, stopped()?).await?;
    tracing::info!("stopped");
    Ok(())
}

/// Ends when the program is asked to stop.
#[cfg(unix)]
fn stopped() -> anyhow::Result<impl Future<Output = ()>> {
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

/// Ends when the program is asked to stop.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn stopped() -> anyhow::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to hear of it there is nothing to wait for but the end of the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

fn check(database: &Database) -> anyhow::Result<ExitCode> {
    match database {
        Database::File(path) => {
            anyhow::ensure!(path.is_file(), "there is no database at {}", path.display());
        }
        Database::Memory => anyhow::bail!(
            "nothing to audit in {database}, which is gone with the program that had it"
        ),
        Database::Postgres(_) => {}
    }
    let findings = audit_database(database).with_context(|| format!("cannot audit {database}"))?;
    for finding in &findings {
        say(&format!("{}: {}", finding.rule, finding.subject))?;
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn say(line: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
