// npm run chaos [-- --kills N] [--seed S] [--only kills,bugs]
//
// Kills the runtime at random moments, and lets planted faults show that it would notice. Exits with 1 when an invariant does not hold, when too little happened to say so, or when a
// planted fault was not found.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUGS } from "./bugs.ts";
import { bundle } from "./bundle.ts";
import { describe, summary } from "./report.ts";
import { shortcomings } from "./tally.ts";
import { torment } from "./torment.ts";

const PARTS = ["kills", "bugs"] as const;
type Part = (typeof PARTS)[number];

const KILLS = 1_000;
/** A planted fault that has not shown by then is one that the run would miss. */
const BUG_KILLS = 150;
/** Hosts side by side, and conversations at a time on each. */
const CROWD = { lanes: 2, talks: 3 };
const WORKER = "src/worker.ts";

const say = (line: string) => console.log(line);
const folder = mkdtempSync(join(tmpdir(), "orrery-chaos-build-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

try {
  const { kills, seed, parts } = readOrder();
  const script = join(folder, "worker.js");
  await bundle(WORKER, script);
  say(`Seed ${seed}. A failed run is repeated with: npm run chaos -- --kills ${kills} --seed ${seed}`);
  const isWhole = [
    ...(parts.includes("kills") ? [await survives(script, kills, seed)] : []),
    ...(parts.includes("bugs") ? [await findsBugs(seed)] : []),
  ].every(Boolean);
  say(isWhole ? "\nNothing was lost, doubled, reordered or torn." : "\nFAILED, see above.");
  process.exit(isWhole ? 0 : 1);
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exit(1);
}

function readOrder(): { kills: number; seed: number; parts: readonly Part[] } {
  const { values } = parseArgs({
    options: { kills: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
  });
  const kills = Number(values.kills ?? KILLS);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(kills) || kills < 1) throw new Error("--kills: must be a positive integer");
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error("--seed: must be an integer that is not negative");
  const parts = values.only?.split(",").map((wanted) => {
    const part = PARTS.find((known) => known === wanted.trim());
    if (part === undefined) throw new Error(`--only: there is no ${wanted}; there are ${PARTS.join(", ")}`);
    return part;
  });
  return { kills, seed, parts: parts ?? PARTS };
}

async function survives(script: string, kills: number, seed: number): Promise<boolean> {
  say(`\n${kills} kills at random moments of ${CROWD.lanes} hosts with ${CROWD.talks} conversations each:`);
  const outcome = await torment({ script, seed, kills, ...CROWD, onKills: (count) => say(`  ${count} kills`) });
  say(summary(outcome));
  for (const violation of outcome.violations) say(describe(violation, seed));
  const missing = outcome.violations.length > 0 ? [] : shortcomings(outcome.tally);
  for (const words of missing) say(`Too little happened: ${words}.`);
  return outcome.violations.length === 0 && missing.length === 0;
}

async function findsBugs(seed: number): Promise<boolean> {
  say(`\nPlanted faults, each to be found within ${BUG_KILLS} kills:`);
  let missed = 0;
  for (const { name, patches } of BUGS) {
    const script = join(folder, "planted.js");
    await bundle(WORKER, script, patches);
    const { kills, violations } = await torment({ script, seed, kills: BUG_KILLS, ...CROWD });
    const [first] = violations;
    if (first === undefined) missed += 1;
    const words = first === undefined ? "NOT FOUND" : `found, ${first.rule}: ${first.words.slice(0, 100)}`;
    say(`  ${name}: ${words} (${kills} kills)`);
  }
  return missed === 0;
}
