// A short run of `npm run chaos`: that the runtime survives, and that a run would notice if it did not.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUGS, BUGS_OF_POINTS } from "../../chaos/bugs.ts";
import { BUGS_OF_SCHEDULES } from "../../chaos/schedules/bugs.ts";
import { patched } from "../../chaos/bundle.ts";
import { findBug, survive } from "../../chaos/chaos.ts";
import { crashEverywhere } from "../../chaos/points.ts";
import { newTally, shortcomings } from "../../chaos/tally.ts";

const SEED = 1_848;
const KILLS = 24;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-chaos-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`[I1] [L1] [L2] [L3] [T2] [T3] [T4] [T5] [H1] [P1] ${KILLS} kills lose, double, reorder and tear nothing`, async () => {
  // So few conversations have room in a short run that each door needs half of them to be there for certain.
  const order = { kills: KILLS, seed: SEED, walks: 0, visits: 0.5 };
  const { kills, tally, violations } = await survive(folder, order);
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(tally.turns.plan.finished).toBeGreaterThan(0);
  expect(tally.frames).toBeGreaterThan(500);
  expect(tally.restarts).toBeGreaterThan(0);
  expect(tally.visits).toBeGreaterThan(0);
  expect(tally.notices).toBeGreaterThanOrEqual(tally.visits);
});

test("[I7] a crash at some of the points of a turn leads to the same end", async () => {
  const { points, crashes, breaches } = await crashEverywhere(join(folder, "crashing.js"), { stride: 8, pairs: 2 });
  expect(breaches).toEqual([]);
  expect(points).toBeGreaterThan(20);
  expect(crashes).toBeGreaterThan(8);
});

test("a planted fault is found: what was interrupted is not taken back", async () => {
  const bug = BUGS.find(({ name }) => name === "skip the retraction of interrupted steps");
  const { violations } = await findBug(folder, bug ?? { name: "", patches: [] }, SEED);
  expect(violations).not.toEqual([]);
});

test.each([...BUGS, ...BUGS_OF_POINTS, ...BUGS_OF_SCHEDULES])(
  "the planted fault fits the source: $name",
  ({ patches }) => {
    for (const mine of Map.groupBy(patches, ({ file }) => file).values()) expect(() => patched(mine)).not.toThrow();
  },
);

test("a patch that finds nothing to change is an error, and so is one that fits twice", () => {
  const file = "src/worker.ts";
  expect(() => patched([{ file, from: "what nobody wrote", to: "" }])).toThrow("0 places");
  expect(() => patched([{ file, from: "export {", to: "" }])).toThrow(/\d+ places/);
});

test("a run in which nothing happened does not count", () => {
  expect(shortcomings(newTally()).length).toBeGreaterThan(5);
});
