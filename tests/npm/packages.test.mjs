// The packed packages as they are used: from a registry, by somebody without Rust. One test after the
// other, in one home, from the first report to the uninstallation.

import { after, before, test } from "node:test";
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { person } from "./person.mjs";
import { publish, startRegistry } from "./registry.mjs";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
// Where `python3 scripts/dist npm` put the packages, and those of a newer version.
const { PLANTUNE_PACKAGES: packages, PLANTUNE_PACKAGES_NEWER: newer } = process.env;
const versionOf = (folder) => path.basename(folder);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plantune-npm-"));
const BEFORE = "2000-01-01";
let registry;
let somebody;

before(async () => {
  registry = await startRegistry(path.join(folder, "registry"));
  publish(registry, packages);
  somebody = person(folder, registry);
  writeTranscripts(somebody.path(".claude/projects"));
});
after(() => {
  registry?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** The sample history, as Claude Code would have kept it. */
function writeTranscripts(projects) {
  for (const line of fs.readFileSync(path.join(root, "demo/sample-history.jsonl"), "utf8").trim().split("\n")) {
    const { cwd, sessionId } = JSON.parse(line);
    const project = path.join(projects, cwd.replace("@WORK@", "work").replaceAll("/", "-"));
    fs.mkdirSync(project, { recursive: true });
    fs.appendFileSync(path.join(project, `${sessionId}.jsonl`), `${line.replaceAll("@WORK@", "/work")}\n`);
  }
}

test("its README is the repository's, and its links lead there", () => {
  const packed = path.join(packages, fs.readdirSync(packages).find((name) => /^plantune-\d/.test(name)));
  const { stdout } = spawnSync("tar", ["-xzOf", packed, "package/README.md"], { encoding: "utf8" });
  const ours = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const withoutLinks = (text) => text.replace(/\]\([^)]*\)/g, "]()");
  assert.equal(withoutLinks(stdout), withoutLinks(ours));
  for (const [, target] of stdout.matchAll(/\]\(([^)]*)\)/g)) assert.match(target, /^https:/);
});

test("npx: one command to the first report, with nothing installed", () => {
  const shown = somebody.onTerminal("npx --yes plantune");
  assert.match(shown, /\d+ questions in eight weeks/);
  // What to do next can be typed as it stands: there is no plantune in PATH.
  assert.match(shown, /npx plantune install/);
  assert.match(somebody.done("npx plantune --version"), new RegExp(`plantune ${versionOf(packages)}`));
});

test("npx: import and report", () => {
  // The first screen has read them.
  assert.match(somebody.done("npx plantune import claude-code"), /files have not changed since they were read/);
  const report = JSON.parse(somebody.done(`npx plantune report --since ${BEFORE} --json`));
  assert.ok(report.questions.some(({ asked }) => asked > 10), JSON.stringify(report.questions));
});

test("npx: exit codes come through", () => {
  assert.equal(somebody.run("npx plantune no-such-verb").status, 2);
});

for (const [manager, install, run] of [
  ["npm", "npm install --ignore-scripts plantune", "node_modules/.bin/plantune"],
  ["npm-nested", "npm install --install-strategy=nested plantune", "npm exec -- plantune"],
  ["pnpm", "pnpm add plantune", "pnpm exec plantune"],
]) {
  test(`${manager}: in a project`, () => {
    const cwd = somebody.project(`with-${manager}`);
    somebody.done(install, { cwd });
    const program = run.startsWith("node_modules") ? path.join(cwd, run) : run;
    assert.match(somebody.done(`${program} report --since ${BEFORE}`, { cwd }), /Questions/);
    fs.rmSync(cwd, { recursive: true });
  });
}

test("pnpm: without a project, and globally", () => {
  assert.match(somebody.done("pnpm dlx plantune --version"), /plantune/);
  somebody.done("pnpm add --global plantune");
  assert.match(somebody.done(`plantune report --since ${BEFORE}`), /Questions/);
  somebody.done("pnpm remove --global plantune");
  fs.rmSync(somebody.env.PNPM_HOME, { recursive: true });
});

test("without the optional dependency it says what to install", () => {
  const cwd = somebody.project("omitted");
  somebody.done("npm install --omit=optional plantune", { cwd });
  const { status, stderr } = somebody.run("npm exec -- plantune report", { cwd });
  assert.equal(status, 1);
  assert.match(stderr, /npm install @plantune\/cli-/);
  fs.rmSync(cwd, { recursive: true });
});

test("npm install --global: the hook is installed and answers the real client", (t) => {
  somebody.done("npm install --global plantune");
  somebody.done("plantune install --yes");
  assert.deepEqual(hook(), packedHook());
  answersTheClient(t);
});

test("npm install --global of a newer version: the hook answers before and after it is brought up to date", (t) => {
  const old = hook();
  publish(registry, newer);
  somebody.done("npm install --global plantune@latest");
  assert.match(somebody.done("plantune --version"), new RegExp(`plantune ${versionOf(newer)}`));
  assert.deepEqual(hook(), old);
  answersTheClient(t);
  somebody.done("plantune install --yes");
  assert.deepEqual(hook(), packedHook());
  assert.notDeepEqual(hook(), old);
  answersTheClient(t);
});

test("uninstalled: nothing is left but data", () => {
  somebody.done("plantune uninstall --yes");
  somebody.done("npm uninstall --global plantune");
  const settings = somebody.path(".claude/settings.json");
  assert.ok(!fs.existsSync(settings) || !fs.readFileSync(settings, "utf8").includes("plantune"));
  // What is Claude Code's own stays as well.
  const data = [".local/share/plantune/", ".config/plantune/", ".claude/", ".claude.json", "tmp/claude-"];
  const left = files(somebody.home).filter((name) => !data.some((start) => name.startsWith(start)));
  assert.deepEqual(left, []);
  const programs = files(somebody.home).filter((name) => path.basename(name).startsWith("plantune-hook"));
  assert.deepEqual(programs, []);
});

/** The bytes of the hook that the settings name. */
function hook() {
  const settings = JSON.parse(fs.readFileSync(somebody.path(".claude/settings.json"), "utf8"));
  const commands = Object.values(settings.hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  const programs = new Set(commands.map(({ command }) => command.replace(/^'(.*)'$/, "$1")));
  assert.equal(programs.size, 1);
  return fs.readFileSync([...programs][0]);
}

/** The bytes of the hook in the package that is installed globally. */
function packedHook() {
  const found = files(somebody.prefix).filter((name) => name.endsWith("/plantune-hook"));
  assert.equal(found.length, 1);
  return fs.readFileSync(path.join(somebody.prefix, found[0]));
}

/** Drives the real Claude Code in this home (tests/it/claude_code/plugin.rs), where it can be had. */
function answersTheClient(t) {
  const script = path.join(root, "scripts/test-claude-code.sh");
  const env = { ...process.env, PLANTUNE_INSTALLED_HOME: somebody.home, CLAUDE_CODE_IF_POSSIBLE: "1" };
  const done = spawnSync(script, ["the_installed_hook_answers", "--nocapture"], { env, encoding: "utf8", timeout: 600_000 });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  if (done.stdout.startsWith("skipped")) t.diagnostic(done.stdout.trim());
  else assert.match(done.stdout, /1 passed/);
  // The repository of its session.
  fs.rmSync(somebody.path("shop"), { recursive: true, force: true });
}

/** All files below `folder`, by their paths in it. */
function files(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory());
  return paths.map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name))).sort();
}
