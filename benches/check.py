#!/usr/bin/env python3
"""Fails when plantune costs more than it did: benches/check.py HOOK PLANTUNE [--lower].

Hook and verbs are counted in instructions (valgrind's callgrind), which no other work on the machine changes.
`benches/check.json` has the figures of the last release; 10 % more fails. `--lower` writes the figures of this run
there where they are lower, for a commit of its own.
"""

import datetime as dt
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIGURES = Path(__file__).with_name("check.json")
MORE = 1.10
# What is twice as long may take so much more: a search whose work grows as the square of a text takes four times as much.
TWICE = 2.5
LONG = 4 * 1024
# Beginnings of secrets, over and over: each is a start of something that goes on to the end of the text.
UNITS = ["=", "token=", "cookie: a=", "a=a=", "-----BEGIN ", "://@", "\"'", "-p ", "key=\"", "x:x", "password ",
         "auth('a', ", "identified by 'x", "echo a|", "'a','b',", "<token>x", "credentials: a / ", "<<\ntoken: x",
         "default=\"", "curl -u ", "mysql -p\"", "auth(", "login a@"]
PREFERENCES = 200
MANY_PREFERENCES = 2000
QUESTIONS = 1400
SENTENCES = [
    "The cart of shop {n} keeps for a week what was put into it, and the page says since when.",
    "Two of the tests in part {n} wait for the clock and fail on a slow machine.",
    "I could read the prices of all {n} shoes at once or each when somebody looks at it.",
    "The second way needs more requests, but the list is shown {n} times sooner.",
    "Nobody has changed docs/part-{n}.md since the last release, so it still describes the old form.",
    "If the server is away, what is typed in field {n} stays in the browser until it answers.",
    "`Cart::total` is called {n} times for a page, because each row asks for the sum of all rows.",
    "A reader on a narrow screen has to scroll through {n} filters before the first result.",
]
# A history for the first screen: long enough that reading it is most of what is counted.
FIRST_MIB = 20


def question(key, text):
    options = [{"label": "Create it (recommended)", "description": "makes a skeleton"},
               {"label": "Skip", "description": "no file"}]
    return {"questions": [{"question": f"<gstack-qid:{key}> {text}", "header": "TODOs", "options": options,
                           "multiSelect": False}]}


def prose(length):
    """A text of sentences, of this many bytes."""
    text, number = "", 0
    while len(text) < length:
        text += SENTENCES[number % len(SENTENCES)].format(n=number) + " "
        number += 1
    return text[:length]


def chain(length):
    """A command of many, of about this many bytes."""
    parts, number = "cd src", 0
    while len(parts) < length:
        parts += f" && npm test -- --watch=false part-{number}/cart.test.ts | tail -n {number}"
        number += 1
    return parts


def preference(number):
    text = f"No notes found in chapter {number}. Create one?"
    form = "no note found in chapter # creat one ?"
    agreement = {"acts": [{"label": "Skip", "descriptions": ["no file"]}], "options": ["create it", "skip"],
                 "host": "AskUserQuestion", "texts": [{"text": text, "form": form}],
                 "askings": ["creat one ?"], "signs": {"no": 2}, "always": ["no"], "largest": number, "zero": True,
                 "recommended": ["create it"]}
    return {"preference": "never-ask", "answer": "Skip", "key_source": "marker", "question": text, "header": "TODOs",
            "options": ["Create it (recommended)", "Skip"], "agreement": agreement,
            "set_at": "2026-11-01T10:00:00.000Z", "set_by": "suggest",
            "evidence": {"answers": 12, "agreed": 12, "sessions": 9, "days": 8}}


def calls(folder):
    """The calls that are counted: their names and what Claude Code sends."""
    common = {"session_id": "125f8e5c-7e58-454d-a1f8-d537f7695fd4", "transcript_path": "/t", "cwd": str(folder),
              "permission_mode": "default"}
    asked = dict(common, tool_name="AskUserQuestion", tool_use_id="toolu_1")
    text = f"No notes found in chapter {PREFERENCES - 1}. Create one?"
    other, known = question("other", text), question(f"question-{PREFERENCES - 1}", text)
    long = lambda length: question("other", prose(length) + "Create one?")
    given = {"questions": [], "answers": {other["questions"][0]["question"]: "Skip"}}
    rule = {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "npm test *"}], "behavior": "allow",
            "destination": "localSettings"}
    command = {"command": "cd src && TOKEN=abc npm test -- --watch=false | tee log", "description": "Run the tests"}
    asks = dict(asked, hook_event_name="PreToolUse")
    prompt = dict(common, hook_event_name="PermissionRequest", tool_name="Bash")
    return {
        "hook: asked": dict(asks, tool_input=other),
        "hook: asked, a text of 4 KB": dict(asks, tool_input=long(4 * 1024)),
        "hook: asked, a text of 60 KB": dict(asks, tool_input=long(60 * 1024)),
        f"hook: answered, {PREFERENCES} preferences": dict(asks, tool_input=known),
        f"hook: answered, {MANY_PREFERENCES} preferences": dict(asks, tool_input=known),
        "hook: PostToolUse": dict(asked, hook_event_name="PostToolUse", tool_input=other, tool_response=given),
        "hook: PermissionRequest": dict(prompt, tool_input=command, permission_suggestions=[rule]),
        "hook: PermissionRequest, 7 KB": dict(prompt, tool_input={"command": chain(7 * 1024)},
                                              permission_suggestions=[]),
    }


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)


def instructions(hook):
    """How many instructions each call takes, in a home of its own whose path has always the same length."""
    found = {}
    for name in calls(Path("/")):
        with tempfile.TemporaryDirectory(prefix="plantune-") as home:
            home = Path(home)
            repository = home / "shop"
            write(repository / ".git/HEAD", "ref: refs/heads/main\n")
            write(repository / ".git/config", '[remote "origin"]\n\turl = git@github.com:dev/shop.git\n')
            count = MANY_PREFERENCES if str(MANY_PREFERENCES) in name else PREFERENCES
            preferences = {f"question-{number}": preference(number) for number in range(count)}
            write(home / "data/preferences.json", json.dumps({"version": 2, "preferences": preferences}, indent=2))
            write(home / "data/config.toml", "spot_check = 0\n")
            environment = {"PLANTUNE_HOME": str(home / "data"), "CLAUDE_CODE_ENTRYPOINT": "cli"}
            ran = subprocess.run(
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(hook)],
                input=json.dumps(calls(repository)[name]), env=environment, capture_output=True, text=True, check=True)
            if "answered" in name and '"allow"' not in ran.stdout:
                sys.exit(f"{name}: nothing was answered: {ran.stdout or ran.stderr}")
            found[name] = int(re.search(r"Collected : (\d+)", ran.stderr)[1])
    return found


def of_long_texts(hook):
    """Fails where a command that is twice as long takes more than twice the work: a person waits for the hook."""
    slow = []
    with tempfile.TemporaryDirectory(prefix="plantune-") as home:
        environment = {"PLANTUNE_HOME": home, "CLAUDE_CODE_ENTRYPOINT": "cli"}
        call = calls(home)["hook: PermissionRequest"]

        def taken(command):
            given = dict(call, tool_input={"command": command}, permission_suggestions=[])
            return counted([str(hook)], environment, json.dumps(given))

        start = taken("true")
        for unit in UNITS:
            one, two = (taken(unit * (length // len(unit))) - start for length in (LONG, 2 * LONG))
            if two > one * TWICE:
                slow.append(f"{unit!r}: {two / one:.1f} times the work in a text of twice the length")
    if slow:
        sys.exit("\n".join(slow))


def transcripts(folder, questions):
    """A history in the shape of Claude Code's transcripts, the same each time: habits, also of many texts, and what never repeats."""
    start = dt.datetime(2026, 9, 1, 8, tzinfo=dt.timezone.utc)
    texts = [lambda n: f"<gstack-qid:test-scope> Module {n} changed. Which tests should run?",
             lambda n: f"Part {n}: shall I review the new tests before we go on?",
             lambda n: f"How should view {n} look on a narrow screen of {n % 7} inches?"]
    labels = [["Full suite", "Affected tests"], ["Yes, review them", "No, go on"], ["Stack the cards", "Scroll sideways"]]
    lines = {}
    for number in range(questions):
        kind, session, at = number % 3, number // 5, start + dt.timedelta(minutes=83 * number)
        text, answer = texts[kind](number), labels[kind][number % 11 == 0]
        project = f"/home/dev/project-{session % 4}"
        common = {"sessionId": f"00000000-0000-4000-8000-{session:012}", "cwd": project, "version": "2.1.330",
                  "isSidechain": False, "userType": "external", "entrypoint": "cli", "gitBranch": "main"}
        asked = {"questions": [{"question": text, "header": "Next", "multiSelect": False,
                                "options": [{"label": label, "description": ""} for label in labels[kind]]}]}
        stamp = lambda at: at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        use = {"type": "tool_use", "id": f"toolu_{number:06}", "name": "AskUserQuestion", "input": asked}
        result = {"type": "tool_result", "tool_use_id": use["id"],
                  "content": f'User has answered your questions: "{text}"="{answer}". You can now continue.'}
        lines.setdefault((project, session), []).extend([
            dict(common, type="assistant", uuid=f"a-{number}", parentUuid=None, timestamp=stamp(at),
                 message={"role": "assistant", "model": "m", "content": [use]}),
            dict(common, type="user", uuid=f"u-{number}", parentUuid=f"a-{number}",
                 timestamp=stamp(at + dt.timedelta(seconds=20 + number % 40)),
                 message={"role": "user", "content": [result]},
                 toolUseResult={"questions": asked["questions"], "answers": {text: answer}})])
    for (project, session), of_session in lines.items():
        name = f"{project.replace('/', '-')}/00000000-0000-4000-8000-{session:012}.jsonl"
        write(folder / name, "".join(json.dumps(line) + "\n" for line in of_session))


def long_transcripts(folder, mib):
    """A history as long as a person's: two hundred commands for a question, with what they print."""
    output = 'lorem ipsum "dolor" sit amet\n' * 60
    start, number, sessions = dt.datetime(2026, 9, 1, 8, tzinfo=dt.timezone.utc), 0, 8
    for session in range(sessions):
        name = f"00000000-0000-4000-8000-{session:012}"
        common = {"sessionId": name, "cwd": f"/home/dev/project-{session % 4}", "version": "2.1.330",
                  "isSidechain": False, "userType": "external", "entrypoint": "cli", "gitBranch": "main"}
        lines, length = [], 0
        while length < mib * 1024 * 1024 // sessions:
            number += 1
            at = (start + dt.timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            call, more = f"toolu_{number:06}", {}
            if number % 200 == 0:
                asked = question(f"build-{number}", f"Module {number} is large. Shall I build it?")
                use = {"type": "tool_use", "id": call, "name": "AskUserQuestion", "input": asked}
                more["toolUseResult"] = {"questions": asked["questions"],
                                         "answers": {asked["questions"][0]["question"]: "Skip"}}
                said = "User has answered your questions."
            else:
                use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"npm run build {number}"}}
                more["toolUseResult"], said = {"stdout": output, "stderr": ""}, output
                decision = {"decision": "accept", "source": "config"}
                if number % 10 == 0:
                    decision = {"decision": "accept", "source": "user_temporary", "grantScope": "once"}
                if number % 10 != 1:
                    more["permissionDecision"] = decision
            result = {"type": "tool_result", "tool_use_id": call, "content": said, "is_error": number % 10 == 1}
            turn = {"promptId": f"p-{number // 40}", "timestamp": at}
            for line in (dict(common, type="assistant", uuid=f"a-{number}", **turn,
                              message={"id": f"msg_{number}", "role": "assistant", "content": [use]}),
                         dict(common, type="user", uuid=f"u-{number}", **turn, **more,
                              message={"role": "user", "content": [result]})):
                lines.append(json.dumps(line, separators=(",", ":")) + "\n")
                length += len(lines[-1])
        write(folder / f"-home-dev-project-{session % 4}" / f"{name}.jsonl", "".join(lines))
    return number // 200


def of_first_screen(plantune):
    """How many instructions the first screen takes on a long history that nobody has read."""
    with tempfile.TemporaryDirectory(prefix="plantune-") as home:
        home = Path(home)
        questions = long_transcripts(home / ".claude/projects", FIRST_MIB)
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC", "COLUMNS": "100",
                       "PLANTUNE_NOW": "2026-10-01T10:00:00Z"}
        ran = subprocess.run([plantune], env=dict(environment, PLANTUNE_HOME=str(home / "seen")), capture_output=True,
                             text=True, check=True)
        if f"{questions} questions" not in ran.stdout:
            sys.exit(f"the history was not read: {ran.stdout[:2000]}")
        return {f"first screen: {FIRST_MIB} MiB": counted([plantune], environment)}


def of_verbs(plantune):
    """How many instructions each verb takes on a history, those of DuckDB included."""
    with tempfile.TemporaryDirectory(prefix="plantune-") as home:
        home = Path(home)
        transcripts(home / ".claude/projects", QUESTIONS)
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC", "COLUMNS": "100"}
        verbs = {
            "import": ["import", "claude-code"],
            "report": ["report", "--since", "2026-09-01"],
            "suggest": ["suggest"],
            "backtest": ["suggest", "--backtest"],
        }
        subprocess.run([plantune, *verbs["import"]], env=environment, capture_output=True, check=True)
        found = {}
        for name, verb in verbs.items():
            # What is imported must be new.
            more = {"PLANTUNE_HOME": str(home / "import")} if name == "import" else {}
            found[named(name)] = counted([plantune, *verb], dict(environment, **more))
        report = [plantune, "report", "--since", "2026-09-01", "--json"]
        ran = subprocess.run(report, env=environment, capture_output=True, text=True, check=True)
        if json.loads(ran.stdout)["totals"]["answered"] != QUESTIONS:
            sys.exit(f"the history was not read: {ran.stdout[:2000]}")
        return found


def counted(command, environment, given=""):
    """The instructions of `command`, by callgrind."""
    ran = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        env=environment, input=given, capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode != 0 or not collected:
        sys.exit(f"{command}: {ran.stderr[-2000:]}")
    return int(collected[1])


def named(verb):
    return f"{verb}: {QUESTIONS} questions"


def main():
    # DuckDB makes a thread a processor that it may use, and threads that wait for each other count.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    hook, plantune = (os.path.abspath(path) for path in sys.argv[1:3])
    known = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    of_long_texts(hook)
    found = {**instructions(hook), **of_first_screen(plantune), **of_verbs(plantune)}
    over = []
    print(f"{'':36} {'release':>12} {'now':>12}")
    for name, figure in found.items():
        before = known.get(name)
        more = "" if before is None else f"{(figure / before - 1) * 100:+.1f} %"
        print(f"{name:36} {before if before is not None else '-':>12} {figure:>12} {more:>8}")
        if before is not None and figure > before * MORE:
            over.append(name)
    if "--lower" in sys.argv:
        lower = {name: min(figure, known.get(name, figure)) for name, figure in found.items()}
        FIGURES.write_text(json.dumps(lower, indent=2) + "\n")
    elif over:
        sys.exit(f"more than 10 % over {FIGURES.name}: " + ", ".join(over))
    if found.keys() - known.keys():
        print(f"what {FIGURES.name} does not have is compared with nothing: `make bench-check LOWER=1` writes it there")


main()
