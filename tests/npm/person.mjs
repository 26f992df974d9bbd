// Somebody with Node.js and nothing else: an empty home, and a PATH without Rust.

import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const tools = process.env.PLANTUNE_NPM_TOOLS;

// npm and pnpm start programs through a shell; pnpm's global commands are shell scripts.
const SHELL = ["sh", "basename", "dirname", "sed", "uname"];

/** A person whose home is `folder`/home, and who installs from `registry`. */
export function person(folder, registry) {
  const home = path.join(folder, "home");
  const bin = path.join(folder, "bin");
  const prefix = path.join(home, "global");
  const pnpmHome = path.join(home, "pnpm");
  for (const made of [home, bin, prefix, pnpmHome]) fs.mkdirSync(made, { recursive: true });
  for (const name of ["node", "npm", "npx", ...SHELL]) fs.symlinkSync(which(name), path.join(bin, name));
  fs.symlinkSync(path.join(tools, "node_modules/pnpm/bin/pnpm.cjs"), path.join(bin, "pnpm"));
  const env = {
    HOME: home,
    PATH: [bin, path.join(prefix, "bin"), pnpmHome].join(":"),
    PNPM_HOME: pnpmHome,
    TZ: "UTC",
    COLUMNS: "80",
    PLANTUNE_ALLOW_UNATTENDED: "1",
    npm_config_registry: registry.url,
    npm_config_prefix: prefix,
    // The packages that are on every machine already, so that what is left in the home is plantune's.
    npm_config_cache: path.join(folder, "npm-cache"),
    npm_config_store_dir: path.join(folder, "pnpm-store"),
    npm_config_cache_dir: path.join(folder, "pnpm-cache"),
    npm_config_state_dir: path.join(folder, "pnpm-state"),
    npm_config_update_notifier: "false",
  };
  const options = (more) => ({ encoding: "utf8", cwd: home, env, timeout: 120_000, ...more });
  return {
    home,
    env,
    prefix,
    /** A file or folder in the home. */
    path: (...names) => path.join(home, ...names),
    /** Runs a command line and gives back its status and what it printed. */
    run: (line, more = {}) => {
      const [program, ...words] = line.split(" ");
      return spawnSync(find(program, env.PATH), words, options(more));
    },
    /** The same, which must end well; gives back what it printed. */
    done(line, more = {}) {
      const result = this.run(line, more);
      assert.equal(result.status, 0, `${line}\n${result.stdout}\n${result.stderr}\n${result.error ?? ""}`);
      return result.stdout;
    },
    /** Runs a command line on a terminal, which must end well; gives back what is shown there. */
    onTerminal(line) {
      const [program, ...words] = line.split(" ");
      const terminal = ["-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)", find(program, env.PATH)];
      const shown = options({ input: "", env: { ...env, PAGER: "" } });
      const result = spawnSync(python(), [...terminal, ...words], shown);
      assert.equal(result.status, 0, `${line}\n${result.stdout}\n${result.stderr}`);
      return result.stdout;
    },
    /** An empty folder in the home that is a package of its own. */
    project(name) {
      const project = path.join(home, name);
      fs.mkdirSync(project);
      fs.writeFileSync(path.join(project, "package.json"), `{"name": "${name}", "private": true}\n`);
      return project;
    },
  };
}

/** The interpreter itself: what stands in PATH may be a script that needs more than this PATH. */
function python() {
  return spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout.trim();
}

/** Where `name` really lies on this machine. */
function which(name) {
  const found = find(name, process.env.PATH);
  return fs.realpathSync(found);
}

function find(name, folders) {
  const places = folders.split(":").map((folder) => path.join(folder, name));
  return places.find((place) => fs.existsSync(place)) ?? name;
}
