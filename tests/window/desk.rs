//! A virtual screen with the program on it. All waiting is for conditions: frames take from 30 to 500 ms here.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use weft::sim::solvers;

/// What takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// The program on a screen of its own.
pub struct Desk {
    screen: Child,
    program: Child,
    display: String,
    lines: Receiver<String>,
    log: Vec<String>,
    /// How far `wait` has read in the log.
    read: usize,
    /// How long the log was at the last click of the left button.
    clicked: usize,
    folder: TempDir,
    /// One busy window at a time: two would only slow each other down.
    _turn: Option<MutexGuard<'static, ()>>,
}

static TURN: Mutex<()> = Mutex::new(());

impl Desk {
    /// Starts the program with `args` on a new screen, with a fresh home for its settings.
    pub fn open(args: &[&str]) -> Self {
        Self::open_at(tempfile::tempdir().expect("a folder"), args)
    }

    /// Likewise with the settings that an earlier run left in `folder`.
    pub fn open_at(folder: TempDir, args: &[&str]) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Self::start(folder, args, Some(turn))
    }

    /// Like [`Desk::open`], but beside the window of another test: for tests that mostly wait.
    pub fn open_beside(args: &[&str]) -> Self {
        Self::start(tempfile::tempdir().expect("a folder"), args, None)
    }

    fn start(folder: TempDir, args: &[&str], turn: Option<MutexGuard<'static, ()>>) -> Self {
        let mut screen = Command::new("Xvfb")
            // without -noreset it starts over when its last client leaves, and turns away who comes meanwhile
            .args(["-displayfd", "1", "-screen", "0", "900x560x24", "-nolisten", "tcp", "-noreset", "-fbdir"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; install xvfb");
        let mut number = String::new();
        let mut answer = BufReader::new(screen.stdout.take().expect("it is piped"));
        answer.read_line(&mut number).expect("Xvfb tells its display");
        let display = format!(":{}", number.trim());
        // it tells its number a moment before it answers
        let answers = || {
            let asked = Command::new("xdotool").arg("getdisplaygeometry").env("DISPLAY", &display).output();
            asked.is_ok_and(|output| output.status.success())
        };
        let until = Instant::now() + PATIENCE;
        while !answers() {
            assert!(Instant::now() < until, "Xvfb does not answer on {display}");
            std::thread::sleep(Duration::from_millis(50));
        }

        let settings = folder.path().join("weft");
        if !settings.exists() {
            std::fs::create_dir(&settings).expect("a folder");
            let size = "[window]\nquality = \"\"\nwidth = 900\nheight = 560\npanels = \"\"\n";
            std::fs::write(settings.join("settings.toml"), size).expect("written");
        }
        // most tests are of the hanging cloth
        let is_named = args.iter().any(|arg| ["--scene", "--from"].contains(arg));
        let mut program = Command::new(env!("CARGO_BIN_EXE_weft"))
            .args(args)
            .args(if is_named { &[][..] } else { &["--scene", "hanging"] })
            .args(["--snapshot", "exit.json"])
            .current_dir(folder.path())
            .env("DISPLAY", &display)
            .env("XDG_CONFIG_HOME", folder.path())
            .env("RUST_LOG", "error,weft=debug")
            .env("NO_COLOR", "1")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(program.stdout.take().expect("it is piped")),
            Box::new(program.stderr.take().expect("it is piped")),
        ];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let mut desk =
            Self { screen, program, display, lines, log: Vec::new(), read: 0, clicked: 0, folder, _turn: turn };
        desk.wait("control view at");
        desk.xdotool(&["search", "--sync", "--name", "^Weft", "windowfocus", "--sync"]);
        desk
    }

    /// Waits for a line that contains `part`, after the last one waited for, and returns what follows it.
    pub fn wait(&mut self, part: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            while self.read < self.log.len() {
                self.read += 1;
                if let Some((_, rest)) = self.log[self.read - 1].split_once(part) {
                    return rest.trim().to_owned();
                }
            }
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.log.push(line),
                Err(_) => panic!("no \"{part}\" in the log, which ends:\n{}", self.end_of_log()),
            }
        }
    }

    /// The last lines of the log, but for those of the clock: a report of a test is cut in the middle.
    fn end_of_log(&self) -> String {
        let lines: Vec<_> = self.log.iter().filter(|line| !line.contains("weft::app::pace")).cloned().collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    /// Adds a lane by the menu, where it is called `entry`, and waits until it is chosen.
    pub fn add_lane(&mut self, entry: &str) {
        self.settle();
        self.click("add lane");
        self.settle();
        self.click(entry);
        self.wait("added lane ");
        self.wait("chose lane ");
    }

    /// Waits until all input so far has had its effect and the panels stand still.
    pub fn settle(&mut self) {
        self.log.extend(self.lines.try_iter());
        self.read = self.log.len();
        self.key("F12");
        self.wait("all input has its effect");
    }

    /// Waits until simulated time has come to `seconds`.
    pub fn wait_for_time(&mut self, seconds: f64) {
        while self.next_time() < seconds {}
    }

    /// Waits until so many `seconds` of simulated time have passed.
    pub fn let_pass(&mut self, seconds: f64) {
        self.log.extend(self.lines.try_iter());
        self.read = self.log.len();
        let start = self.next_time();
        self.wait_for_time(start + seconds);
    }

    /// The simulated time that the log tells next [s].
    fn next_time(&mut self) -> f64 {
        let told = self.wait("x real time, t = ");
        told.trim_end_matches(" s").parse().unwrap_or_else(|_| panic!("{told} is no time"))
    }

    /// What the screen shows.
    pub fn picture(&self) -> Vec<u8> {
        std::fs::read(self.file("Xvfb_screen0")).expect("Xvfb keeps its screen there")
    }

    /// Says that the window is minimised, as a window manager does; or that it is not.
    pub fn say_minimised(&self, is_minimised: bool) {
        let change: &[&str] = match is_minimised {
            true => &["-format", "_NET_WM_STATE", "32a", "-set", "_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"],
            false => &["-remove", "_NET_WM_STATE"],
        };
        let window = self.xdotool(&["search", "--name", "^Weft"]);
        let said = Command::new("xprop").args(["-id", &window]).args(change).env("DISPLAY", &self.display).status();
        assert!(said.expect("xprop starts; install x11-utils").success(), "xprop says the state of {window}");
    }

    /// Waits until something is true that the log does not tell.
    pub fn wait_until(&mut self, what: &str, is_true: impl Fn() -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_true() {
            self.log.extend(self.lines.try_iter());
            assert!(Instant::now() < until, "no {what}; the log ends:\n{}", self.end_of_log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether any line so far contains `part`.
    pub fn has_said(&mut self, part: &str) -> bool {
        self.log.extend(self.lines.try_iter());
        self.log.iter().any(|line| line.contains(part))
    }

    /// What follows `part` in every line so far that contains it.
    pub fn all(&mut self, part: &str) -> Vec<String> {
        self.log.extend(self.lines.try_iter());
        self.log.iter().filter_map(|line| line.split_once(part)).map(|(_, rest)| rest.trim().to_owned()).collect()
    }

    /// Where a control of the panels is, once all of them stand still and the last click has had its effect: a menu that closes is in the way
    /// for a frame.
    pub fn place(&mut self, control: &str) -> (i32, i32) {
        let until = Instant::now() + PATIENCE;
        let part = format!("control {control} at ");
        loop {
            self.log.extend(self.lines.try_iter());
            let last = |part: &str| self.log.iter().rposition(|line| line.contains(part));
            if let Some(moved) = last(&part)
                && last("controls stand still") >= Some(moved.max(self.clicked))
            {
                let (_, place) = self.log[moved].split_once(&part).expect("just found");
                let mut numbers = place.split_whitespace().map(|number| number.parse().expect("a number"));
                return (numbers.next().expect("x"), numbers.next().expect("y"));
            }
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.log.push(line),
                Err(_) => panic!("no {control} that stands still in the log, which ends:\n{}", self.end_of_log()),
            }
        }
    }

    /// Where every control is that has been drawn so far, or was.
    pub fn places(&mut self) -> Vec<(i32, i32)> {
        let told = self.all("control ");
        let place = |line: &String| {
            let mut numbers = line.rsplit(' ').map(str::parse);
            let (y, x) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            Some((x, y))
        };
        told.iter().filter_map(place).collect()
    }

    /// Moves the pointer.
    pub fn move_to(&mut self, (x, y): (i32, i32)) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Presses, releases or clicks: `mousedown`, `mouseup`, `click` with button 1 (left), 2 (middle) or 3 (right).
    pub fn button(&mut self, action: &str, button: u32) {
        self.xdotool(&[action, &button.to_string()]);
    }

    /// Moves to a control and clicks it.
    pub fn click(&mut self, control: &str) {
        let place = self.place(control);
        self.move_to(place);
        self.log.extend(self.lines.try_iter());
        self.clicked = self.log.len();
        self.button("click", 1);
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) {
        // a minus at its beginning is no option
        self.xdotool(&["type", "--", text]);
    }

    /// Presses a key and keeps it down, or lets it go: `keydown`, `keyup`.
    pub fn hold_key(&mut self, action: &str, key: &str) {
        self.xdotool(&[action, key]);
    }

    /// Input that the program takes in one frame, however fast its frames are: it stands still
    /// meanwhile.
    pub fn within_a_frame(&mut self, input: impl FnOnce(&mut Self)) {
        self.signal("-STOP");
        input(self);
        self.signal("-CONT");
    }

    /// Memory of the program [MB].
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is told");
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kilobytes / 1024
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.program.id().to_string()]).status().expect("kill");
        assert!(sent.success(), "{signal} is sent");
    }

    /// Runs xdotool on this screen, and returns what it prints.
    fn xdotool(&self, args: &[&str]) -> String {
        // with --sync it would wait for ever for a window that has gone
        let output = Command::new("timeout").args(["600", "xdotool"]).args(args).env("DISPLAY", &self.display).output();
        let output = output.expect("xdotool starts; install xdotool");
        assert!(output.status.success(), "xdotool {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Chooses a solver by Find, which is closed again.
    pub fn choose_solver(&mut self, id: &str) {
        let entry = solvers::REGISTRY.iter().find(|entry| entry.info.id == id).expect("it is registered");
        self.find(entry.info.name);
        assert_eq!(self.wait("solver "), id);
        self.settle();
    }

    /// Opens the menu of solvers, which shows the present one, and turns the wheel to its beginning.
    pub fn open_solvers(&mut self) {
        self.click("solver");
        self.wait("control implicit-euler at");
        self.settle();
        let (x, y) = self.place("solver");
        self.move_to((x, y + 120));
        (0..12).for_each(|_| self.button("click", 4));
        self.settle();
    }

    /// Does what has this name in Find, which is closed again.
    pub fn find(&mut self, name: &str) {
        // while it closes it does not open again
        self.settle();
        self.key("ctrl+k");
        self.settle();
        self.type_text(name);
        self.settle();
        self.key("Return");
    }

    /// A file in the folder that the program runs in.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Kills the program, as a power cut would, and returns the folder with what it has left.
    pub fn killed(mut self) -> TempDir {
        self.program.kill().expect("it was running");
        self.program.wait().expect("it has ended");
        std::mem::replace(&mut self.folder, tempfile::tempdir().expect("a folder"))
    }

    /// Closes the window with the keyboard and returns the snapshot written at exit, and the folder with the settings.
    pub fn quit(mut self) -> (serde_json::Value, TempDir) {
        self.key("ctrl+q");
        self.ended()
    }

    /// Waits for the end of the program, which must be a good one, and returns what [`Desk::quit`] does.
    pub fn ended(self) -> (serde_json::Value, TempDir) {
        self.ended_with(0)
    }

    /// Likewise of a program that ends with this status.
    pub fn ended_with(mut self, code: i32) -> (serde_json::Value, TempDir) {
        let until = Instant::now() + PATIENCE;
        let status = loop {
            match self.program.try_wait().expect("it is our child") {
                Some(status) => break status,
                None if Instant::now() > until => panic!("it does not end:\n{}", self.log.join("\n")),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        self.log.extend(self.lines.try_iter());
        assert_eq!(status.code(), Some(code), "{}", self.log.join("\n"));
        let log = self.log.join("\n");
        assert!(!log.contains("panicked") && !log.contains("ERROR"), "{log}");
        let json = std::fs::read_to_string(self.file("exit.json")).expect("written at exit");
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().expect("a folder"));
        (serde_json::from_str(&json).expect("JSON"), folder)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for child in [&mut self.program, &mut self.screen] {
            // it may have ended already
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
