#!/usr/bin/env node
"use strict";

// Starts the plantune of this machine's platform package, and ends as it ends.
// Plain CommonJS without dependencies of its own: what runs here is read in a minute.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

const supported = require("../package.json").optionalDependencies;

/** The packages that may fit; on Linux there is one for each C library. */
function candidates(platform, arch) {
  const name = `@plantune/cli-${platform}-${arch}`;
  return platform === "linux" ? [name, `${name}-musl`] : [name];
}

/** True on systems like Alpine Linux, whose C library is musl. */
function isMusl() {
  // Otherwise the report looks up the names of this machine's addresses.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

/** The one of `names` for this machine's C library. Slow, so only asked where it matters. */
function forThisLibrary(names, musl = isMusl) {
  return names.length < 2 ? names[0] : names.find((name) => name.endsWith("-musl") === musl());
}

/** The program of the package `name`, or undefined where it is not installed. */
function programOf(name) {
  const program = process.platform === "win32" ? "plantune.exe" : "plantune";
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", program);
  } catch {
    return undefined;
  }
}

/** By what plantune was started, so that it can name the command that starts it again (src/started_by.rs). */
function startedBy(file, env) {
  const fetchers = [
    ["npx", /[\\/]_npx[\\/]/],
    ["yarn", /[\\/]dlx-/],
    ["pnpm", /[\\/]dlx[\\/]/],
    ["bun", /[\\/]bunx-/],
  ];
  const [fetcher] = fetchers.find(([, folder]) => folder.test(file)) ?? [];
  // What a project has installed is not in PATH either.
  const isNpx = env.npm_command === "exec" && env.npm_config_user_agent?.startsWith("npm/");
  return fetcher ?? (isNpx ? "npx" : "npm");
}

/** What to do when no platform package is there. */
function missing(name, machine) {
  if (!(name in supported)) {
    return (
      `plantune: there is no package for ${machine}.\n` +
      `It comes for: ${Object.keys(supported).map((name) => name.replace("@plantune/cli-", "")).join(", ")}.\n` +
      "Elsewhere build it from its source: cargo install plantune, or make install in a clone.\n"
    );
  }
  return (
    `plantune: ${name}, the package with the program for ${machine}, is not installed.\n` +
    "It is an optional dependency. Install again without --omit=optional, --no-optional or a lock file\n" +
    `made on another system; or name it: npm install ${name}@${require("../package.json").version}\n`
  );
}

function main() {
  const names = candidates(process.platform, process.arch);
  // npm installs the fitting one alone; some package managers install both.
  const installed = forThisLibrary(names.filter(programOf));
  if (installed === undefined) {
    const machine = `${process.platform} on ${process.arch}`;
    process.stderr.write(missing(forThisLibrary(names), machine));
    process.exit(1);
  }
  const program = programOf(installed);
  // Whoever stops this process means the program; at Ctrl-C a terminal tells both. Listened for before
  // there is a program, so that none is left behind.
  let child;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => child.kill(signal));
  }
  const env = { ...process.env, PLANTUNE_STARTED_BY: startedBy(process.argv[1], process.env) };
  child = spawn(program, process.argv.slice(2), { stdio: "inherit", env });
  child.on("error", (error) => {
    process.stderr.write(`plantune: ${program} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Only where the signal did not end this process.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}

if (require.main === module) main();
module.exports = { candidates, forThisLibrary, missing, startedBy };
