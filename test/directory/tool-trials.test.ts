import { beforeEach, expect, test } from "vitest";
import { beginTrial, endTrial, MAX_LOST_TRIALS } from "../../src/directory/tool-trials.ts";
import { DB } from "./schedule-rows.ts";
import { clearTools, countRows } from "./tool-rows.ts";

const NOW = 1_000_000_000;
const DAY = 86_400_000;

beforeEach(clearTools);

const begin = (run: string, at = NOW, { user = "ada", hash = "h" } = {}) => beginTrial(DB, user, hash, run, at);
const end = (run: string, { user = "ada", hash = "h" } = {}) => endTrial(DB, user, hash, run);

const countTrials = () => countRows("tool_trial");

test("a trial that ends leaves no row", async () => {
  for (let i = 0; i < 3; i++) {
    expect(await begin("r1", NOW + i * DAY)).toBe(0);
    await end("r1");
    expect(await countTrials()).toBe(0);
  }
  await end("never begun");
});

test("the same run counts its earlier trials as lost", async () => {
  expect(await begin("r1")).toBe(0);
  expect(await begin("r1", NOW + 1)).toBe(1);
  expect(await begin("r1", NOW + 2)).toBe(2);
});

test("a trial of another run counts as lost after ten seconds", async () => {
  expect(await begin("r1")).toBe(0);
  expect(await begin("r2", NOW + 9_999)).toBe(0);
  expect(await begin("r3", NOW + 10_000)).toBe(1);
  expect(await begin("r4", NOW + 30_000)).toBe(3);
});

test("lost trials of a run count for other runs at once", async () => {
  await begin("r1");
  await begin("r1", NOW + 1);
  expect(await begin("r2", NOW + 2)).toBe(1);
});

test("the last lost trial counts for other runs as soon as its run was rejected", async () => {
  for (let i = 0; i < 3; i++) expect(await begin("r1", NOW + i)).toBe(i);
  expect(await begin("r2", NOW + 3)).toBe(MAX_LOST_TRIALS);
});

test("trials count only for the same code and user", async () => {
  await begin("r1");
  await begin("r1");
  expect(await begin("r1", NOW + DAY / 2, { hash: "other" })).toBe(0);
  expect(await begin("r1", NOW + DAY / 2, { user: "bob" })).toBe(0);
});

test("an ended trial clears only the earlier lost trials of its code", async () => {
  await begin("r1");
  await begin("r2", NOW + 10_000);
  await begin("r3", NOW + 10_001);
  await end("r2");
  // r1 is cleared, r3 may still be lost.
  expect(await countTrials()).toBe(1);
  expect(await begin("r4", NOW + 30_000)).toBe(1);
});

test("code that is rejected adds no more rows", async () => {
  await begin("r1");
  await begin("r1");
  for (let i = 0; i < 5; i++) expect(await begin(`r${i}`, NOW + 20_000 + i)).toBe(MAX_LOST_TRIALS);
  expect(await countTrials()).toBe(1);
});

test("lost trials are deleted after a day", async () => {
  for (let i = 0; i < 30; i++) await begin("r", NOW, { hash: `h${i}` });
  await begin("r", NOW, { user: "bob" });
  expect(await countTrials()).toBe(31);
  expect(await begin("r2", NOW + DAY - 1, { hash: "h1" })).toBe(1);
  expect(await begin("r3", NOW + DAY, { hash: "h1" })).toBe(0);
  // Only the other user's trial is left of the old ones.
  expect(await countTrials()).toBe(3);
});

test("concurrent trials are counted one by one", async () => {
  const counts = await Promise.all(Array.from({ length: 6 }, () => begin("r1")));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 2, 2, 2]);
});
