//! Headless Chromium, driven through its debugging pipe.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Without the last four, Chromium connects to its servers at startup.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next_id: u64,
    session: Option<String>,
    /// Errors and requests of the page.
    pub events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser with an empty page. Panics without a browser.
    pub fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        // Chromium reads its commands from file 3 and answers on file 4.
        let mut command = Command::new("sh");
        command
            .args(["-c", r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#, "sh"])
            .arg(executable());
        command.args(FLAGS).arg("--remote-debugging-pipe").arg("--window-size=1280,900");
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());

        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(output).split(0);
            while let Some(Ok(line)) = lines.next() {
                if sender.send(serde_json::from_slice(&line).unwrap()).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            process,
            input,
            messages,
            next_id: 0,
            session: None,
            events: Vec::new(),
            _profile: profile,
        };
        browser.attach();
        browser
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", target);
        self.session = Some(session["sessionId"].as_str().unwrap().into());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let mut message = json!({ "id": self.next_id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(message.to_string().as_bytes()).unwrap();
        self.input.write_all(&[0]).unwrap();
        loop {
            let answer = self.receive(&format!("an answer to {method}"));
            if answer["id"] == json!(self.next_id) {
                assert!(answer["error"].is_null(), "{method} failed: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message of the browser: a reply or an event.
    fn receive(&mut self, awaited: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|_| panic!("Chromium did not send {awaited}"));
        if message["id"].is_null() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        let is_loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events.iter().any(is_loaded) {
            self.receive("that the page is loaded");
        }
    }

    /// The value of an expression in the page, awaited if it is a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression} threw: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.evaluate(&format!("Boolean({expression})")) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "this did not become true: {expression}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sets the size of the screen and the color scheme, `light` or `dark`.
    pub fn set_screen(&mut self, width: u32, height: u32, scheme: &str) {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1,
                             "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", screen);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Moves the mouse.
    pub fn move_mouse(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Errors of the page, and requests for anything but its file.
    pub fn complaints(&self) -> Vec<String> {
        let is_bad = |event: &&Value| match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Network.loadingFailed" => true,
            "Runtime.consoleAPICalled" => {
                event["params"]["type"] == "error" || event["params"]["type"] == "warning"
            }
            "Log.entryAdded" => event["params"]["entry"]["level"] != "info",
            "Network.requestWillBeSent" => {
                let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
                !url.starts_with("file:") && !url.starts_with("data:")
            }
            _ => false,
        };
        self.events.iter().filter(is_bad).map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser that `EQUIPOISE_CHROMIUM` names, or one of the usual names.
fn executable() -> String {
    let named = std::env::var("EQUIPOISE_CHROMIUM").ok();
    let starts = |name: &str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let found = named.or_else(|| NAMES.into_iter().find(|name| starts(name)).map(String::from));
    found.expect(
        "the page is tested in Chromium, which is not installed: `apt-get install chromium` on \
         Debian, `apt-get install chromium-browser` on Ubuntu; or name one with EQUIPOISE_CHROMIUM",
    )
}
