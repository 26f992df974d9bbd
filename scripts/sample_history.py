#!/usr/bin/env python3
"""Writes demo/sample-history.jsonl: the history that `plantune debug demo` imports.

Made up, in the shape of Claude Code's transcripts: four projects, ten weeks, habits of several
kinds, questions that never repeat, one that must never be answered for anybody. Every line of every
session stands in the one file; `plantune debug demo` sorts them into one file a session. @WORK@ stands for
the folder the demo works in. The same seed gives the same file.
"""

import datetime as dt
import json
import random
import uuid

SEED = 20261120
END = dt.datetime(2026, 11, 20, 15, 0, tzinfo=dt.timezone.utc)
WEEKS = 10
PROJECTS = ["storefront", "billing-api", "mobile-app", "infra-notes"]

# key, header, text, options (first one recommended when it says so), how often the person takes which
HABITS = [
    ("ship-changelog-entry", "Changelog", "Add an entry for {topic} to the changelog?",
     ["Add an entry (Recommended)", "Leave it out"], [0.985, 0.015], 14, ["storefront"]),
    ("test-scope", "Tests", "{topic} changed. Which tests should run?",
     ["Only affected tests (Recommended)", "Full suite", "None for now"], [0.02, 0.98, 0.0], 9, ["billing-api"]),
    ("plan-next-step", "Next step", "The plan for {topic} is ready. What next?",
     ["Start implementing (Recommended)", "Refine the plan", "Open it in the editor"], [0.5, 0.3, 0.2], 15,
     ["storefront", "mobile-app"]),
    ("commit-grouping", "Commits", "Commit {topic} as one commit or several?",
     ["One commit (Recommended)", "One per concern"], [0.72, 0.28], 19, ["mobile-app"]),
    ("delete-merged-branch", "Branch", "Delete the merged branch feature/{slug}?",
     ["Delete it (Recommended)", "Keep it"], [1.0, 0.0], 6, ["storefront", "billing-api"]),
]
ONE_OFFS = [
    ("Layout", "How should {topic} look on a narrow screen?", ["Stack the cards", "Scroll sideways", "Hide the side bar"]),
    ("Storage", "Where should {topic} keep its state?", ["In memory", "In the session", "In a table of its own"]),
    ("Naming", "What should the module behind {topic} be called?", ["By its task", "By its owner"]),
    ("Errors", "What happens when {topic} cannot be reached?", ["Retry with a pause", "Show the last known state", "Fail at once"]),
    ("Scope", "Does this change cover {topic}?", ["Yes, now", "No, later"]),
]
TOPICS = ["the search box", "tax rounding", "offline mode", "the invoice list", "push messages", "the price filter",
          "rate limits", "the login page", "image sizes", "the audit trail", "dark mode", "CSV export", "retries",
          "the welcome tour", "currency switching", "stock levels"]
TYPED = ["let's look at the numbers first", "neither, keep what we have", "ask me again after lunch", "the second one, but smaller"]

rng = random.Random(SEED)


def new_id():
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def stamp(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def lines_of_call(session, at, questions, outcome, tool="AskUserQuestion"):
    call = "toolu_" + "".join(rng.choice("0123456789abcdef") for _ in range(24))
    base = {"isSidechain": False, "userType": "external", "entrypoint": "cli", "cwd": session["cwd"],
            "sessionId": session["id"], "version": "2.1.197", "gitBranch": "main"}
    sent = [{"question": q["text"], "header": q["header"], "multiSelect": False,
             "options": [{"label": label, "description": ""} for label in q["options"]]} for q in questions]
    asked = dict(base, type="assistant", uuid=new_id(), timestamp=stamp(at),
                 message={"role": "assistant", "content": [
                     {"type": "tool_use", "id": call, "name": tool, "input": {"questions": sent}}]})
    seconds = {"dismissed": 40, "away": 300, "failed": 2}.get(outcome) or sum(q["seconds"] for q in questions)
    back = dict(base, type="user", uuid=new_id(), parentUuid=asked["uuid"],
                timestamp=stamp(at + dt.timedelta(seconds=seconds)))
    result = {"type": "tool_result", "tool_use_id": call}
    if outcome == "dismissed":
        text = ("The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file "
                "edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to "
                "tell you how to proceed.")
        result |= {"content": text, "is_error": True}
        back["toolUseResult"] = "User rejected tool use"
    elif outcome == "failed":
        text = "MCP error -32000: Connection closed"
        result |= {"content": text, "is_error": True}
        back["toolUseResult"] = "Error: " + text
    elif outcome == "away":
        result["content"] = "No response after 300s — the user may be away from keyboard."
        back["toolUseResult"] = {"questions": sent, "answers": {}, "annotations": {}, "afkTimeoutMs": 300000}
    else:
        answers = {q["text"]: q["answer"] for q in questions}
        told = ", ".join(f'"{text}"="{answer}"' for text, answer in answers.items())
        result["content"] = f"Your questions have been answered: {told}. You can now continue with these answers in mind."
        back["toolUseResult"] = {"questions": sent, "answers": answers, "annotations": {}}
    back["message"] = {"role": "user", "content": [result]}
    return [asked, back]


def habit_question(habit):
    key, header, text, options, weights, pace, _ = habit
    topic = rng.choice(TOPICS)
    text = text.format(topic=topic, slug=topic.removeprefix("the ").replace(" ", "-"))
    text = f"<plantune:{key}> {text[0].upper()}{text[1:]}"
    return {"text": text, "header": header, "options": options, "answer": rng.choices(options, weights)[0],
            "seconds": max(3, round(rng.lognormvariate(0, 0.5) * pace))}


def one_off():
    header, text, options = rng.choice(ONE_OFFS)
    answer = rng.choice(TYPED) if rng.random() < 0.2 else rng.choice(options)
    return {"text": text.format(topic=rng.choice(TOPICS)), "header": header, "options": options, "answer": answer,
            "seconds": max(5, round(rng.lognormvariate(0, 0.8) * 45))}


def main():
    lines = []
    start = END - dt.timedelta(weeks=WEEKS)
    day = start
    while day < END:
        for project in PROJECTS:
            if day.weekday() >= 5 or rng.random() > 0.42:
                continue
            at = day.replace(hour=rng.choice([8, 9, 10, 13, 14]), minute=rng.randrange(60))
            if at > END:
                continue
            session = {"id": new_id(), "cwd": f"@WORK@/{project}"}
            mine = [habit for habit in HABITS if project in habit[6]]
            calls = [[habit_question(habit)] for habit in mine if rng.random() < 0.72]
            calls += [[one_off()] for _ in range(rng.choice([0, 1, 1, 2]))]
            rng.shuffle(calls)
            if len(calls) > 2 and rng.random() < 0.3:
                first, second, *rest = calls
                calls = [first + second, *rest] if first[0]["text"] != second[0]["text"] else calls
            for call in calls:
                outcome = rng.choices(["answered", "dismissed", "away", "failed"], [0.92, 0.04, 0.02, 0.02])[0]
                tool = "mcp__conductor__AskUserQuestion" if outcome == "failed" else "AskUserQuestion"
                lines += lines_of_call(session, at, call, outcome, tool)
                at += dt.timedelta(minutes=rng.randrange(4, 40))
        day += dt.timedelta(days=1)
    with open("demo/sample-history.jsonl", "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


main()
