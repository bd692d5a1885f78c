// A short run of `npm run chaos -- instances`: workflow instances survive kills, and planted bugs apply to the source.

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

test(`[L1] [L2] [L3] [T1] [T3] [T4] [T5] [H1] ${KILLS} kills do not change the outcome of workflow instances`, async () => {
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

test.each(BUGS_OF_INSTANCES)("the planted bug applies to the source: $name", ({ patches }) => {
  for (const filePatches of Map.groupBy(patches, ({ file }) => file).values())
    expect(() => patched(filePatches)).not.toThrow();
});
