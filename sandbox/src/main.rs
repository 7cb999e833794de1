//! The `sandbox` program.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{CommandFactory, Parser, error::ErrorKind};
use sandbox::Sandbox;
use sandbox::arguments::{Arguments, Command, Serve};
use sandbox::clock::SystemClock;
use sandbox::http::IDLE;
use sandbox::store::audit;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("SANDBOX_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    let arguments = Arguments::parse();
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
    let sandbox = Sandbox::open(&serve.database, &serve.api_key, Arc::new(SystemClock))
        .await
        .with_context(|| format!("cannot open {}", serve.database.display()))?;
    let listener = TcpListener::bind(serve.listen)
        .await
        .with_context(|| format!("cannot listen on {}", serve.listen))?;
    say(&format!("http://{}", listener.local_addr()?))?;
    let Sandbox { service, app } = sandbox;
    sandbox::http::serve(listener, IDLE, service, app, stopped()?).await?;
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

fn check(database: &Path) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        database.is_file(),
        "there is no database at {}",
        database.display()
    );
    let findings = audit::audit_file(database)
        .with_context(|| format!("cannot audit {}", database.display()))?;
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
