import { beforeEach, expect, test } from "vitest";
import { beginTrial, endTrial, MAX_LOST_TRIALS } from "../../src/directory/tool-trials.ts";
import { DB } from "./rows.ts";
import { clearTools, rowsIn } from "./tool-rows.ts";

const NOW = 1_000_000_000;
const DAY = 86_400_000;

beforeEach(clearTools);

const begin = (run: string, at = NOW, { user = "ada", hash = "h" } = {}) => beginTrial(DB, user, hash, run, at);
const end = (run: string, { user = "ada", hash = "h" } = {}) => endTrial(DB, user, hash, run);

const rows = () => rowsIn("tool_trial");

test("a try that came back leaves nothing", async () => {
  for (let i = 0; i < 3; i++) {
    expect(await begin("r1", NOW + i * DAY)).toBe(0);
    await end("r1");
    expect(await rows()).toBe(0);
  }
  await end("never begun");
});

test("the same run again says that the try before it was lost", async () => {
  expect(await begin("r1")).toBe(0);
  expect(await begin("r1", NOW + 1)).toBe(1);
  expect(await begin("r1", NOW + 2)).toBe(2);
});

test("another run counts as lost after ten seconds, not before", async () => {
  expect(await begin("r1")).toBe(0);
  expect(await begin("r2", NOW + 9_999)).toBe(0);
  expect(await begin("r3", NOW + 10_000)).toBe(1);
  expect(await begin("r4", NOW + 30_000)).toBe(3);
});

test("lost tries of a run count for others at once", async () => {
  await begin("r1");
  await begin("r1", NOW + 1);
  expect(await begin("r2", NOW + 2)).toBe(1);
});

test("the last try that was lost counts for others as soon as its run was refused", async () => {
  for (let i = 0; i < 3; i++) expect(await begin("r1", NOW + i)).toBe(i);
  expect(await begin("r2", NOW + 3)).toBe(MAX_LOST_TRIALS);
});

test("other code, and other users, are not concerned", async () => {
  await begin("r1");
  await begin("r1");
  expect(await begin("r1", NOW + DAY / 2, { hash: "other" })).toBe(0);
  expect(await begin("r1", NOW + DAY / 2, { user: "bob" })).toBe(0);
});

test("code that comes back is forgiven what was lost before, and only that", async () => {
  await begin("r1");
  await begin("r2", NOW + 10_000);
  await begin("r3", NOW + 10_001);
  await end("r2");
  // r1 is forgiven, r3 may still be lost.
  expect(await rows()).toBe(1);
  expect(await begin("r4", NOW + 30_000)).toBe(1);
});

test("nothing more is noted of code that will not run", async () => {
  await begin("r1");
  await begin("r1");
  for (let i = 0; i < 5; i++) expect(await begin(`r${i}`, NOW + 20_000 + i)).toBe(MAX_LOST_TRIALS);
  expect(await rows()).toBe(1);
});

test("what was lost is forgotten after a day, so the table does not grow for ever", async () => {
  for (let i = 0; i < 30; i++) await begin("r", NOW, { hash: `h${i}` });
  await begin("r", NOW, { user: "bob" });
  expect(await rows()).toBe(31);
  expect(await begin("r2", NOW + DAY - 1, { hash: "h1" })).toBe(1);
  expect(await begin("r3", NOW + DAY, { hash: "h1" })).toBe(0);
  // Of those tries there is left the other user's.
  expect(await rows()).toBe(3);
});

test("tries at once are counted one by one", async () => {
  const counts = await Promise.all(Array.from({ length: 6 }, () => begin("r1")));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 2, 2, 2]);
});
