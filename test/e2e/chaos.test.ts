// A short run of `npm run chaos`: the runtime survives kills, and a planted bug is found.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUGS, BUGS_OF_POINTS } from "../../chaos/bugs.ts";
import { BUGS_OF_CLIENTS } from "../../chaos/bugs-of-clients.ts";
import { BUGS_OF_SCHEDULES } from "../../chaos/schedules/bugs.ts";
import { patched } from "../../chaos/bundle.ts";
import { findBug, survive } from "../../chaos/chaos.ts";
import { crashEverywhere } from "../../chaos/points.ts";
import { newTally, shortcomings } from "../../chaos/tally.ts";
import { isLongRun, pickByLength } from "../support/run-length.ts";

const SEED = 12;
const KILLS = pickByLength(6, 24);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-chaos-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`[I1] [L1] [L2] [L3] [T2] [T3] [T4] [T5] [H1] [P1] ${KILLS} kills cause no loss, duplication, reordering or partial event`, async () => {
  // A short run has few conversations. Give half of them to A2A so that both interfaces occur.
  const order = { kills: KILLS, seed: SEED, walks: 0, visits: 0.5, guests: 0.1, stalls: 0 };
  const { kills, tally, violations } = await survive(folder, order);
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(tally.turns.plan.finished).toBeGreaterThan(0);
  // A short run is killed before most of its frames.
  expect(tally.frames).toBeGreaterThan(pickByLength(0, 500));
  expect(tally.restarts).toBeGreaterThan(0);
  expect(tally.visits).toBeGreaterThan(0);
  expect(tally.notices).toBeGreaterThanOrEqual(tally.visits);
});

test("[I7] a crash at sampled points of a turn leads to the same end", async () => {
  const { points, crashes, breaches } = await crashEverywhere(join(folder, "crashing.js"), {
    stride: pickByLength(24, 8),
    pairs: pickByLength(1, 2),
  });
  expect(breaches).toEqual([]);
  expect(points).toBeGreaterThan(20);
  expect(crashes).toBeGreaterThan(pickByLength(2, 8));
});

test.runIf(isLongRun)("a planted bug is found: interrupted steps are not retracted", async () => {
  const bug = BUGS.find(({ name }) => name === "skip the retraction of interrupted steps");
  const { violations } = await findBug(folder, bug ?? { name: "", patches: [] }, SEED);
  expect(violations).not.toEqual([]);
});

test.each([...BUGS, ...BUGS_OF_CLIENTS, ...BUGS_OF_POINTS, ...BUGS_OF_SCHEDULES])(
  "the planted bug applies to the source: $name",
  ({ patches }) => {
    for (const filePatches of Map.groupBy(patches, ({ file }) => file).values())
      expect(() => patched(filePatches)).not.toThrow();
  },
);

test("a patch throws if its text occurs zero or several times in the source", () => {
  const file = "src/worker.ts";
  expect(() => patched([{ file, from: "what nobody wrote", to: "" }])).toThrow("0 places");
  expect(() => patched([{ file, from: "export {", to: "" }])).toThrow(/\d+ places/);
});

test("an empty run has shortcomings", () => {
  expect(shortcomings(newTally()).length).toBeGreaterThan(5);
});
