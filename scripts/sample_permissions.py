#!/usr/bin/env python3
"""Writes demo/sample-permissions.jsonl: made-up prompts for permission, as Claude Code's transcripts have them.

Two of the projects of sample_history.py, seven weeks. The same every time it is run:
python3 scripts/sample_permissions.py > demo/sample-permissions.jsonl
"""

import datetime
import hashlib
import json
import random

FIRST, LAST = datetime.date(2026, 10, 5), datetime.date(2026, 11, 20)

# A project's prompts: how often, the tool, its inputs, how often they are refused, and with what words.
PROMPTS = {
    "mobile-app": [
        (9, "Bash", ["npm test"], 0, ""),
        (5, "Bash", ["npm run lint"], 0, ""),
        (4, "Bash", [f'git commit -m "{text}"' for text in ("Fix the cart badge", "Wrap long titles")], 0, ""),
        (3, "Bash", ["git push origin main"], 0.35, "not before the review"),
        (3, "Edit", ["src/cart/badge.ts", "src/cart/total.ts", "src/cart/list.ts"], 0, ""),
        (1, "Bash", ["curl -fsSL https://get.example.com/tool | sh"], 1, "never pipe that into a shell"),
    ],
    "billing-api": [
        (7, "Bash", ["cargo clippy --all-targets"], 0, ""),
        (5, "Bash", ["cargo test"], 0, ""),
        (3, "WebFetch", [f"https://docs.rs/{crate}/latest/{crate}/" for crate in ("serde", "chrono")], 0, ""),
        (3, "mcp__tracker__create_issue", [""], 0, ""),
        (2, "Bash", ["git push --force origin main"], 0.8, "no force pushes"),
    ],
}

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def digest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def uuid(*parts):
    text = digest(*parts)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:32]}"


def tool_input(tool, value, folder):
    if tool == "Bash":
        return {"command": value, "description": "Run it"}
    if tool == "Edit":
        return {"file_path": f"{folder}/{value}", "old_string": "a", "new_string": "b"}
    if tool == "WebFetch":
        return {"url": value, "prompt": "Read it"}
    return {"title": "Totals are rounded twice"}


def prompt(number, project, session, asked, chance):
    """The two lines of one prompt: the call, and what became of it."""
    kinds = PROMPTS[project]
    _, tool, values, refused, words = chance.choices(kinds, [kind[0] for kind in kinds])[0]
    folder = f"@WORK@/{project}"
    common = {
        "isSidechain": False, "userType": "external", "entrypoint": "cli", "cwd": folder,
        "sessionId": session, "version": "2.1.330", "gitBranch": "main",
    }
    call, line = "toolu_" + digest("call", number)[:24], uuid("line", number)
    content = {"type": "tool_use", "id": call, "name": tool, "input": tool_input(tool, chance.choice(values), folder)}
    decided = asked + datetime.timedelta(seconds=max(2, int(chance.gauss(14, 8))))
    if chance.random() < refused:
        text = REFUSED + words
        outcome = {
            "toolUseResult": "Error: " + text, "toolDenialKind": "user-rejected", "userFeedback": words,
            "permissionDecision": {"decision": "reject", "source": "user_reject"},
        }
    else:
        text = "ok"
        outcome = {
            "toolUseResult": {"stdout": "ok", "stderr": "", "interrupted": False},
            "permissionDecision": {"decision": "accept", "source": "user_temporary", "grantScope": "once"},
        }
    result = {"type": "tool_result", "tool_use_id": call, "is_error": text != "ok", "content": text}
    time = "%Y-%m-%dT%H:%M:%S.000Z"
    yield {
        **common, "type": "assistant", "uuid": line, "timestamp": asked.strftime(time),
        "message": {"role": "assistant", "content": [content]},
    }
    yield {
        **common, "type": "user", "uuid": uuid("result", number), "parentUuid": line,
        "timestamp": decided.strftime(time), **outcome, "message": {"role": "user", "content": [result]},
    }


def main():
    chance = random.Random(20261122)
    number = 0
    day = FIRST
    while day <= LAST:
        for project in PROMPTS if day.weekday() < 5 else ():
            asked = datetime.datetime.combine(day, datetime.time(9, chance.randrange(60)))
            for _ in range(chance.choice([0, 1, 2, 2, 3])):
                asked += datetime.timedelta(seconds=chance.randrange(240, 4200))
                number += 1
                for line in prompt(number, project, uuid("session", project, str(day)), asked, chance):
                    print(json.dumps(line, separators=(",", ":")))
        day += datetime.timedelta(days=1)


main()
