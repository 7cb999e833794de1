//! The live account for people: one line for each case, differences below it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::Counts;
use super::cause::{self, Cause};
use super::reach::Reach;
use super::untested::Untested;
use crate::event::{CaseReport, Cleaned, Consumer, Event, Finish, Left, Start};
use crate::level::{Level, Verdict};

/// How long lines may be held back that nobody looks at as they come.
const PACE: Duration = Duration::from_millis(100);

/// How many facts that were not tested are listed.
const UNTESTED: usize = 5;

/// Writes the account as the run goes on.
#[derive(Debug)]
pub struct Terminal<W> {
    out: W,
    color: bool,
    /// When lines were passed on last, where they are passed on some at a time.
    passed_on: Option<Instant>,
    area: String,
    counts: Counts,
    /// Whether what passes, or is left out, has no line.
    is_quiet: bool,
    reach: Reach,
    untested: Untested,
    /// What may be wrong with the address.
    hint: Option<String>,
    /// The cases that do not pass, of which the end tells again.
    told_again: Vec<CaseReport>,
}

impl<W: Write> Terminal<W> {
    /// An account that is written to `out`, with colours or without.
    pub fn new(out: W, color: bool) -> Self {
        Self {
            out,
            color,
            passed_on: None,
            area: String::new(),
            counts: Counts::default(),
            is_quiet: false,
            reach: Reach::default(),
            untested: Untested::default(),
            hint: None,
            told_again: Vec::new(),
        }
    }

    /// The account for a file or a pipe: lines are passed on together, ten times a second.
    #[must_use]
    pub fn paced(self) -> Self {
        Self {
            passed_on: Some(Instant::now()),
            ..self
        }
    }

    /// An account of what does not pass.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self {
            is_quiet: true,
            ..self
        }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        match self.passed_on {
            Some(last) if last.elapsed() < PACE => return Ok(()),
            Some(_) => self.passed_on = Some(Instant::now()),
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

    /// The operations that are not called, by reason.
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
        if is_told(case.verdict) {
            write!(self.out, ": {}", case.verdict.as_str())?;
        }
        if let Some(reason) = &case.reason {
            let reason = self.paint(style, reason);
            write!(self.out, ": {reason}")?;
        }
        writeln!(self.out)?;
        // The steps that decide such a case have shown their differences themselves.
        if case.via.is_empty() {
            self.differences(case)?;
        }
        self.pass_on()
    }

    fn differences(&mut self, case: &CaseReport) -> io::Result<()> {
        for difference in &case.differences {
            let style = match difference.level {
                Level::Must => Style::Red,
                Level::Should => Style::Yellow,
                Level::May => Style::Dim,
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
        let Some(first) = case.differences.first() else {
            return Ok(());
        };
        for change in &case.changes {
            writeln!(self.out, "        changed   {change}")?;
        }
        // One request, one command.
        for line in first.curl.lines() {
            let curl = self.paint(Style::Dim, line);
            writeln!(self.out, "        {curl}")?;
        }
        Ok(())
    }

    /// What does not pass, by cause, where nobody has to look for it: the lines of a large contract are many.
    fn again(&mut self) -> io::Result<()> {
        let cases = std::mem::take(&mut self.told_again);
        let causes = cause::causes(&cases);
        let without = cases.iter().filter(|own| own.differences.is_empty());
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
        // Notes are told with their cases.
        for cause in causes.iter().filter(|own| own.level > Level::May) {
            self.cause(cause)?;
        }
        Ok(())
    }

    fn cause(&mut self, cause: &Cause<'_>) -> io::Result<()> {
        let verdict = Verdict::of([cause.level]);
        let (mark, style) = mark(verdict);
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
        self.again()?;
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
            if let Some(hint) = &self.hint {
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
                "failed beside other requests and not alone: {all}; --parallel 1 sends one at a time"
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

    /// The stated facts that no case tested, the first few with their reasons.
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
            lines.push(format!("  and {} more; report.json lists all", count - UNTESTED));
        }
        writeln!(self.out, "{}", lines.join("\n"))
    }

    /// The records of the run that are there still.
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
                if is_told(case.verdict) {
                    self.told_again.push(case.clone());
                } else if self.is_quiet {
                    return Ok(());
                }
                self.case(case)
            }
            Event::Finished(finish) => self.finish(finish),
            Event::Exchange(_) | Event::Compared(_) | Event::Coverage(_) => Ok(()),
        }
    }
}

/// How a verdict is shown.
fn mark(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Pass => ("✓", Style::Green),
        Verdict::Skip => ("-", Style::Dim),
        Verdict::Warn => ("!", Style::Yellow),
        Verdict::Fail => ("✗", Style::Red),
        Verdict::Error => ("?", Style::Red),
    }
}

/// Whether somebody has to look at a case.
fn is_told(verdict: Verdict) -> bool {
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

    /// The account of one case that passes and one that fails.
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
    fn what_does_not_pass_is_told_again_at_the_end() {
        let text = account(false);
        let (before, again) = text.split_once("the worst first").unwrap();
        assert!(before.contains("✓ readThing/200/one"), "{text}");
        assert!(before.contains("✗ getThing/200/one"), "{text}");
        let line =
            "✗ schema-type at /* ×2 in getThing\n      expected 1, got two (getThing/200/one)";
        assert!(again.contains(line), "{text}");
        assert!(!again.contains("readThing"), "{text}");
    }

    #[test]
    fn a_quiet_account_has_no_line_for_what_passes() {
        let text = account(true);
        assert!(text.contains("✗ getThing/200/one"), "{text}");
        assert!(!text.contains("readThing"), "{text}");
        assert!(text.contains("2 cases: 1 pass"), "{text}");
    }
}
