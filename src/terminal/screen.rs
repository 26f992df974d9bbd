//! The whole terminal for a while: its own screen, single keys, and everything as it was afterwards, whatever
//! ends it.

use std::io::{self, Write as _, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind};
use crossterm::event::{KeyCode, KeyModifiers};
use crossterm::style::Print;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

use crate::platform::{self, ENDING, end_by};
use crate::terminal::frame::{Frame, Line};

/// How long one look for a key lasts: as late a signal or the end of the terminal may be noticed.
const LOOK: Duration = Duration::from_millis(100);

/// How long a signal may wait for the list to end by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// True while the terminal is taken.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A letter or a sign.
    Char(char),
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Escape,
}

/// What a look for a key found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A key.
    Key(Key),
    /// Nothing that matters here; the terminal may have another size.
    Nothing,
    /// The program is to end by this signal.
    End(i32),
}

/// The terminal, taken. Dropped, it is as it was.
pub(crate) struct Screen {
    colour: bool,
    size: (u16, u16),
    /// The lines that stand there.
    shown: Vec<String>,
}

/// Which signal came, if one did; 0 otherwise.
struct Signals {
    came: Arc<AtomicUsize>,
    /// True while signals do what they do by default.
    is_default: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When the terminal does not take the modes, or signals cannot be noticed.
    pub(crate) fn take(colour: bool) -> io::Result<Self> {
        let signals = signals()?;
        signals.came.store(0, Ordering::SeqCst);
        signals.is_default.store(false, Ordering::SeqCst);
        IS_TAKEN.store(true, Ordering::SeqCst);
        let screen = Self {
            colour,
            size: (0, 0),
            shown: Vec::new(),
        };
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        Ok(screen)
    }

    /// Shows `frame`; sends the lines that are others than before.
    ///
    /// # Errors
    /// When the terminal cannot be written.
    pub(crate) fn show(&mut self, frame: &Frame, size: (u16, u16)) -> io::Result<()> {
        let mut out = stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        if self.size != size {
            self.size = size;
            self.shown.clear();
            queue!(out, Clear(ClearType::All))?;
        }
        let columns = usize::from(size.0);
        let empty = Line::default();
        for row in 0..size.1 {
            let line = frame.get(usize::from(row)).unwrap_or(&empty);
            let sent = line.sent(columns, self.colour);
            if self.shown.get(usize::from(row)) == Some(&sent) {
                continue;
            }
            // Cleared first: after a full line the cursor may stand in its last column.
            queue!(
                out,
                MoveTo(0, row),
                Clear(ClearType::CurrentLine),
                Print(&sent)
            )?;
            self.shown
                .resize(self.shown.len().max(usize::from(row) + 1), String::new());
            if let Some(shown) = self.shown.get_mut(usize::from(row)) {
                *shown = sent;
            }
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()
    }

    /// Waits for a key, for a tenth of a second at most.
    ///
    /// # Errors
    /// When the terminal cannot be read.
    pub(crate) fn look() -> io::Result<Input> {
        let is_there = platform::has_input(LOOK);
        let came = signals()?.came.load(Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(came) {
            return Ok(Input::End(signal));
        }
        // Of a terminal that is gone crossterm reads nothing for ever.
        if !platform::has_terminal() {
            return Ok(Input::End(platform::HANG_UP));
        }
        // A key may take several reads, and one read may bring several keys.
        let found = match event::poll(Duration::ZERO)? || is_there && event::poll(LOOK)? {
            true => Some(event::read()?),
            false => None,
        };
        Ok(found.map_or(Input::Nothing, |event| input(&event)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, if it is taken; nothing is left to do where that fails.
fn restore() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        Show,
        LeaveAlternateScreen
    );
    let _ = disable_raw_mode();
    if let Ok(signals) = signals() {
        signals.is_default.store(true, Ordering::SeqCst);
    }
}

/// Ends the program by a signal that the list does not see: a terminal that is gone in the middle of a read keeps
/// crossterm reading.
fn end_what_hangs(signals: &Signals) -> io::Result<()> {
    let is_default = Arc::clone(&signals.is_default);
    platform::on_each(move |signal| {
        thread::sleep(PATIENCE);
        if !is_default.load(Ordering::SeqCst) {
            let _ = disable_raw_mode();
            end_by(signal);
        }
    })
}

/// What is there to notice signals and panics; set up once.
fn signals() -> io::Result<&'static Signals> {
    static SIGNALS: OnceLock<Signals> = OnceLock::new();
    if let Some(signals) = SIGNALS.get() {
        return Ok(signals);
    }
    let signals = Signals {
        came: Arc::default(),
        is_default: Arc::new(AtomicBool::new(true)),
    };
    for signal in ENDING {
        platform::notice(signal, &signals.is_default, &signals.came)?;
    }
    end_what_hangs(&signals)?;
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // The message is for the screen that stays.
        restore();
        before(panic);
    }));
    Ok(SIGNALS.get_or_init(|| signals))
}

fn input(event: &Event) -> Input {
    let Event::Key(key) = event else {
        return Input::Nothing;
    };
    if key.kind == KeyEventKind::Release {
        return Input::Nothing;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Input::End(platform::INTERRUPT),
            _ => Input::Nothing,
        };
    }
    Input::Key(match key.code {
        KeyCode::Char(sign) => Key::Char(sign),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        _ => return Input::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, tcgetattr};

    use super::*;

    /// Set for the process that is to panic.
    const VARIABLE: &str = "PLANTUNE_TEST_PANICS";

    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(VARIABLE).is_some() {
            let _screen = Screen::take(true).unwrap();
            panic!("on purpose");
        }
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let mut options = OpenOptions::new();
        let open = options.read(true).write(true).open(name.to_str().unwrap());
        let program = open.unwrap();
        let side = || Stdio::from(program.try_clone().unwrap());
        let test = "terminal::screen::tests::a_panic_gives_the_terminal_back";
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env(VARIABLE, "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        assert!(!process.wait().unwrap().success());
        let modes = tcgetattr(&program).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ECHO | LocalModes::ICANON));
        drop(program);
        let mut shown = Vec::new();
        // Linux ends a terminal that nobody has open any more with EIO.
        let _ = File::from(person).read_to_end(&mut shown);
        let shown = String::from_utf8_lossy(&shown);
        let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{shown:?}"));
        assert!(at("\u{1b}[?1049h") < at("\u{1b}[?1049l"));
        // What went wrong is said on the screen that stays.
        assert!(at("\u{1b}[?1049l") < at("on purpose"));
        assert!(at("\u{1b}[?25l") < at("\u{1b}[?25h"));
    }
}
