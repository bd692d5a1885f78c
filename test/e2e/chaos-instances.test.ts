// A short run of `npm run chaos -- instances`: that instances of plans survive, and that a run would notice if not.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patched } from "../../chaos/bundle.ts";
import { BUGS_OF_INSTANCES } from "../../chaos/instances/bugs.ts";
import { surviveInstances } from "../../chaos/instances/instances.ts";

const SEED = 15;
const KILLS = 4;
const SIZE = { listeners: 4, fails: 1 };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-chaos-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`[L1] [L2] [L3] [T1] [T3] [T4] [T5] [H1] ${KILLS} kills under instances of plans change nothing about what they do`, async () => {
  const { kills, breaches, counts } = await surviveInstances(folder, {
    kills: KILLS,
    seed: SEED,
    crowd: 1,
    size: SIZE,
  });
  expect(breaches).toEqual([]);
  expect(kills).toBe(KILLS);
  expect(counts.finished).toBeGreaterThan(0);
  expect(counts.calls).toBeGreaterThan(0);
});

test.each(BUGS_OF_INSTANCES)("the planted fault fits the source: $name", ({ patches }) => {
  for (const mine of Map.groupBy(patches, ({ file }) => file).values()) expect(() => patched(mine)).not.toThrow();
});
