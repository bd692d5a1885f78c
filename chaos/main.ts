// npm run chaos [-- [PART …] [--kills N] [--days N] [--seed S] [--bug WORDS]]; parts: kills, points, instances, schedules, bugs
//
// Kills the runtime at random moments, crashes it at every crash point of one turn, kills it under workflow instances,
// simulates days of schedules, and verifies that planted faults are found. Exits with 1 if an invariant is violated, if
// too little happened for a conclusion, or if a planted fault was not found.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTemporaryFolder } from "../scripts/temporary-folder.ts";
import { BUGS, BUGS_OF_POINTS } from "./bugs.ts";
import { BUGS_OF_CLIENTS } from "./bugs-of-clients.ts";
import { findBug, survive } from "./chaos.ts";
import { crashEverywhere } from "./points.ts";
import { BUGS_OF_INSTANCES } from "./instances/bugs.ts";
import { findBugOfInstances, instancesReport, missingInInstances, surviveInstances } from "./instances/instances.ts";
import { crashReport, describe, summary } from "./report.ts";
import { BUGS_OF_SCHEDULES } from "./schedules/bugs.ts";
import { daysReport, findInDays, liveThrough, missingIn } from "./schedules/days.ts";
import { shortcomings } from "./tally.ts";

const PARTS = ["kills", "points", "instances", "schedules", "bugs"] as const;
type Part = (typeof PARTS)[number];

const KILLS = 1_000;
/** The number of kills under workflow instances, as a share of `--kills`. */
const KILLS_OF_INSTANCES = 0.2;
const DAYS = 5;
/** The minimum number of crash points of a turn with two tasks; with fewer, some were not counted. */
const LEAST_POINTS = 20;

const say = (line: string) => console.log(line);
const folder = createTemporaryFolder("orrery-chaos-build-");

try {
  const { kills, days, seed, bug, parts } = readOrder();
  const again = `${parts.join(" ")} --kills ${kills} --days ${days} --seed ${seed}`;
  say(`Seed ${seed}. The same decisions are taken by: npm run chaos -- ${again}`);
  const carryOut = {
    kills: () => killed(kills, seed),
    points: crashed,
    instances: () => instancesKilled(Math.ceil(kills * KILLS_OF_INSTANCES), seed),
    schedules: () => scheduled(days, seed),
    bugs: () => planted(seed, bug),
  };
  const results: boolean[] = [];
  for (const part of parts) {
    const startedAt = performance.now();
    results.push(await carryOut[part]());
    say(`${part}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  const isWhole = results.every(Boolean);
  say(isWhole ? "\nNothing was lost, doubled, reordered or torn." : "\nFAILED, see above.");
  process.exit(isWhole ? 0 : 1);
} catch (thrown) {
  console.error(thrown instanceof Error && thrown.cause === undefined ? thrown.message : thrown);
  process.exit(1);
}

type CommandLine = {
  readonly kills: number;
  readonly days: number;
  readonly seed: number;
  /** Only planted faults whose name contains this. */
  readonly bug: string;
  readonly parts: readonly Part[];
};

function readOrder(): CommandLine {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    options: { kills: text, days: text, seed: text, only: text, bug: text },
    allowPositionals: true,
  });
  const kills = Number(values.kills ?? KILLS);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(kills) || kills < 1) throw new Error("--kills: must be a positive integer");
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error("--seed: must be an integer that is not negative");
  const days = Number(values.days ?? DAYS);
  if (!(days > 0 && days <= 1_000)) throw new Error("--days: must be a number above 0, and no more than 1000");
  const parts = [...positionals, ...(values.only?.split(",") ?? [])].map((wanted) => {
    const part = PARTS.find((known) => known === wanted.trim());
    if (part === undefined) throw new Error(`There is no part ${wanted}; there are ${PARTS.join(", ")}`);
    return part;
  });
  return { kills, days, seed, bug: values.bug ?? "", parts: parts.length === 0 ? PARTS : parts };
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

async function instancesKilled(kills: number, seed: number): Promise<boolean> {
  say(`\n${kills} kills under instances of plans:`);
  const outcome = await surviveInstances(folder, { kills, seed, onKills: (count) => say(`  ${count} kills`) });
  say(instancesReport(outcome));
  for (const { rule, words } of outcome.breaches) say(`\nVIOLATION of ${rule} (seed ${seed}):\n  ${words}`);
  if (outcome.breaches.length > 0) return false;
  const missing = missingInInstances(outcome);
  for (const words of missing) say(`Too little happened: ${words}.`);
  return missing.length === 0;
}

async function scheduled(days: number, seed: number): Promise<boolean> {
  say(`\n${days} days of schedules:`);
  const outcomes = await liveThrough(folder, { days, seed });
  say(daysReport(outcomes));
  const breaches = outcomes.flatMap((outcome) => outcome.breaches);
  for (const { rule, words } of breaches) say(`\nVIOLATION of ${rule} (seed ${seed}):\n  ${words}`);
  if (breaches.length > 0) return false;
  const missing = missingIn(outcomes);
  for (const words of missing) say(`Too little happened: ${words}.`);
  return missing.length === 0;
}

async function planted(seed: number, words: string): Promise<boolean> {
  say("\nPlanted faults:");
  let missed = 0;
  const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(words);
  const tell = (name: string, found: string | undefined, effort: string): void => {
    if (found === undefined) missed += 1;
    say(`  ${name}: ${found === undefined ? "NOT FOUND" : `found, ${found.slice(0, 120)}`} (${effort})`);
  };
  for (const bug of [...BUGS, ...BUGS_OF_CLIENTS].filter(isWanted)) {
    const { kills, violations } = await findBug(folder, bug, seed);
    const [first] = violations;
    tell(bug.name, first === undefined ? undefined : `${first.rule}: ${first.words}`, `${kills} kills`);
  }
  for (const { name, patches } of BUGS_OF_POINTS.filter(isWanted)) {
    const { breaches, crashes } = await crashEverywhere(join(folder, "planted.js"), { pairs: 0, patches });
    tell(name, breaches[0], `${crashes} crashes`);
  }
  for (const bug of BUGS_OF_INSTANCES.filter(isWanted)) {
    const { breaches, kills } = await findBugOfInstances(folder, bug, seed);
    const [first] = breaches;
    tell(bug.name, first === undefined ? undefined : `${first.rule}: ${first.words}`, `${kills} kills`);
  }
  for (const bug of BUGS_OF_SCHEDULES.filter(isWanted)) {
    const { breach, trials } = await findInDays(folder, bug, seed);
    tell(bug.name, breach === undefined ? undefined : `${breach.rule}: ${breach.words}`, `days: ${trials}`);
  }
  return missed === 0;
}
