// A registry on this machine: plantune's packages as they were packed, everything else from the
// registry that npm is set up for.

import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Starts one that keeps its files below `folder`; `stop()` ends it. */
export async function startRegistry(folder) {
  const tools = process.env.PLANTUNE_NPM_TOOLS;
  const upstream = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
  const port = await freePort();
  const open = { access: "$all", publish: "$all", unpublish: "$all" };
  const config = {
    storage: path.join(folder, "storage"),
    auth: { htpasswd: { file: path.join(folder, "users") } },
    uplinks: { upstream: { url: upstream } },
    packages: { plantune: open, "@plantune/*": open, "**": { access: "$all", proxy: "upstream" } },
    max_body_size: "100mb",
    log: { type: "file", path: path.join(folder, "log"), level: "warn" },
  };
  fs.mkdirSync(folder, { recursive: true });
  // YAML reads JSON.
  fs.writeFileSync(path.join(folder, "config.yaml"), JSON.stringify(config));
  const verdaccio = path.join(tools, "node_modules/verdaccio/bin/verdaccio");
  const words = [verdaccio, "--config", path.join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`];
  const server = spawn(process.execPath, words, { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}/`;
  for (let left = 300; !(await answers(url)); left -= 1) {
    if (left === 0 || server.exitCode !== null) throw new Error(`no registry at ${url}; see ${folder}/log`);
    await sleep(100);
  }
  return { url, stop: () => server.kill() };
}

/** Publishes the packed packages in `folder`. */
export function publish(registry, folder) {
  const packed = fs.readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  for (const name of packed) {
    const host = registry.url.replace("http:", "");
    const words = ["publish", path.join(folder, name), "--registry", registry.url, `--${host}:_authToken=nobody`];
    const done = spawnSync("npm", words, { encoding: "utf8", cwd: folder });
    if (done.status !== 0) throw new Error(`${name} was not published: ${done.stderr}`);
  }
}

async function answers(url) {
  try {
    return (await fetch(`${url}-/ping`)).ok;
  } catch {
    return false;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
