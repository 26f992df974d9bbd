//! `plantune report --html`, in a Chromium without a window: what it shows, and that it is all that it does.
//!
//! `make test-page` runs those that need Chromium. With `PLANTUNE_SCREENSHOTS=FOLDER` pictures of the sample history's page are left there.

mod browser;

use std::path::PathBuf;

use plantune_domain::sanitize::is_dangerous;
use plantune_reports::humanize::{duration, percent};
use serde_json::{Value, json};

use crate::world::{PROJECT, World, run};
use browser::Browser;

/// The whole history: the period has habits, a week of everything, and hostile texts.
const PERIOD: [&str; 5] = ["report", "--since", "2026-10-01", "--top", "50"];

fn world() -> World {
    let world = World::new();
    let history = concat!(
        include_str!("../../../query/tests/sql/habits.sql"),
        include_str!("history.sql")
    );
    world.fill(history);
    let set = world.run(&["suggest", "--apply", "--yes", "--only", "many"]);
    assert_eq!(set.code, 0, "{}", set.stderr);
    let words = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "Grid",
        "--yes",
    ];
    let set = run(world
        .command(&words)
        .env("PLANTUNE_NOW", "2026-11-09T10:00:00Z"));
    assert_eq!(set.code, 0, "{}", set.stderr);
    assert!(world.preference("layout", false).is_some(), "{PROJECT}");
    world
}

fn json(world: &World) -> Value {
    let ran = world.run(&[&PERIOD[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Writes the page of `world` and returns where it lies.
fn page(world: &World) -> PathBuf {
    let path = world.path("page.html");
    let words = [&PERIOD[..], &["--html", path.to_str().unwrap()]].concat();
    let ran = world.run(&words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    path
}

/// A new browser.
fn browser() -> Browser {
    let program = browser::installed();
    Browser::start(&program.expect("no Chromium is installed (Debian's package: chromium)"))
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn every_number_is_that_of_the_json() {
    let mut browser = browser();
    let world = world();
    let document = json(&world);
    browser.open(&page(&world));
    let found = browser.evaluate(include_str!("numbers.js"));
    assert_eq!(found["stray"], json!([]));
    let shown = found["shown"].as_array().unwrap();
    let shapes = found["shapes"].as_array().unwrap();
    assert!(
        shown.len() > 200 && shapes.len() > 100,
        "{} {}",
        shown.len(),
        shapes.len()
    );
    for number in shown {
        let place = number["json"].as_str().unwrap();
        let value = value(&document, place);
        assert_eq!(number["value"].as_f64(), Some(value), "{number}");
        let text = number["text"].as_str().unwrap();
        assert!(
            [
                value.to_string(),
                format!("{value:.1}"),
                duration(value),
                percent(value)
            ]
            .contains(&text.to_owned()),
            "{number}"
        );
        let is_share = ["agreement", "expected"]
            .iter()
            .any(|end| place.ends_with(end));
        assert_eq!(text.ends_with('%'), is_share, "{number}");
        assert_eq!(
            text.ends_with('s') || text.ends_with("min"),
            place.contains("seconds"),
            "{number}"
        );
    }
    for shape in shapes {
        let value = value(&document, shape["json"].as_str().unwrap());
        assert_eq!(shape["value"].as_f64(), Some(value), "{shape}");
        let text = shape["text"].as_str().unwrap();
        assert!(
            text.split([' ', ':']).any(|word| word == value.to_string()),
            "{shape}"
        );
    }
    // The bars of the weeks are as high as their counts, all on one scale.
    let bars = shapes.iter().filter(|shape| {
        shape["json"]
            .as_str()
            .unwrap()
            .starts_with("/timeline/parts/")
            && !shape["json"].as_str().unwrap().ends_with("prompts")
    });
    let units: Vec<f64> = bars
        .map(|bar| bar["height"].as_f64().unwrap() / bar["value"].as_f64().unwrap())
        .collect();
    assert!(units.len() >= 8);
    for unit in &units {
        assert!((unit / units[0] - 1.0).abs() < 0.15, "{units:?}");
    }
    // What a reader looks for first is there.
    for place in [
        "/summary/0/figures/questions",
        "/summary/0/figures/waiting_seconds",
        "/projects/0/asked",
        "/not_proposed/0/answers",
        "/answering_times/median_seconds",
        "/proposals/0/evidence/agreed",
        "/standing_preferences/0/spot_checks",
        "/answered_for_you/0/times",
        "/permissions/by_subject/0/asked",
    ] {
        assert!(
            shown.iter().any(|number| number["json"] == place),
            "{place}"
        );
    }
}

/// The number in `document` at the JSON pointer `place`.
fn value(document: &Value, place: &str) -> f64 {
    let value = document.pointer(place).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("{place} is no number of the JSON"))
}

#[test]
fn the_sums_of_the_pictures_are_the_totals() {
    let document = json(&world());
    let sum = |list: &str, field: &str| -> u64 {
        let list = document.pointer(list).unwrap().as_array().unwrap();
        list.iter().map(|one| one[field].as_u64().unwrap()).sum()
    };
    let totals = &document["totals"];
    assert_eq!(totals["asked"], sum("/hours", "asked"));
    for list in ["/projects", "/askers", "/timeline/parts"] {
        assert_eq!(totals["questions"], sum(list, "questions"), "{list}");
    }
    assert_eq!(
        document["permissions"]["asked"],
        sum("/timeline/parts", "prompts")
    );
    assert_eq!(totals["auto_decided"], sum("/answered_for_you", "times"));
    assert_eq!(
        document["answering_times"]["answers"],
        sum("/answering_times/bins", "answers")
    );
    for week in document["timeline"]["parts"].as_array().unwrap() {
        let of = |field: &str| week[field].as_u64().unwrap();
        let asked = of("answered") + of("failed") + of("dismissed") + of("open");
        assert_eq!(
            (of("asked"), of("questions")),
            (asked, asked + of("auto_decided")),
            "{week}"
        );
    }
    for question in document["questions"].as_array().unwrap() {
        let of = |list: &str| question[list].as_array().unwrap();
        let parts = document["timeline"]["parts"].as_array().unwrap().len();
        assert_eq!(of("over_time").len(), parts, "{question}");
        let times: u64 = of("over_time")
            .iter()
            .map(|times| times.as_u64().unwrap())
            .sum();
        let all = question["asked"].as_u64().unwrap() + question["auto_decided"].as_u64().unwrap();
        assert_eq!(times, all, "{question}");
        let answers: u64 = of("answers")
            .iter()
            .map(|answer| answer["times"].as_u64().unwrap())
            .sum();
        assert!(
            answers <= question["answered"].as_u64().unwrap(),
            "{question}"
        );
        if let Some(first) = of("answers").first() {
            assert_eq!(first["answer"], question["top_answer"], "{question}");
        }
    }
    let layout = &document["standing_preferences"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["question_key"] == "layout")
        .unwrap();
    assert_eq!(layout["spot_checks"], 9);
    assert_eq!(
        layout["checks"][4],
        json!({"day": "2026-11-14", "agreed": false})
    );
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn it_fits_on_a_phone_and_can_be_read() {
    let mut browser = browser();
    let world = world();
    browser.open(&page(&world));
    let open = "document.querySelectorAll('details').forEach((one) => { one.open = true; })";
    for width in [360, 412, 768, 1280] {
        browser.resize(width, 1);
        for is_open in [false, true] {
            if is_open {
                browser.evaluate(open);
            }
            let wide = browser.evaluate("document.documentElement.scrollWidth");
            assert_eq!(wide, width, "details open: {is_open}");
        }
    }
    for (scheme, media) in [("light", "screen"), ("dark", "screen"), ("dark", "print")] {
        browser.emulate(scheme, media);
        let found = browser.evaluate(include_str!("contrast.js"));
        assert!(found["checked"].as_u64().unwrap() > 300, "{found}");
        assert_eq!(found["weak"], json!([]), "{scheme} {media}");
    }
    browser.emulate("dark", "screen");
    let background = "getComputedStyle(document.body).backgroundColor";
    let dark = browser.evaluate(background);
    browser.emulate("light", "screen");
    assert_ne!(dark, browser.evaluate(background));
    // Each picture has a name, and each section's pictures a table behind them that the keyboard reaches.
    let unnamed = "[...document.querySelectorAll('svg')]
        .filter((svg) => !svg.querySelector(':scope > title') || !svg.getAttribute('aria-label')).length";
    assert_eq!(browser.evaluate(unnamed), 0);
    let without_table = "[...document.querySelectorAll('figure, .pictures')]
        .filter((one) => !one.parentElement.querySelector('details table')).length";
    assert_eq!(browser.evaluate(without_table), 0);
    browser.evaluate("document.querySelector('summary').focus()");
    assert_eq!(
        browser.evaluate("document.activeElement.tagName"),
        "SUMMARY"
    );
}

/// The width of an A4 page between Chromium's margins, in CSS pixels, and the size of the page in inches.
const PRINTED: u32 = 718;
const A4: [f64; 2] = [8.27, 11.69];

#[test]
#[ignore = "needs Chromium: make test-page"]
fn what_is_printed_is_whole_and_has_no_controls() {
    let mut browser = browser();
    let world = world();
    browser.open(&page(&world));
    // Somebody has sorted a table.
    browser.evaluate("document.querySelector('.scroll[data-list=project] thead button').click()");
    let arrow = "getComputedStyle(document.querySelector('[aria-sort] button'), '::after').content";
    assert_eq!(browser.evaluate(arrow), "\" ▼\"");
    browser.resize(PRINTED, 1);
    browser.emulate("dark", "print");
    let found = browser.evaluate(include_str!("print.js"));
    assert!(found["tables"].as_u64().unwrap() > 3, "{found}");
    assert!(found["cells"].as_u64().unwrap() > 15, "{found}");
    for nothing in ["controls", "missing", "wide"] {
        assert_eq!(found[nothing], json!([]), "{nothing}");
    }
    let shown = found["shown"].as_str().unwrap();
    for control in ["▲", "▼", "Filter "] {
        assert!(!shown.contains(control), "{control}: {shown}");
    }
    let paper = json!({"printBackground": true, "paperWidth": A4[0], "paperHeight": A4[1]});
    let printed = browser.call("Page.printToPDF", paper);
    let printed = decode(printed["data"].as_str().unwrap());
    assert!(printed.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&printed);
    let pages = text.matches("/Type /Page\n").count();
    assert!((2..20).contains(&pages), "{pages} pages");
    assert_eq!(text.matches("/MediaBox [0 0 ").count(), pages);
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn no_word_is_broken_and_what_is_wide_scrolls() {
    let mut browser = browser();
    let world = world();
    browser.open(&page(&world));
    browser.resize(390, 1);
    browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    // The words that stand on two lines, of those that a column has room for.
    let broken = "(() => {
        const found = [], range = document.createRange();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            if (node.parentElement.closest('script, title')) continue;
            for (const word of node.data.matchAll(/(?<!\\S)[A-Za-z\\d]{2,20}[.,:;?]?(?!\\S)/g)) {
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const tops = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
                if (tops.size > 1) found.push(word[0]);
            }
        }
        return found;
    })()";
    assert_eq!(browser.evaluate(broken), json!([]));
    // Every picture and table is whole, or can be scrolled.
    let cut = "[...document.querySelectorAll('figure, .scroll, svg')].filter((one) => {
        const box = one.closest('figure, .scroll') ?? one.parentElement;
        return box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'auto';
    }).length";
    assert_eq!(browser.evaluate(cut), 0);
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn tables_are_sorted_and_lists_filtered_and_links_lead_there_and_back() {
    let mut browser = browser();
    let world = world();
    browser.open(&page(&world));
    let sorted = |browser: &mut Browser, title: &str| {
        let click = format!(
            "(() => {{
                const title = [...document.querySelectorAll('.scroll[data-list=project] thead th')]
                    .find((one) => one.textContent === '{title}');
                title.querySelector('button').click();
                return [...title.closest('table').tBodies[0].rows]
                    .map((row) => Number(row.cells[title.cellIndex].querySelector('data')?.value ?? -1));
            }})()"
        );
        let found = browser.evaluate(&click);
        serde_json::from_value::<Vec<f64>>(found).unwrap()
    };
    let down = sorted(&mut browser, "asked");
    assert!(
        down.len() > 1 && down.is_sorted_by(|one, other| one >= other),
        "{down:?}"
    );
    let up = sorted(&mut browser, "asked");
    assert!(up.is_sorted(), "{up:?}");
    let filtered = browser.evaluate(
        "(() => {
            const input = [...document.querySelectorAll('input')].find((one) => one.placeholder === 'Filter questions');
            const shown = () => document.querySelectorAll('article:not([hidden])').length;
            const before = shown();
            input.value = 'zebra-that-nobody-asks';
            input.dispatchEvent(new Event('input'));
            const none = shown();
            input.value = '';
            input.dispatchEvent(new Event('input'));
            return [before > 5, none, shown() === before];
        })()",
    );
    assert_eq!(filtered, json!([true, 0, true]));
    let links = browser.evaluate(
        "[...document.querySelectorAll('a')].map((one) => [one.hash, document.querySelector(one.hash) !== null])",
    );
    let links = links.as_array().unwrap();
    for (start, page) in [
        ("#question-", "a proposal's question"),
        ("#proposal-", "the way back"),
    ] {
        let has = |link: &Value| link[0].as_str().unwrap().starts_with(start);
        assert!(links.iter().any(has), "{page}");
    }
    assert!(links.iter().all(|link| link[1] == true), "{links:?}");
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn it_does_nothing_but_show_itself() {
    let mut browser = browser();
    let world = world();
    let path = page(&world);
    browser.open(&path);
    // Whatever comes late has come.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let title = browser.evaluate("document.title");
    assert!(
        title
            .as_str()
            .unwrap()
            .ends_with(" prompts: 1 Oct – 20 Nov 2026"),
        "{title}"
    );
    let shown = browser.evaluate("document.body.innerText");
    let text = shown.as_str().unwrap();
    for hostile in [
        "<script>document.title = \"owned\"</script><img src=\"https://evil.example/x.png\">txt.exe \
         =HYPERLINK(\"https://evil.example\";\"x\") &lt;b&gt; red",
        "\"><img src=x onerror=alert(1)>",
        "<svg onload=alert(2)>",
        "<iframe src=https://evil.example>",
        "<style>*{display:none}</style>",
        "rm <script>alert(3)</script>",
        // A project, by the end of its key.
        "title><script>console.log(1)</script>",
    ] {
        assert!(text.contains(hostile), "{hostile}");
    }
    let is_steering = |c: char| is_dangerous(c) && c != '\n' && c != '\t';
    assert!(!text.contains(is_steering));
    let elements = "document.querySelectorAll(
        'img, iframe, object, embed, link, form, base, video, audio, [onerror], [onload], [style], \
            a:not([href^=\"#\"]), script:not(body > script:last-child)'
    ).length";
    assert_eq!(browser.evaluate(elements), 0);
    // The style applies, so that its hash in the policy is right.
    assert_eq!(
        browser.evaluate("getComputedStyle(document.querySelector('.card')).borderTopWidth"),
        "1px"
    );
    for event in &browser.events {
        let method = event["method"].as_str().unwrap();
        let is_message = [
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
        ]
        .contains(&method);
        assert!(!is_message, "{event}");
        if method == "Network.requestWillBeSent" {
            let url = event["params"]["request"]["url"].as_str().unwrap();
            assert_eq!(url, format!("file://{}", path.display()));
        }
    }
}

#[test]
#[ignore = "needs Chromium: make test-page"]
fn screenshots() {
    let Some(folder) = std::env::var_os("PLANTUNE_SCREENSHOTS").map(PathBuf::from) else {
        return;
    };
    let mut browser = browser();
    let world = world();
    let path =
        std::env::var_os("PLANTUNE_SCREENSHOT_OF").map_or_else(|| page(&world), PathBuf::from);
    browser.open(&path);
    for (name, width, scheme, media) in [
        ("light", 1080, "light", "screen"),
        ("dark", 1080, "dark", "screen"),
        ("phone", 360, "light", "screen"),
        ("print", 794, "light", "print"),
    ] {
        browser.resize(width, 1);
        browser.emulate(scheme, media);
        let height = browser.evaluate("document.documentElement.scrollHeight");
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let picture = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let picture = browser.call("Page.captureScreenshot", picture);
        let bytes = decode(picture["data"].as_str().unwrap());
        let path = folder.join(format!("report-{name}.png"));
        plantune_domain::atomic_file::replace(&path, &bytes, 0o644).unwrap();
    }
}

/// Base64 as bytes.
fn decode(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four
            .iter()
            .fold(0_u32, |bits, byte| bits << 6 | u32::from(digit(*byte)));
        let bits = bits << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}
