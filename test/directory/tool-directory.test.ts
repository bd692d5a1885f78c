import { beforeEach, describe, expect, test } from "vitest";
import {
  saveTool,
  listTools,
  recordToolRun,
  removeTool,
  getToolWithVersions,
} from "../../src/directory/tool-directory.ts";
import type { ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { DB } from "./schedule-rows.ts";
import { clearTools, searchNames, saveTestTool, saveTestTools, readTool, MULTIPLY, countRows } from "./tool-rows.ts";

beforeEach(clearTools);

describe("saveTool()", () => {
  test("creates a tool and then counts its uses", async () => {
    const { hash, ...draft } = MULTIPLY;
    const run = { status: "completed", at: 1_000 };
    const first = await saveTestTool("ada");
    expect(first).toEqual({ ...draft, hash, version: 1, uses: 1, last_run: run, created_at: 1_000, updated_at: 1_000 });
    const again = await saveTestTool("ada", { description: "Something else", category: "other" }, 2_000);
    expect(again).toEqual({ ...first, uses: 2, last_run: { ...run, at: 2_000 } });
    expect(await readTool("ada", "multiply_numbers")).toEqual(again);
    const { description, category } = MULTIPLY;
    expect((await listTools(DB, "ada", 9, null)).tools).toMatchObject([{ description, category, uses: 2 }]);
    expect(await countRows("tool_version")).toBe(1);
    expect(await countRows("tool_index")).toBe(1);
  });

  test("stores different code as the next version and keeps the earlier ones", async () => {
    await saveTestTool("ada");
    const { returns: _, ...untyped } = MULTIPLY;
    const other = { ...untyped, hash: "h2", code: "(args) => args.a * args.b", description: "Finds the area" };
    const second = await saveTool(DB, "ada", { ...other, category: "other" }, 2_000);
    expect(second).toMatchObject({ version: 2, uses: 2, category: "other", created_at: 1_000, updated_at: 2_000 });
    expect(second).not.toHaveProperty("returns");
    expect(await saveTestTool("ada", { hash: "h1" }, 3_000)).toMatchObject({ version: 3, code: MULTIPLY.code });
    const versions = [
      { version: 3, hash: "h1", created_at: 3_000 },
      { version: 2, hash: "h2", created_at: 2_000 },
      { version: 1, hash: "h1", created_at: 1_000 },
    ];
    expect(await getToolWithVersions(DB, "ada", "multiply_numbers")).toMatchObject({ version: 3, uses: 3, versions });
    const old = await getToolWithVersions(DB, "ada", "multiply_numbers", 2);
    expect(old).toMatchObject({ ...second, uses: 3, last_run: { at: 3_000 }, versions });
    expect(await getToolWithVersions(DB, "ada", "multiply_numbers", 4)).toBeNull();
  });

  test("makes a new version searchable by its own words only", async () => {
    await saveTestTool("ada");
    await saveTestTool("ada", { hash: "h2", description: "Finds an area", category: "other" });
    expect(await searchNames("ada", "area", "text")).toEqual(["multiply_numbers"]);
    expect(await searchNames("ada", "两个数的乘积", "text")).toEqual([]);
  });

  test("[U1] creates separate tools for users who choose the same name", async () => {
    await saveTestTool("ada");
    const bobs = await saveTestTool("bob", { hash: "h2", code: "() => 1", description: "Finds an area" }, 2_000);
    expect(bobs).toMatchObject({ version: 1, uses: 1, code: "() => 1", created_at: 2_000 });
    expect(await saveTestTool("ada", { hash: "h3" })).toMatchObject({ version: 2, uses: 2, code: MULTIPLY.code });
    expect(await readTool("bob", "multiply_numbers")).toEqual(bobs);
    expect(await searchNames("bob", "area", "text")).toEqual(["multiply_numbers"]);
    expect(await countRows("tool_version")).toBe(3);
    expect(await countRows("tool_index")).toBe(2);
  });

  test("[R1] loses no code when conversations save the same name at once", async () => {
    const hashes = Array.from({ length: 20 }, (_, i) => `h${i}`);
    const stored = await Promise.all(hashes.map((hash) => saveTestTool("ada", { hash, code: `() => "${hash}"` })));
    expect(stored.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(hashes.map((_, i) => i + 1));
    const tool = await getToolWithVersions(DB, "ada", "multiply_numbers");
    expect(tool).toMatchObject({ version: 20, uses: 20 });
    expect(tool?.versions.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted());
    for (const { hash, version } of stored) {
      const code = (await getToolWithVersions(DB, "ada", "multiply_numbers", version))?.code;
      expect(code).toBe(`() => "${hash}"`);
    }
    expect(await countRows("tool_index")).toBe(1);
  });

  test("[R2] adds a tool to a rebuilt search index again", async () => {
    await saveTestTool("ada");
    await DB.prepare(`DELETE FROM tool_index`).run();
    expect(await searchNames("ada", "multiply", "text")).toEqual([]);
    await saveTestTool("ada");
    expect(await searchNames("ada", "multiply", "text")).toEqual(["multiply_numbers"]);
  });

  test("keeps the newest 100 versions", async () => {
    for (let i = 1; i <= 102; i++) await saveTestTool("ada", { hash: `h${i}` });
    await saveTestTool("ada", { name: "other" });
    const versions = (await getToolWithVersions(DB, "ada", "multiply_numbers"))?.versions ?? [];
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 100 }, (_, i) => 102 - i));
    expect(await countRows("tool_version")).toBe(101);
  });

  test("rejects new tools at the limit per user and still updates existing ones", async () => {
    const saveAt = (name: string, hash = "h1", user = "ada") => saveTool(DB, user, { ...MULTIPLY, name, hash }, 1, 2);
    await saveAt("one");
    await saveAt("two");
    await expect(saveAt("three")).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await readTool("ada", "three")).toBeNull();
    expect(await countRows("tool_index")).toBe(2);
    expect(await countRows("tool_version")).toBe(2);
    expect(await saveAt("two", "h2")).toMatchObject({ version: 2 });
    expect(await saveAt("three", "h1", "bob")).toMatchObject({ version: 1 });
    await removeTool(DB, "ada", "one");
    expect(await saveAt("three")).toMatchObject({ version: 1 });
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: "Multiply" }],
    ["name", { name: "9_lives" }],
    ["name", { name: "a/b" }],
    ["name", { name: "乘" }],
    ["name", { name: "a\n" }],
    ["name", { name: "a".repeat(65) }],
    ["description", { description: "" }],
    ["category", { category: "cooking" as ToolCategory }],
    ["code", { code: "乘".repeat(5_462) }],
    ["parameters", { parameters: { title: "a".repeat(16_384) } }],
    ["returns", { returns: { title: "a".repeat(16_384) } }],
  ])("rejects a tool with an invalid %s", async (field, changes) => {
    await expect(saveTestTool("ada", changes)).rejects.toMatchObject({ code: "invalid_request", field });
    expect(await countRows("tool")).toBe(0);
  });

  test("stores any text unchanged", async () => {
    const text = `'; DROP TABLE tool; -- "quoted" \\ \u0000 🦊 ${"x".repeat(2_000)}`;
    const stored = await saveTestTool("ada", { code: text, description: text, parameters: { title: text } });
    expect(stored).toMatchObject({ code: text, description: text, parameters: { title: text } });
    expect(await readTool("ada", "multiply_numbers")).toEqual(stored);
  });
});

describe("recordToolRun()", () => {
  test("counts a use and stores its result", async () => {
    await saveTestTool("ada");
    await saveTestTool("bob");
    await recordToolRun(DB, "ada", "multiply_numbers", { status: "failed", error: "e".repeat(9_000), at: 5_000 });
    const last_run = { status: "failed", error: "e".repeat(1_000), at: 5_000 };
    expect(await readTool("ada", "multiply_numbers")).toMatchObject({ uses: 2, last_run, updated_at: 1_000 });
    expect(await readTool("bob", "multiply_numbers")).toMatchObject({ uses: 1 });
    await recordToolRun(DB, "ada", "nothing", { status: "completed", at: 1 });
    expect(await readTool("ada", "nothing")).toBeNull();
  });
});

describe("removeTool()", () => {
  test("[R2] removes all rows of a tool and none of others", async () => {
    await saveTestTool("ada");
    await saveTestTool("ada", { hash: "h2" });
    await saveTestTool("ada", { name: "add_numbers", description: "Adds numbers" });
    await saveTestTool("bob");
    expect(await removeTool(DB, "ada", "multiply_numbers")).toBe(true);
    expect(await removeTool(DB, "ada", "multiply_numbers")).toBe(false);
    expect(await removeTool(DB, "eve", "multiply_numbers")).toBe(false);
    expect(await getToolWithVersions(DB, "ada", "multiply_numbers")).toBeNull();
    expect(await countRows("tool_version")).toBe(2);
    expect(await countRows("tool_index")).toBe(2);
    expect(await searchNames("ada", "multiply", "text")).toEqual([]);
    expect(await searchNames("bob", "multiply", "text")).toEqual(["multiply_numbers"]);
    // The row id may be reused.
    await saveTestTool("ada", { name: "newer", description: "Reverses text" });
    expect(await searchNames("ada", "multiply", "text")).toEqual([]);
    expect(await getToolWithVersions(DB, "ada", "newer")).toMatchObject({ version: 1, versions: [{ version: 1 }] });
  });
});

describe("listTools()", () => {
  test("is paged, newest first, per user", async () => {
    for (const [i, name] of ["a", "b", "c", "d", "e"].entries()) await saveTestTool("ada", { name }, i < 2 ? 7 : i);
    await saveTestTool("bob", { name: "f" });
    const first = await listTools(DB, "ada", 2, null);
    expect(first.tools.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(first.tools[0]).not.toHaveProperty("code");
    const one = await listTools(DB, "ada", 1, null);
    const other = await listTools(DB, "ada", 1, one.next);
    expect([...one.tools, ...other.tools]).toEqual(first.tools);
    const rest = await listTools(DB, "ada", 9, first.next);
    expect(rest.tools.map(({ name }) => name)).toEqual(["e", "d", "c"]);
    expect(rest.next).toBeNull();
  });

  test("filters by category", async () => {
    await saveTestTool("ada");
    await saveTestTool("ada", { name: "reverse", category: "text", description: "Reverses text" });
    const { tools } = await listTools(DB, "ada", 9, null, { category: "text" });
    expect(tools.map(({ name }) => name)).toEqual(["reverse"]);
    const both = await listTools(DB, "ada", 9, null, { category: "text", text: "multiply" });
    expect(both).toEqual({ tools: [], next: null });
  });

  test("returns search results best first, with pages that equal one long page", async () => {
    for (let i = 0; i < 30; i++)
      await saveTestTools("ada", { [`tool_${i}`]: i === 7 ? "Prime numbers" : `Numbers ${i}` });
    await saveTestTools("ada", { dates: "Counts days" });
    const all = (await listTools(DB, "ada", 50, null, { text: "prime numbers" })).tools;
    expect(all).toHaveLength(30);
    expect(all[0]).toMatchObject({ name: "tool_7" });
    const pages = [];
    for (let next = null, i = 0; i < 4; i++) {
      const page = await listTools(DB, "ada", 9, next, { text: "prime numbers" });
      pages.push(...page.tools);
      next = page.next;
      if (i === 3) expect(next).toBeNull();
    }
    expect(pages).toEqual(all);
    expect(await listTools(DB, "ada", 9, null, { text: " *?! " })).toEqual({ tools: [], next: null });
  });
});
