#!/usr/bin/env python3
"""Computes the figures of the first screen, `report`, `suggest` and the page again, from the transcripts alone, and
compares them with what plantune prints.

    recompute.py PLANTUNE TRANSCRIPTS...

PLANTUNE is run in this environment: its HOME holds the same transcripts, PLANTUNE_NOW says when it is, TZ is UTC.
Nothing of plantune's own is read. The definitions are those of docs/reports.md and docs/json.md. It knows the shapes
that the sample history has, and stops at any other. Each difference is a line; then it says how many figures it
compared. What plantune prints is compared with each of the folders TRANSCRIPTS, so that a test can alter some and see
that it is noticed. Exit code 1 with differences.
"""

import collections
import datetime as dt
import functools
import html
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

AWAY_AFTER = 600
MARK = " (Recommended)"
MARKER = re.compile(r"^<plantune:([a-z0-9-]+)> ")
# The words in the questions of the sample history that bear on what is done, of the list that plantune has.
SIGNS = {"tax"}


def moment(text):
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def short(project):
    """A project's own name: the last part of its folder, or of its key."""
    return project.rsplit("/", 1)[-1]


class Question:
    """One question of one call: who asked when, and what became of it."""

    def __init__(self, call, index, asked):
        self.project = short(call["cwd"])
        self.session = call["sessionId"]
        self.at = moment(call["timestamp"])
        self.day = self.at.date()
        self.index = index
        marker = MARKER.match(asked["question"])
        self.key = marker and marker[1]
        self.text = MARKER.sub("", asked["question"])
        self.sent = asked["question"]
        self.options = [one["label"].removesuffix(MARK) for one in asked["options"]]
        marked = [one["label"] for one in asked["options"] if one["label"].endswith(MARK)]
        self.recommended = marked[0].removesuffix(MARK) if marked else None
        self.outcome, self.end, self.seconds, self.answer = "open", None, None, None
        self.timed_out = False

    def ended(self, line, result, of):
        """Notes what `line` says became of its call, which has `of` questions."""
        self.end = moment(line["timestamp"])
        told = line["toolUseResult"]
        if result.get("is_error"):
            self.outcome = "dismissed" if told == "User rejected tool use" else "failed"
        elif told["answers"]:
            self.outcome = "answered"
            given = told["answers"][self.sent].removesuffix(MARK)
            self.answer = given if given in self.options else "(typed)"
            whole = (self.end - self.at).total_seconds()
            self.seconds = whole / of if whole <= AWAY_AFTER else None
        else:
            assert "afkTimeoutMs" in told, told
            self.outcome, self.timed_out = "dismissed", True


class Prompt:
    """A prompt for permission that the person decided."""

    def __init__(self, call, use, decision):
        self.folder, self.project = call["cwd"], short(call["cwd"])
        self.day = moment(call["timestamp"]).date()
        self.tool, self.input = use["name"], use["input"]
        self.allowed = decision["decision"] == "accept"

    def takes(self, rule):
        """Whether the permission rule `rule` allows it."""
        tool, _, inside = rule.removesuffix(")").partition("(")
        if tool != self.tool:
            return False
        if tool == "Bash":
            return self.input["command"] == inside
        if tool == "WebFetch":
            return re.match(r"https://([^/]+)", self.input["url"])[1] == inside.removeprefix("domain:")
        if tool == "Edit":
            return self.input["file_path"].startswith(self.folder + inside.removesuffix("**"))
        return inside == ""

    def subject(self):
        """What the report calls it: the program with its command, the folder, the host, or the tool."""
        if self.tool == "Bash":
            words = self.input["command"].split()
            take = {"npm": 3 if "run" in words else 2, "git": 2, "cargo": 2, "curl": 2}[words[0]]
            # What is worst about a line is part of its subject.
            worst = "".join(f" {word}" for word in ("--force", "| sh") if word in self.input["command"])
            return " ".join(words[:take]) + worst
        if self.tool == "WebFetch":
            return "WebFetch " + re.match(r"https://([^/]+)", self.input["url"])[1]
        if self.tool == "Edit":
            return "Edit " + os.path.dirname(self.input["file_path"].removeprefix(self.folder + "/")) + "/"
        return self.tool


class History:
    def __init__(self, folder):
        calls, results = {}, {}
        files = sorted(pathlib.Path(folder).glob("**/*.jsonl"))
        self.files = len(files)
        for file in files:
            for text in file.read_text(encoding="utf-8").splitlines():
                line = json.loads(text)
                for part in line["message"]["content"]:
                    if part["type"] == "tool_use":
                        calls[part["id"]] = (line, part)
                    elif part["type"] == "tool_result":
                        results[part["tool_use_id"]] = (line, part)
        self.questions, self.prompts = [], []
        for id, (line, use) in calls.items():
            answer = results.get(id)
            if use["name"].endswith("AskUserQuestion"):
                asked = use["input"]["questions"]
                for index, one in enumerate(asked):
                    question = Question(line, index, one)
                    if answer:
                        question.ended(*answer, len(asked))
                    self.questions.append(question)
            elif answer and answer[0].get("permissionDecision", {}).get("source", "").startswith("user"):
                self.prompts.append(Prompt(line, use, answer[0]["permissionDecision"]))
        self.questions.sort(key=lambda one: (one.at, one.index))
        self.first_day = min(one.day for one in self.questions)

    def asked(self, start, end):
        return [one for one in self.questions if start <= one.day <= end]

    def prompted(self, start, end):
        return [one for one in self.prompts if start <= one.day <= end]


def waited(questions):
    """The seconds in which a session's agent waited: time that several questions cover counts once."""
    total = 0.0
    by_session = collections.defaultdict(list)
    for one in questions:
        if one.end:
            by_session[one.session].append((one.at, one.end))
    for spans in by_session.values():
        covered = None
        for begin, end in sorted(spans):
            if covered is None or end > covered:
                total += (end - max(begin, covered or begin)).total_seconds()
                covered = end
    return total


def totals(questions):
    count = lambda outcome: sum(one.outcome == outcome for one in questions)
    return {
        "questions": len(questions),
        "asked": len(questions),
        "auto_decided": 0,
        "answered": count("answered"),
        "dismissed": count("dismissed"),
        "failed": count("failed"),
        "open": count("open"),
        "timed_out": sum(one.timed_out for one in questions),
        "calls": sum(one.index == 0 for one in questions),
        "sessions": len({one.session for one in questions}),
        "human_seconds": sum(one.seconds or 0 for one in questions),
        "waiting_seconds": waited(questions),
        "waiting_away_seconds": 0,
        "seconds_saved": 0,
    }


def a_week(days, known_since, until=None):
    """How often a week something comes that came on `days`: over the four weeks up to the last time. What they are
    divided by ends with `until`, the last answer."""
    last = max(days)
    recent = sum(day > last - dt.timedelta(28) for day in days)
    until = until or last
    known = max(known_since, until - dt.timedelta(27))
    return recent / (max((until - known).days + 1, 7) / 7)


def covered_by(given, answer):
    """Those of `given` that a preference for `answer` would cover: without a sign that was not answered so in two
    sessions. Apart from signs, the questions of one key in the sample history differ in nothing that matters."""
    signs = lambda one: SIGNS.intersection(re.findall(r"[a-z]+", one.text.lower()))
    sessions = {sign: {one.session for one in given if sign in signs(one) and one.answer == answer} for sign in SIGNS}
    return [one for one in given if all(len(sessions[sign]) > 1 for sign in signs(one))]


# How figures are printed.


def duration(seconds):
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min" + (f" {whole % 60:02} s" if whole % 60 else "")
    minutes = (whole + 30) // 60
    return f"{minutes // 60} h {minutes % 60:02} min"


def weekly(times):
    if times < 9.95:
        return f"{times:.1f}".removesuffix(".0")
    return str(round(times))


def how_often(times):
    words, period = (weekly(times), "a week") if times >= 0.75 else (str(round(times * 365.25 / 84)), "a month")
    return {"1": "once ", "2": "twice "}.get(words, words + " times ") + period


def counted(number, one, many=None):
    return f"{number} {one if number == 1 else many or one + 's'}"


@functools.cache
def printed_by(plantune, *words):
    done = subprocess.run([plantune, *words], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"plantune {' '.join(words)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


class Comparison:
    def __init__(self, history, plantune, today):
        self.history, self.plantune, self.today = history, plantune, today
        self.compared, self.differences = 0, []

    def run(self, *words):
        return printed_by(self.plantune, *words)

    def same(self, where, printed, computed):
        self.compared += 1
        alike = printed == computed
        if isinstance(printed, float) or isinstance(computed, float):
            alike = printed is not None and computed is not None and abs(printed - computed) < 0.001
        if not alike:
            self.differences.append(f"{where}: plantune says {printed!r}, the transcripts {computed!r}")

    def says(self, where, text, part):
        """That the sentences of `text` have `part`."""
        self.compared += 1
        plain = " ".join(text.replace("\u00a0", " ").split())
        if part not in plain:
            self.differences.append(f"{where}: {part!r} is not printed")

    # The documents.

    def report(self, words, start, end, previous, is_overview=False):
        """One period in JSON, on the terminal and, for reports, as a page."""
        name = "plantune " + " ".join(words)
        document = json.loads(self.run(*words, "--json"))
        questions, prompts = self.history.asked(start, end), self.history.prompted(start, end)
        sums = totals(questions)
        last_day = min(end, self.today)
        self.same(f"{name} period", (document["period"]["start"], document["period"]["end"]), (str(start), str(end)))
        for field, value in sums.items():
            self.same(f"{name} totals.{field}", document["totals"][field], value)
        before = totals(self.history.asked(*previous))
        for field, value in before.items():
            self.same(f"{name} previous.{field}", document["previous"][field], value)
        for field, value in [
            ("asked", len(prompts)),
            ("granted", sum(one.allowed for one in prompts)),
            ("refused", sum(not one.allowed for one in prompts)),
        ]:
            self.same(f"{name} permissions.{field}", document["permissions"][field], value)
        self.timeline(name, document["timeline"], questions, prompts)
        self.listed(name, document["questions"], questions)
        self.subjects(name, document["permissions"]["by_subject"], prompts)
        self.groups(name, document["projects"], questions)
        self.same(f"{name} hours", sum(one["asked"] for one in document["hours"]), sums["asked"])
        answering = document["answering_times"]
        self.same(f"{name} answering_times", answering["answers"], sum(one.seconds is not None for one in questions))
        self.same(f"{name} errors", sum(one["times"] for one in document["errors"]), sums["failed"])
        text = self.run(*words)
        self.sentences(name, text, sums, len(prompts))
        if is_overview:
            self.rows(name, text, document, questions, prompts)
            return
        self.tables(name, text, document, sums, before, prompts, (last_day - start).days + 1, previous)
        self.page(name, self.run(*words, "--html", "-"), document)

    def timeline(self, name, timeline, questions, prompts):
        fields = ("questions", "asked", "answered", "dismissed", "failed", "human_seconds")
        for part, after in zip(timeline["parts"], [*timeline["parts"][1:], None]):
            start = dt.date.fromisoformat(part["start"])
            end = dt.date.fromisoformat(after["start"]) if after else dt.date.max
            sums = totals([one for one in questions if start <= one.day < end])
            for field in fields:
                self.same(f"{name} timeline {start} {field}", part[field], sums[field])
            self.same(f"{name} timeline {start} prompts", part["prompts"], sum(start <= one.day < end for one in prompts))

    @staticmethod
    def is_of(row, question):
        """Whether a listed question is this one: by its marker, its options, or its text."""
        if short(row["project"]) != question.project:
            return False
        if row["key_source"] == "marker" or question.key:
            return row["question_key"] == question.key
        if row["key_source"] == "options":
            return sorted(one.removesuffix(MARK) for one in row["options"]) == sorted(question.options)
        return row["question"] == question.text

    def listed(self, name, rows, questions):
        self.same(f"{name} questions, sum", sum(row["asked"] + row["auto_decided"] for row in rows), len(questions))
        for row in rows:
            mine = [one for one in questions if self.is_of(row, one)]
            sums, where = totals(mine), f"{name} {row['question_key']} in {row['project']}"
            for field in ("asked", "answered", "failed", "dismissed", "auto_decided"):
                self.same(f"{where} {field}", row[field], sums[field])
            times = [one.seconds for one in mine if one.seconds is not None]
            self.same(f"{where} median", row["median_seconds"], statistics.median(times) if times else None)
            answers = collections.Counter(one.answer for one in mine if one.outcome == "answered")
            if answers:
                top = min(answers.items(), key=lambda one: (-one[1], one[0]))
                self.same(f"{where} top answer", row["top_answer"], top[0])
                self.same(f"{where} share", row["top_answer_share"], top[1] / sums["answered"])
            told = [one for one in mine if one.outcome == "answered" and one.recommended]
            self.same(f"{where} agreement_n", row["agreement_n"], len(told))
            if told:
                followed = sum(one.answer == one.recommended for one in told) / len(told)
                self.same(f"{where} agreement", row["agreement"], followed)

    def subjects(self, name, rows, prompts):
        self.same(f"{name} prompts, sum", sum(row["asked"] for row in rows), len(prompts))
        for row in rows:
            mine = [one.allowed for one in prompts if one.subject() == row["subject"]]
            where = f"{name} {row['subject']}"
            self.same(f"{where} asked", row["asked"], len(mine))
            self.same(f"{where} granted", row["granted"], sum(mine))
            self.same(f"{where} refused", row["refused"], len(mine) - sum(mine))

    def groups(self, name, rows, questions):
        self.same(f"{name} projects, sum", sum(row["questions"] for row in rows), len(questions))
        for row in rows:
            sums = totals([one for one in questions if one.project == short(row["name"])])
            for field in ("questions", "asked", "answered", "human_seconds", "waiting_seconds"):
                self.same(f"{name} {row['name']} {field}", row[field], sums[field])

    # What is printed.

    def sentences(self, name, text, sums, prompts):
        begins = counted(sums["questions"], "question")
        self.says(name, text, begins + (f" and {counted(prompts, 'permission prompt')}" if prompts else "") + " ")
        times = f"Agents waited {duration(sums['waiting_seconds'])}; answering took you {duration(sums['human_seconds'])}."
        self.says(name, text, times)

    def tables(self, name, text, document, sums, before, prompts, days, previous):
        if sums["dismissed"]:
            self.says(name, text, f"You left {counted(sums['dismissed'], 'question')} unanswered.")
        if sums["failed"]:
            self.says(name, text, f"{counted(sums['failed'], 'question')} could not be asked.")
        allowed = sum(one.allowed for one in prompts)
        if prompts:
            parts = [f"{allowed} allowed"] * (allowed > 0) + [f"{len(prompts) - allowed} refused"] * (allowed < len(prompts))
            self.says(name, text, f"{counted(len(prompts), 'prompt')}: {', '.join(parts)}.")
        if before["questions"] and previous[0] >= self.history.first_day:
            self.same(f"{name} days compared", (previous[1] - previous[0]).days + 1, days)
            shown = f"{previous[0]:%a} {previous[0].day} "
            line = next(line for line in text.splitlines() if line.startswith("Compared with "))
            self.same(f"{name} compared with", shown in line and f"{previous[1].day} {previous[1]:%b %Y}" in line, True)
            for label, field in [
                ("Questions", "questions"),
                ("answered by you", "answered"),
                ("left unanswered", "dismissed"),
                ("of these, chosen by nobody", "timed_out"),
                ("could not be asked", "failed"),
                ("Sessions", "sessions"),
                ("Answering took", "human_seconds"),
                ("Agents waited", "waiting_seconds"),
            ]:
                if not (sums[field] or before[field]):
                    continue
                shown = duration if field.endswith("seconds") else str
                rows = [re.split(r"\s{2,}", line.strip().replace("\u00a0", " ")) for line in text.splitlines()]
                row = next((row for row in rows if row[0] == label and len(row) == 4), [label, "", ""])
                self.same(f"{name} {label}", tuple(row[1:3]), (shown(sums[field]), shown(before[field])))
        self.rows(name, text, document, self.history.asked(*self.days(document)), prompts)

    @staticmethod
    def days(document):
        return [dt.date.fromisoformat(document["period"][one]) for one in ("start", "end")]

    def rows(self, name, text, document, questions, prompts):
        """The tables of questions and of prompts: each row's count is that of its question, in its project where one is
        shown, else in all of them."""
        found, header = 0, None
        for line in text.splitlines():
            cells = re.split(r"\s{2,}", line.strip())
            if "times" in cells and cells[0] in ("question", "prompt"):
                header = cells
            elif header and len(cells) == len(header):
                row = dict(zip(header, cells))
                found += 1
                if header[0] == "prompt":
                    computed = sum(one.subject() == row["prompt"] for one in prompts)
                else:
                    names = [one for one in document["questions"] if self.shown(one) == row["question"]]
                    if "project" in row:
                        names = [one for one in names if short(one["project"]) == short(row["project"])]
                    computed = sum(self.is_of(one, question) for one in names for question in questions)
                self.same(f"{name} {cells[0]} times", row["times"], str(computed))
            elif not line.strip():
                header = None
        self.same(f"{name} has rows", found > 0, bool(questions or prompts))

    @staticmethod
    def shown(row):
        return row.get("name") or row.get("template_text") or row["question"]

    def page(self, name, page, document):
        """Every number of the page is the one at its place in the JSON, and is written as it is."""
        shown = re.findall(r'<data value="([^"]*)" data-json="([^"]*)">([^<]*)</data>', page)
        self.same(f"{name} page has figures", len(shown) > 20, True)
        for value, place, text in shown:
            at = document
            for step in place.split("/")[1:]:
                at = at[int(step)] if isinstance(at, list) else at[step]
            self.same(f"{name} page {place}", float(value), float(at))
            if isinstance(at, int):
                self.same(f"{name} page {place} as text", html.unescape(text), str(at))
        title = re.search(r"<title>\s*([0-9]+) questions?(?:, ([0-9]+) prompts?)?", page)
        sums = (str(document["totals"]["questions"]), str(document["permissions"]["asked"] or "") or None)
        self.same(f"{name} page title", (title[1], title[2]), sums)

    def suggest(self):
        document, text = json.loads(self.run("suggest", "--json")), self.run("suggest")
        first, weeks, saved = self.history.first_day, [], collections.Counter()
        for one in document["suggestions"]:
            asked = [q for q in self.history.questions if q.key == one["question_key"] and q.project == short(one["project"])]
            answered = [q for q in asked if q.outcome == "answered"]
            given = covered_by(answered, one["answer"])
            where, evidence = f"suggest {one['question_key']}", one["evidence"]
            self.same(f"{where} answers", evidence["answers"], len(given))
            self.same(f"{where} agreed", evidence["agreed"], sum(q.answer == one["answer"] for q in given))
            self.same(f"{where} sessions", evidence["sessions"], len({q.session for q in given}))
            self.same(f"{where} days", evidence["days"], len({q.day for q in given}))
            self.same(f"{where} first", evidence["first"], str(given[0].day))
            self.same(f"{where} last", evidence["last"], str(given[-1].day))
            # As often as it is asked, for the share that is covered.
            lately = [q for q in answered if q.day > answered[-1].day - dt.timedelta(28)]
            often = a_week([q.day for q in asked], first, answered[-1].day)
            often *= sum(q in given for q in lately) / len(lately)
            seconds = statistics.median(q.seconds for q in given if q.seconds is not None)
            self.same(f"{where} saved", one["seconds_saved_per_week"], often * seconds)
            self.line(where, text, self.titles(one), f"{evidence['agreed']} of {evidence['answers']}", often)
            weeks.append((often, often * seconds))
            saved[one["level"]] += often * seconds
        self.same("suggest has proposals", len(weeks) > 0, True)
        head = f"could answer {counted(len(weeks), 'question')} for you, about {how_often(sum(one for one, _ in weeks))}."
        self.says("suggest", text, head)
        for seconds in saved.values():
            self.says("suggest", text, f"Saves {duration(seconds)} a week.")
        known_since, spared = min(one.day for one in self.history.prompts), []
        covered = 0
        for one in document["permissions"]:
            takes = [p for p in self.history.prompts if p.project == short(one["project"]) and p.takes(one["rule"])]
            where = f"suggest {one['rule']}"
            self.same(f"{where} prompts", one["prompts"], len(takes))
            self.same(f"{where} refused", one["refused"], sum(not p.allowed for p in takes))
            often = a_week([p.day for p in takes], known_since)
            self.line(where, text, [one["rule"]], f"{one['prompts'] - one['refused']} of {one['prompts']}", often)
            spared.append(often)
            covered += len(takes)
        prompts = weekly(sum(spared))
        self.says("suggest", text, f"Saves {prompts} prompt{'' if prompts == '1' else 's'} a week.")
        left = sum(document["permissions_left"].values())
        self.same("suggest prompts, sum", covered + left, len(self.history.prompts))
        self.says_alike(weeks, spared)

    @staticmethod
    def titles(proposal):
        """Its question's name; if its answer refers to the question, the latest text and how many more."""
        latest, *more = proposal["covers"]
        return [proposal["name"], f"{latest} and {len(more)} more" if more else latest]

    def line(self, where, text, names, given, often):
        shown = [f"  {name}  " for name in names]
        line = next((line for line in text.splitlines() if any(name in line for name in shown)), "")
        often = how_often(often).replace(" times", "").replace("once", "1").replace("twice", "2")
        self.same(f"{where} row", f"  {given}  {often}" in line, True)

    def says_alike(self, weeks, spared):
        """The first screen and the report name the same proposals as `suggest`."""
        questions, rules = len(weeks), len(spared)
        first, report = self.run(), self.run("report")
        self.says("plantune", first, counted(questions, "proposed answer"))
        self.says("plantune", first, counted(rules, "permission rule"))
        often = weekly(sum(one for one, _ in weeks))
        could = f"{counted(questions, 'recurring question')} could be answered for you, about {often} time"
        self.says("report", report, could)
        saved = f"{counted(rules, 'permission rule')} would save you about {weekly(sum(spared))} prompt"
        self.says("report", report, saved)


def compare(history, plantune, today):
    """Everything that is printed about the history, compared with it."""
    here = Comparison(history, plantune, today)
    day = dt.date.fromisoformat
    days = lambda start, count: (start, start + dt.timedelta(count - 1))
    text = here.run()
    here.says("plantune", text, f"Read {counted(history.files, 'transcript')} of Claude Code: ")
    prompts = counted(len(history.prompts), "permission prompt")
    here.says("plantune", text, f"{counted(len(history.questions), 'question')}, {prompts}.")
    monday = today - dt.timedelta(today.weekday() + 49)
    length = (today - monday).days + 1
    here.report([], monday, today, days(monday - dt.timedelta(length), length), is_overview=True)
    here.report(["report"], *days(today - dt.timedelta(6), 7), days(today - dt.timedelta(13), 7))
    # A month and a week that are not over, and such as are.
    here.report(["report", "--month"], *days(day("2026-11-01"), 30), days(day("2026-10-01"), 20))
    here.report(["report", "--week"], *days(day("2026-11-16"), 7), days(day("2026-11-09"), 5))
    here.report(["report", "--month", "last"], *days(day("2026-10-01"), 31), days(day("2026-09-01"), 30))
    here.report(["report", "--week", "last"], *days(day("2026-11-09"), 7), days(day("2026-11-02"), 7))
    since = days(day("2026-09-01"), 81)
    here.report(["report", "--since", "2026-09-01", "--all"], *since, days(day("2026-06-12"), 81))
    here.suggest()
    return here


def main():
    plantune, *folders = sys.argv[1:]
    today = moment(os.environ["PLANTUNE_NOW"]).date()
    found = [compare(History(folder), plantune, today) for folder in folders]
    for folder, here in zip(folders, found):
        for difference in here.differences:
            print(difference)
        print(f"{folder}: {here.compared} figures compared, {len(here.differences)} differ")
    sys.exit(1 if any(here.differences for here in found) else 0)


main()
