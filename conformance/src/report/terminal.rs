//! Prints a live report for people: one line for each case, and its differences below.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::Counts;
use super::cause::{self, Cause};
use super::reach::Reach;
use super::untested::Untested;
use crate::event::{CaseReport, Cleaned, Consumer, Event, Finish, Left, Start};
use crate::judge::Difference;
use crate::level::{Level, Verdict};

/// How long lines may be buffered when the output is no terminal.
const PACE: Duration = Duration::from_millis(100);

/// At most this many untested facts are printed.
const UNTESTED: usize = 5;

/// At most this many notes are printed.
const NOTES: usize = 10;

/// Prints the report during the run.
#[derive(Debug)]
pub struct Terminal<W> {
    out: W,
    color: bool,
    /// When lines were last flushed. `None` when each line is flushed at once.
    last_flush: Option<Instant>,
    area: String,
    counts: Counts,
    /// Whether passed and skipped cases have no line.
    is_quiet: bool,
    reach: Reach,
    untested: Untested,
    /// Advice about the server's address.
    hint: Option<String>,
    /// The cases to print again at the end, because they did not pass.
    repeated: Vec<CaseReport>,
    /// The passed cases with notes, which are printed by cause at the end.
    noted: Vec<CaseReport>,
}

impl<W: Write> Terminal<W> {
    /// Prints to `out`, with or without colours.
    pub fn new(out: W, color: bool) -> Self {
        Self {
            out,
            color,
            last_flush: None,
            area: String::new(),
            counts: Counts::default(),
            is_quiet: false,
            reach: Reach::default(),
            untested: Untested::default(),
            hint: None,
            repeated: Vec::new(),
            noted: Vec::new(),
        }
    }

    /// Buffers lines and flushes them ten times a second, for a file or a pipe.
    #[must_use]
    pub fn paced(self) -> Self {
        Self {
            last_flush: Some(Instant::now()),
            ..self
        }
    }

    /// Prints only cases that do not pass.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self {
            is_quiet: true,
            ..self
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.last_flush {
            Some(last) if last.elapsed() < PACE => return Ok(()),
            Some(_) => self.last_flush = Some(Instant::now()),
            None => {}
        }
        self.out.flush()
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.color {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.code())
        } else {
            text.to_owned()
        }
    }

    fn start(&mut self, start: &Start) -> io::Result<()> {
        self.hint = start.base_path.as_ref().map(|path| {
            let url = start.url.trim_end_matches('/');
            format!("the servers of the document are at {path}, which the address lacks: perhaps {url}{path} is meant")
        });
        let title = self.paint(Style::Bold, &start.title);
        writeln!(
            self.out,
            "{title} ({}) against {} as `{}`, profile {}, seed {}",
            start.spec, start.url, start.name, start.profile, start.seed
        )?;
        self.withheld(&start.configuration.withheld)?;
        self.out.flush()
    }

    /// Prints the operations that are not called, by reason.
    fn withheld(&mut self, withheld: &BTreeMap<String, String>) -> io::Result<()> {
        if withheld.is_empty() {
            return Ok(());
        }
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (operation, reason) in withheld {
            let reason = reason.strip_prefix("not called: ").unwrap_or(reason);
            by_reason.entry(reason).or_default().push(operation);
        }
        let plural = if withheld.len() == 1 { "" } else { "s" };
        let head = format!("not called: {} operation{plural}", withheld.len());
        let head = self.paint(Style::Yellow, &head);
        writeln!(self.out, "{head}")?;
        for (reason, operations) in by_reason {
            writeln!(self.out, "  {}: {reason}", operations.join(", "))?;
        }
        Ok(())
    }

    fn case(&mut self, case: &CaseReport) -> io::Result<()> {
        if self.area != case.area {
            self.area.clone_from(&case.area);
            let area = self.paint(Style::Bold, &case.area);
            writeln!(self.out, "\n{area}")?;
        }
        let (mark, style) = mark(case.verdict);
        let mark = self.paint(style, mark);
        write!(self.out, "  {mark} {}", case.id)?;
        if !case.via.is_empty() {
            let others = case.via.len() - 1;
            let more = if others > 0 {
                format!(" and {others} more")
            } else {
                String::new()
            };
            let via = self.paint(Style::Dim, &format!(" via {}{more}", case.via[0]));
            write!(self.out, "{via}")?;
        }
        if needs_attention(case.verdict) {
            write!(self.out, ": {}", case.verdict.as_str())?;
        }
        if let Some(reason) = &case.reason {
            let reason = self.paint(style, reason);
            write!(self.out, ": {reason}")?;
        }
        writeln!(self.out)?;
        // The steps that decide such a case have already shown their differences.
        if case.via.is_empty() {
            self.differences(case)?;
        }
        self.flush()
    }

    /// Prints the differences of a case, apart from notes.
    fn differences(&mut self, case: &CaseReport) -> io::Result<()> {
        let differences = case.differences.iter();
        let differences: Vec<&Difference> = differences
            .filter(|difference| difference.level > Level::May)
            .collect();
        for difference in &differences {
            let style = match difference.level {
                Level::Must => Style::Red,
                _ => Style::Yellow,
            };
            let head = format!("{} {}", difference.level, difference.check.id);
            let head = self.paint(style, &head);
            let place = if difference.pointer.is_empty() {
                String::new()
            } else {
                format!(" at {}", difference.pointer)
            };
            writeln!(self.out, "      {head}{place}")?;
            writeln!(self.out, "        expected  {}", difference.expected)?;
            writeln!(self.out, "        actual    {}", difference.actual)?;
            if let Some(answer) = &difference.answer {
                writeln!(self.out, "        answered  {answer}")?;
            }
            for source in &difference.because {
                writeln!(self.out, "        because   {source}")?;
            }
            if let Some(reason) = &difference.known {
                writeln!(self.out, "        known     {reason}")?;
            }
        }
        let Some(first) = differences.first() else {
            return Ok(());
        };
        for change in &case.changes {
            writeln!(self.out, "        changed   {change}")?;
        }
        // One request needs one command.
        for line in first.curl.lines() {
            let curl = self.paint(Style::Dim, line);
            writeln!(self.out, "        {curl}")?;
        }
        Ok(())
    }

    /// Prints the failures again, by cause, because a large contract has many lines.
    fn summary(&mut self, cases: &[CaseReport]) -> io::Result<()> {
        let causes = cause::causes(cases);
        let without = cases.iter().filter(|case| case.differences.is_empty());
        let without: Vec<&CaseReport> = without.collect();
        if causes.is_empty() && without.is_empty() {
            return Ok(());
        }
        let head = self.paint(Style::Bold, "what does not pass, by cause, the worst first");
        writeln!(self.out, "\n{head}")?;
        for case in without {
            let (mark, style) = mark(case.verdict);
            let mark = self.paint(style, mark);
            let reason = case.reason.as_deref().unwrap_or_default();
            writeln!(self.out, "  {mark} {}: {reason}", case.id)?;
        }
        for cause in causes.iter().filter(|cause| cause.level > Level::May) {
            self.cause(cause)?;
        }
        Ok(())
    }

    /// Prints the most frequent notes by cause. A note never fails a run.
    fn notes(&mut self, repeated: &[CaseReport]) -> io::Result<()> {
        let noted = std::mem::take(&mut self.noted);
        let mut causes = cause::causes(noted.iter().chain(repeated));
        causes.retain(|cause| cause.level == Level::May);
        if causes.is_empty() {
            return Ok(());
        }
        let head = self.paint(Style::Bold, "notes, by cause, the most frequent first");
        writeln!(self.out, "\n{head}")?;
        for cause in causes.iter().take(NOTES) {
            self.cause(cause)?;
        }
        match causes.len().checked_sub(NOTES) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(self.out, "  and {more} more; report.json lists all"),
        }
    }

    fn cause(&mut self, cause: &Cause<'_>) -> io::Result<()> {
        let (mark, style) = match cause.level {
            Level::May => ("·", Style::Dim),
            level => mark(Verdict::of([level])),
        };
        let mark = self.paint(style, mark);
        let (case, difference) = cause.example;
        let pointers = cause.pointers();
        let place = match &pointers[..] {
            [] | [""] => String::new(),
            [one] => format!(" at {one}"),
            [one, ..] => format!(" at {one} and {} more", pointers.len() - 1),
        };
        let times = match cause.count {
            1 => String::new(),
            count => format!(" ×{count}"),
        };
        let operations = match &cause.operations()[..] {
            [] => String::new(),
            [first] => format!(" in {first}"),
            [first, second] => format!(" in {first} and {second}"),
            [first, second, rest @ ..] => format!(" in {first}, {second} and {} more", rest.len()),
        };
        let check = difference.check.id;
        writeln!(self.out, "  {mark} {check}{place}{times}{operations}")?;
        let text = format!(
            "expected {}, got {} ({})",
            difference.expected, difference.actual, case.id
        );
        let text = self.paint(Style::Dim, &text);
        writeln!(self.out, "      {text}")
    }

    fn finish(&mut self, finish: &Finish) -> io::Result<()> {
        self.reach.grant(&finish.granted);
        let repeated = std::mem::take(&mut self.repeated);
        self.summary(&repeated)?;
        self.notes(&repeated)?;
        let counts = &self.counts;
        let verdict = counts.verdict();
        let summary = format!(
            "\n{} cases: {} pass, {} warn, {} fail, {} skip, {} error; {} requests in {:.2} s",
            counts.total(),
            counts.pass,
            counts.warn,
            counts.fail,
            counts.skip,
            counts.error,
            finish.requests,
            finish.duration.as_secs_f64(),
        );
        let style = if verdict == Verdict::Pass {
            Style::Green
        } else {
            Style::Red
        };
        let word = self.paint(style, verdict.as_str());
        writeln!(self.out, "{summary}")?;
        let nothing = counts.pass + counts.warn == 0 && verdict == Verdict::Fail;
        let unreached: Vec<&str> = self.reach.unreached().collect();
        let why = match (nothing, unreached.len()) {
            (true, _) => " (no case passed)".to_owned(),
            (false, 0) => String::new(),
            (false, count) => {
                format!(
                    " ({count} of {} operations never succeeded)",
                    self.reach.called()
                )
            }
        };
        if !unreached.is_empty() {
            let all = unreached.join(", ");
            let text = format!("never seen to succeed, so that little of them was tried: {all}");
            let text = self.paint(Style::Yellow, &text);
            writeln!(self.out, "{text}")?;
            // A wrong address leaves most operations unreached.
            let is_most = unreached.len() * 2 >= self.reach.called();
            if let Some(hint) = self.hint.as_ref().filter(|_| is_most) {
                let hint = self.paint(Style::Yellow, hint);
                writeln!(self.out, "{hint}")?;
            }
        }
        self.untested()?;
        if !finish.strained.is_empty() {
            let times = |(operation, count): (&String, &usize)| format!("{operation} ×{count}");
            let all: Vec<String> = finish.strained.iter().map(times).collect();
            let all = all.join(", ");
            let text = format!(
                "failed once and not when repeated alone: {all}; --parallel 1 sends one at a time"
            );
            let text = self.paint(Style::Yellow, &text);
            writeln!(self.out, "{text}")?;
        }
        if let Some(cleaned) = &finish.cleanup {
            self.cleaned(cleaned)?;
        }
        writeln!(self.out, "verdict: {word}{why}")?;
        self.out.flush()
    }

    /// Prints the stated facts that no case tested, the first few with their reasons.
    fn untested(&mut self) -> io::Result<()> {
        let untested = self.untested.list();
        let count = untested.len();
        if count == 0 {
            return Ok(());
        }
        let stated = self.untested.stated();
        let head = format!("{count} of {stated} stated facts were not tested:");
        let mut lines = vec![self.paint(Style::Yellow, &head)];
        for (fact, why) in untested.into_iter().take(UNTESTED) {
            let line = format!("  {fact}: {} ({})", why.reason, why.case);
            lines.push(self.paint(Style::Dim, &line));
        }
        if count > UNTESTED {
            lines.push(format!(
                "  and {} more; report.json lists all",
                count - UNTESTED
            ));
        }
        writeln!(self.out, "{}", lines.join("\n"))
    }

    /// Prints the records of the run that remain on the server.
    fn cleaned(&mut self, cleaned: &Cleaned) -> io::Result<()> {
        if cleaned.deleted > 0 {
            writeln!(
                self.out,
                "deleted {} records that the run created",
                cleaned.deleted
            )?;
        }
        for left in &cleaned.left {
            let Left {
                operation_id,
                count,
                reason,
            } = left;
            let text = format!("left on the server: {count} records of {operation_id} ({reason})");
            let text = self.paint(Style::Dim, &text);
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }
}

impl<W: Write> Consumer for Terminal<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(start) => self.start(start),
            Event::Case(case) => {
                self.counts.add(case.verdict);
                self.reach.add(case);
                self.untested.add(case);
                if needs_attention(case.verdict) {
                    self.repeated.push(case.clone());
                } else {
                    if !case.differences.is_empty() {
                        self.noted.push(case.clone());
                    }
                    if self.is_quiet {
                        return Ok(());
                    }
                }
                self.case(case)
            }
            Event::Finished(finish) => self.finish(finish),
            Event::Exchange(_) | Event::Compared(_) | Event::Coverage(_) => Ok(()),
        }
    }
}

/// The sign and style of a verdict.
fn mark(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Pass => ("✓", Style::Green),
        Verdict::Skip => ("-", Style::Dim),
        Verdict::Warn => ("!", Style::Yellow),
        Verdict::Fail => ("✗", Style::Red),
        Verdict::Error => ("?", Style::Red),
    }
}

/// Whether a person must look at a case.
fn needs_attention(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Warn | Verdict::Fail | Verdict::Error)
}

#[derive(Debug, Clone, Copy)]
enum Style {
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
}

impl Style {
    fn code(self) -> u8 {
        match self {
            Self::Bold => 1,
            Self::Dim => 2,
            Self::Red => 31,
            Self::Green => 32,
            Self::Yellow => 33,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    /// The report of one case that passes and one that fails.
    fn account(is_quiet: bool) -> String {
        let mut out = Vec::new();
        let terminal = Terminal::new(&mut out, false);
        let mut terminal = if is_quiet { terminal.quiet() } else { terminal };
        let failed = sample::record(2, Level::Must, "two").cases.remove(0);
        let passed = CaseReport {
            id: "readThing/200/one".to_owned(),
            verdict: Verdict::Pass,
            differences: Vec::new(),
            ..failed.clone()
        };
        for event in [
            Event::Case(failed),
            Event::Case(passed),
            Event::Finished(Finish::default()),
        ] {
            terminal.event(&event).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn failures_are_printed_again_at_the_end() {
        let text = account(false);
        let (before, summary) = text.split_once("the worst first").unwrap();
        assert!(before.contains("✓ readThing/200/one"), "{text}");
        assert!(before.contains("✗ getThing/200/one"), "{text}");
        let line =
            "✗ schema-type at /* ×2 in getThing\n      expected 1, got two (getThing/200/one)";
        assert!(summary.contains(line), "{text}");
        assert!(!summary.contains("readThing"), "{text}");
    }

    #[test]
    fn notes_are_printed_once_by_cause() {
        let mut out = Vec::new();
        let mut terminal = Terminal::new(&mut out, false);
        let mut noted = sample::record(2, Level::May, "two").cases.remove(0);
        noted.verdict = Verdict::Pass;
        let finish = Event::Finished(Finish::default());
        for event in [Event::Case(noted), finish] {
            terminal.event(&event).unwrap();
        }
        let text = String::from_utf8(out).unwrap();
        let (before, notes) = text.split_once("notes, by cause").unwrap();
        assert!(before.contains("✓ getThing/200/one\n"), "{text}");
        assert!(!before.contains("schema-type"), "{text}");
        assert!(
            notes.contains("· schema-type at /* ×2 in getThing"),
            "{text}"
        );
    }

    #[test]
    fn a_quiet_report_has_no_line_for_passed_cases() {
        let text = account(true);
        assert!(text.contains("✗ getThing/200/one"), "{text}");
        assert!(!text.contains("readThing"), "{text}");
        assert!(text.contains("2 cases: 1 pass"), "{text}");
    }
}
