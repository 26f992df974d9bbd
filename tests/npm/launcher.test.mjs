// The launcher beside packages that hold a stand-in for the program.

import { after, before, test } from "node:test";
import { spawn, spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createRequire } from "node:module";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const source = new URL("../../packaging/npm/plantune.js", import.meta.url);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plantune-launcher-"));
const launcher = path.join(folder, "node_modules/plantune/bin/plantune.js");
const platforms = ["linux-x64", "linux-x64-musl", "linux-arm64", "linux-arm64-musl", "darwin-x64", "darwin-arm64"];
const names = platforms.map((name) => `@plantune/cli-${name}`);
let own;

/** Puts a package there whose program is `script`. */
function install(name, script) {
  const home = path.join(folder, "node_modules", name);
  fs.mkdirSync(path.join(home, "bin"), { recursive: true });
  fs.writeFileSync(path.join(home, "package.json"), JSON.stringify({ name, version: "1.2.3" }));
  fs.writeFileSync(path.join(home, "bin/plantune"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const launch = (...words) => spawnSync(process.execPath, [launcher, ...words], { encoding: "utf8", input: "in\n", timeout: 30_000 });

before(() => {
  fs.mkdirSync(path.dirname(launcher), { recursive: true });
  fs.copyFileSync(source, launcher);
  const optionalDependencies = Object.fromEntries(names.map((name) => [name, "1.2.3"]));
  const manifest = { name: "plantune", version: "1.2.3", optionalDependencies };
  fs.writeFileSync(path.join(folder, "node_modules/plantune/package.json"), JSON.stringify(manifest));
  own = createRequire(launcher)("./plantune.js");
});
after(() => fs.rmSync(folder, { recursive: true }));

test("names the package to install when it is missing", () => {
  const { status, stderr } = launch("report");
  assert.equal(status, 1);
  assert.match(stderr, new RegExp(`@plantune/cli-${process.platform}-${process.arch}.* is not installed`));
  assert.match(stderr, /--omit=optional/);
  assert.match(stderr, /npm install @plantune\/cli-[a-z0-9-]+@1\.2\.3/);
});

test("says where it runs when there is no package for the machine", () => {
  const text = own.missing("@plantune/cli-plan9-mips", "plan9 on mips");
  assert.match(text, /no package for plan9 on mips/);
  assert.match(text, /linux-x64, linux-x64-musl/);
});

test("takes the package of the machine's C library where both are installed", () => {
  const both = own.candidates("linux", "arm64");
  assert.deepEqual(both, ["@plantune/cli-linux-arm64", "@plantune/cli-linux-arm64-musl"]);
  assert.equal(own.forThisLibrary(both, () => true), "@plantune/cli-linux-arm64-musl");
  assert.equal(own.forThisLibrary(both, () => false), "@plantune/cli-linux-arm64");
  assert.deepEqual(own.candidates("darwin", "arm64"), ["@plantune/cli-darwin-arm64"]);
});

test("says by what it was started", () => {
  const by = (file, env = {}) => own.startedBy(file, env);
  const npx = { npm_command: "exec", npm_config_user_agent: "npm/11.0.0 node/v22.0.0 linux x64" };
  assert.equal(by("/home/ann/.npm/_npx/5f3c/node_modules/.bin/plantune"), "npx");
  assert.equal(by("C:\\Users\\ann\\npm-cache\\_npx\\5f3c\\node_modules\\plantune\\bin\\plantune.js"), "npx");
  assert.equal(by("/home/dev/shop/node_modules/.bin/plantune", npx), "npx");
  assert.equal(by("/home/ann/.cache/pnpm/dlx/1a/2b/node_modules/plantune/bin/plantune.js"), "pnpm");
  assert.equal(by("/tmp/xfs-12/dlx-34/node_modules/.bin/plantune"), "yarn");
  assert.equal(by("/tmp/bunx-0-plantune@latest/node_modules/.bin/plantune"), "bun");
  assert.equal(by("/usr/local/bin/plantune"), "npm");
});

test("passes words, input, output and the exit code on", () => {
  for (const name of own.candidates(process.platform, process.arch)) {
    install(name, 'read line; echo "$# $2 $line"; echo told >&2; exit 3');
  }
  const { status, stdout, stderr } = launch("report", "two words");
  assert.deepEqual([status, stdout, stderr], [3, "2 two words in\n", "told\n"]);
});

test("ends by the signal that ended the program", () => {
  for (const name of own.candidates(process.platform, process.arch)) install(name, "kill -TERM $$");
  assert.equal(launch().signal, "SIGTERM");
});

test("passes signals on", { timeout: 30_000 }, async () => {
  const script = 'trap "echo stopped; exit 7" TERM; echo ready; while :; do sleep 0.05; done';
  for (const name of own.candidates(process.platform, process.arch)) install(name, script);
  const child = spawn(process.execPath, [launcher], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (data) => (printed += data));
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = await once(child, "close");
  assert.deepEqual([code, printed], [7, "ready\nstopped\n"]);
});
