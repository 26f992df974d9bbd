// How long it takes from `npx plantune` with a warm cache to the report, beside the program started directly and
// `node -e 0`. Run by hand (docs/development/benchmarks.md):
// PLANTUNE_PACKAGES=target/dist/VERSION PLANTUNE_NPM_TOOLS=… node tests/npm/measure.mjs TRANSCRIPTS MEGABYTES ROUNDS LEAST
// Each session gets LEAST megabytes at least, by lines in which the agent speaks: transcripts of a corpus are cut.

import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { person } from "./person.mjs";
import { publish, startRegistry } from "./registry.mjs";

const [transcripts, megabytes = "200", rounds = "7", least = "1"] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plantune-measure-"));
const registry = await startRegistry(path.join(folder, "registry"));
try {
  publish(registry, process.env.PLANTUNE_PACKAGES);
  const somebody = person(folder, registry);
  const bytes = copy(transcripts, somebody.path(".claude/projects"), Number(megabytes) * 1e6);
  somebody.done("npx --yes plantune --version");
  const program = find(path.join(folder, "npm-cache"), "bin/plantune");
  const ways = {
    "node -e 0": () => somebody.done("node -e 0"),
    "npx plantune --version": () => somebody.done("npx plantune --version"),
    "plantune, started directly": () => report(somebody, program),
    "npx plantune": () => report(somebody, "npx plantune"),
  };
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const [way, run] of Object.entries(ways)) {
      // Nothing is read yet, as for somebody who never had plantune.
      fs.rmSync(somebody.path(".local"), { recursive: true, force: true });
      const start = process.hrtime.bigint();
      run();
      times[way].push(Number(process.hrtime.bigint() - start) / 1e9);
    }
  }
  console.log(`${(bytes / 1e6).toFixed(0)} MB, ${rounds} rounds, load ${os.loadavg()[0].toFixed(1)}, ${os.cpus().length} processors`);
  const base = median(times["node -e 0"]);
  for (const [way, all] of Object.entries(times)) {
    const [least, middle] = [Math.min(...all), median(all)];
    console.log(`${way.padEnd(28)} ${least.toFixed(2)} s least, ${middle.toFixed(2)} s median, ${(middle / base).toFixed(1)} × node`);
  }
} finally {
  registry.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

/** The first call, without a verb, on a terminal. */
function report(somebody, line) {
  const shown = somebody.onTerminal(line);
  if (!/questions in eight weeks/.test(shown)) throw new Error(shown);
}

/** Copies the transcripts again and again, as sessions of their own, until there are `most` bytes. */
function copy(from, to, most) {
  const files = fs.readdirSync(from, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const texts = files.map((name) => [path.dirname(name), filled(fs.readFileSync(path.join(from, name), "utf8"))]);
  let bytes = 0;
  while (bytes < most) {
    const ids = new Map();
    const other = (id) => ids.get(id) ?? ids.set(id, id.startsWith("toolu_") ? `toolu_${randomUUID()}` : randomUUID()).get(id);
    for (const [place, text] of texts) {
      if (bytes >= most) break;
      const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|toolu_[A-Za-z0-9]+/g;
      const changed = text.replaceAll(id, other);
      fs.mkdirSync(path.join(to, place), { recursive: true });
      fs.writeFileSync(path.join(to, place, `${randomUUID()}.jsonl`), changed);
      bytes += Buffer.byteLength(changed);
    }
  }
  return bytes;
}

/** `text` with lines in front in which the agent speaks, so that it has as much as a whole session. */
function filled(text) {
  const first = JSON.parse(text.slice(0, text.indexOf("\n")));
  const content = [{ type: "text", text: "The tests pass. ".repeat(200) }];
  const line = { ...first, type: "assistant", message: { role: "assistant", content } };
  const spoken = `${JSON.stringify(line)}\n`;
  const missing = Math.max(0, Number(least) * 1e6 - text.length);
  return spoken.repeat(Math.ceil(missing / spoken.length)) + text;
}

function median(all) {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)];
}

function find(below, ending) {
  const names = fs.readdirSync(below, { recursive: true });
  return path.join(below, names.find((name) => name.endsWith(`cli-${process.platform}-${process.arch}/${ending}`)));
}
