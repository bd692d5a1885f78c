// npm run chaos [-- --kills N] [--seed S] [--only kills,points,bugs]
//
// Kills the runtime at random moments, crashes it at every single point of one turn, and lets planted faults show
// that both would notice. Exits with 1 when an invariant does not hold, when too little happened to say so, or when a
// planted fault was not found.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUGS, BUGS_OF_POINTS } from "./bugs.ts";
import { findBug, survive } from "./chaos.ts";
import { crashEverywhere } from "./points.ts";
import { crashReport, describe, summary } from "./report.ts";
import { shortcomings } from "./tally.ts";

const PARTS = ["kills", "points", "bugs"] as const;
type Part = (typeof PARTS)[number];

const KILLS = 1_000;
/** A turn with two tasks has more than that; with fewer, something was not counted. */
const LEAST_POINTS = 20;

const say = (line: string) => console.log(line);
const folder = mkdtempSync(join(tmpdir(), "orrery-chaos-build-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => process.exit(1));

try {
  const { kills, seed, parts } = readOrder();
  say(`Seed ${seed}. The same decisions are taken by: npm run chaos -- --kills ${kills} --seed ${seed}`);
  const carryOut = { kills: () => killed(kills, seed), points: crashed, bugs: () => planted(seed) };
  const results: boolean[] = [];
  for (const part of parts) results.push(await carryOut[part]());
  const isWhole = results.every(Boolean);
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

async function killed(kills: number, seed: number): Promise<boolean> {
  say(`\n${kills} kills at random moments:`);
  const outcome = await survive(folder, { kills, seed, onKills: (count) => say(`  ${count} kills`) });
  say(summary(outcome));
  for (const violation of outcome.violations) say(describe(violation, seed));
  const missing = outcome.violations.length > 0 ? [] : shortcomings(outcome.tally);
  for (const words of missing) say(`Too little happened: ${words}.`);
  return outcome.violations.length === 0 && missing.length === 0;
}

async function crashed(): Promise<boolean> {
  say("\nA crash at every write and outside call of a turn with two tasks:");
  const report = await crashEverywhere(join(folder, "crashing.js"));
  say(crashReport(report));
  const isTried = report.points >= LEAST_POINTS && report.unreached * 10 <= report.crashes;
  if (!isTried) say("Too little happened: too few points, or too many of them were not reached.");
  return report.breaches.length === 0 && isTried;
}

async function planted(seed: number): Promise<boolean> {
  say("\nPlanted faults:");
  let missed = 0;
  const tell = (name: string, found: string | undefined, effort: string): void => {
    if (found === undefined) missed += 1;
    say(`  ${name}: ${found === undefined ? "NOT FOUND" : `found, ${found.slice(0, 120)}`} (${effort})`);
  };
  for (const bug of BUGS) {
    const { kills, violations } = await findBug(folder, bug, seed);
    const [first] = violations;
    tell(bug.name, first === undefined ? undefined : `${first.rule}: ${first.words}`, `${kills} kills`);
  }
  for (const { name, patches } of BUGS_OF_POINTS) {
    const { breaches, crashes } = await crashEverywhere(join(folder, "planted.js"), { pairs: 0, patches });
    tell(name, breaches[0], `${crashes} crashes`);
  }
  return missed === 0;
}
