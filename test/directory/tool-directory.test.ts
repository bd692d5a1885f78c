import { beforeEach, describe, expect, test } from "vitest";
import {
  saveTool,
  listTools,
  recordToolRun,
  removeTool,
  getToolWithVersions,
} from "../../src/directory/tool-directory.ts";
import type { ToolCategory } from "../../src/protocol/tools/stored-tool.ts";
import { DB } from "./rows.ts";
import { clearTools, found, keep, keepAll, keptTool, MULTIPLY, rowsIn } from "./tool-rows.ts";

beforeEach(clearTools);

describe("keeping", () => {
  test("makes a tool, then counts its uses", async () => {
    const { hash, ...draft } = MULTIPLY;
    const run = { status: "completed", at: 1_000 };
    const first = await keep("ada");
    expect(first).toEqual({ ...draft, hash, version: 1, uses: 1, last_run: run, created_at: 1_000, updated_at: 1_000 });
    const again = await keep("ada", { description: "Something else", category: "other" }, 2_000);
    expect(again).toEqual({ ...first, uses: 2, last_run: { ...run, at: 2_000 } });
    expect(await keptTool("ada", "multiply_numbers")).toEqual(again);
    const { description, category } = MULTIPLY;
    expect((await listTools(DB, "ada", 9, null)).tools).toMatchObject([{ description, category, uses: 2 }]);
    expect(await rowsIn("tool_version")).toBe(1);
    expect(await rowsIn("tool_index")).toBe(1);
  });

  test("keeps another code as the next version, and the ones before it", async () => {
    await keep("ada");
    const { returns: _, ...untyped } = MULTIPLY;
    const other = { ...untyped, hash: "h2", code: "(args) => args.a * args.b", description: "Finds the area" };
    const second = await saveTool(DB, "ada", { ...other, category: "other" }, 2_000);
    expect(second).toMatchObject({ version: 2, uses: 2, category: "other", created_at: 1_000, updated_at: 2_000 });
    expect(second).not.toHaveProperty("returns");
    expect(await keep("ada", { hash: "h1" }, 3_000)).toMatchObject({ version: 3, code: MULTIPLY.code });
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

  test("a new version is found by its own words and no more by the old ones", async () => {
    await keep("ada");
    await keep("ada", { hash: "h2", description: "Finds an area", category: "other" });
    expect(await found("ada", "area", "text")).toEqual(["multiply_numbers"]);
    expect(await found("ada", "两个数的乘积", "text")).toEqual([]);
  });

  test("[U1] makes a tool of its own for each user, whatever others call theirs", async () => {
    await keep("ada");
    const bobs = await keep("bob", { hash: "h2", code: "() => 1", description: "Finds an area" }, 2_000);
    expect(bobs).toMatchObject({ version: 1, uses: 1, code: "() => 1", created_at: 2_000 });
    expect(await keep("ada", { hash: "h3" })).toMatchObject({ version: 2, uses: 2, code: MULTIPLY.code });
    expect(await keptTool("bob", "multiply_numbers")).toEqual(bobs);
    expect(await found("bob", "area", "text")).toEqual(["multiply_numbers"]);
    expect(await rowsIn("tool_version")).toBe(3);
    expect(await rowsIn("tool_index")).toBe(2);
  });

  test("[R1] loses no code when conversations keep the same name at once", async () => {
    const hashes = Array.from({ length: 20 }, (_, i) => `h${i}`);
    const kept = await Promise.all(hashes.map((hash) => keep("ada", { hash, code: `() => "${hash}"` })));
    expect(kept.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(hashes.map((_, i) => i + 1));
    const tool = await getToolWithVersions(DB, "ada", "multiply_numbers");
    expect(tool).toMatchObject({ version: 20, uses: 20 });
    expect(tool?.versions.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted());
    for (const { hash, version } of kept) {
      const code = (await getToolWithVersions(DB, "ada", "multiply_numbers", version))?.code;
      expect(code).toBe(`() => "${hash}"`);
    }
    expect(await rowsIn("tool_index")).toBe(1);
  });

  test("[R2] brings a tool back into an index that was made anew", async () => {
    await keep("ada");
    await DB.prepare(`DELETE FROM tool_index`).run();
    expect(await found("ada", "multiply", "text")).toEqual([]);
    await keep("ada");
    expect(await found("ada", "multiply", "text")).toEqual(["multiply_numbers"]);
  });

  test("keeps a hundred versions at most, the newest", async () => {
    for (let i = 1; i <= 102; i++) await keep("ada", { hash: `h${i}` });
    await keep("ada", { name: "other" });
    const versions = (await getToolWithVersions(DB, "ada", "multiply_numbers"))?.versions ?? [];
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 100 }, (_, i) => 102 - i));
    expect(await rowsIn("tool_version")).toBe(101);
  });

  test("stops at the limit, each user for themselves; what is kept already goes on", async () => {
    const at = (name: string, hash = "h1", user = "ada") => saveTool(DB, user, { ...MULTIPLY, name, hash }, 1, 2);
    await at("one");
    await at("two");
    await expect(at("three")).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await keptTool("ada", "three")).toBeNull();
    expect(await rowsIn("tool_index")).toBe(2);
    expect(await rowsIn("tool_version")).toBe(2);
    expect(await at("two", "h2")).toMatchObject({ version: 2 });
    expect(await at("three", "h1", "bob")).toMatchObject({ version: 1 });
    await removeTool(DB, "ada", "one");
    expect(await at("three")).toMatchObject({ version: 1 });
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
  ])("refuses what no tool is: its %s", async (field, changes) => {
    await expect(keep("ada", changes)).rejects.toMatchObject({ code: "invalid_request", field });
    expect(await rowsIn("tool")).toBe(0);
  });

  test("takes text of any kind as it is", async () => {
    const odd = `'; DROP TABLE tool; -- "quoted" \\ \u0000 🦊 ${"x".repeat(2_000)}`;
    const kept = await keep("ada", { code: odd, description: odd, parameters: { title: odd } });
    expect(kept).toMatchObject({ code: odd, description: odd, parameters: { title: odd } });
    expect(await keptTool("ada", "multiply_numbers")).toEqual(kept);
  });
});

describe("a run", () => {
  test("is a use, and its end is noted", async () => {
    await keep("ada");
    await keep("bob");
    await recordToolRun(DB, "ada", "multiply_numbers", { status: "failed", error: "e".repeat(9_000), at: 5_000 });
    const last_run = { status: "failed", error: "e".repeat(1_000), at: 5_000 };
    expect(await keptTool("ada", "multiply_numbers")).toMatchObject({ uses: 2, last_run, updated_at: 1_000 });
    expect(await keptTool("bob", "multiply_numbers")).toMatchObject({ uses: 1 });
    await recordToolRun(DB, "ada", "nothing", { status: "completed", at: 1 });
    expect(await keptTool("ada", "nothing")).toBeNull();
  });
});

describe("removing", () => {
  test("[R2] leaves nothing of a tool, and everything of the others", async () => {
    await keep("ada");
    await keep("ada", { hash: "h2" });
    await keep("ada", { name: "add_numbers", description: "Adds numbers" });
    await keep("bob");
    expect(await removeTool(DB, "ada", "multiply_numbers")).toBe(true);
    expect(await removeTool(DB, "ada", "multiply_numbers")).toBe(false);
    expect(await removeTool(DB, "eve", "multiply_numbers")).toBe(false);
    expect(await getToolWithVersions(DB, "ada", "multiply_numbers")).toBeNull();
    expect(await rowsIn("tool_version")).toBe(2);
    expect(await rowsIn("tool_index")).toBe(2);
    expect(await found("ada", "multiply", "text")).toEqual([]);
    expect(await found("bob", "multiply", "text")).toEqual(["multiply_numbers"]);
    // The row's number may be given out again.
    await keep("ada", { name: "newer", description: "Reverses text" });
    expect(await found("ada", "multiply", "text")).toEqual([]);
    expect(await getToolWithVersions(DB, "ada", "newer")).toMatchObject({ version: 1, versions: [{ version: 1 }] });
  });
});

describe("the list", () => {
  test("is paged, the newest first, and each user has their own", async () => {
    for (const [i, name] of ["a", "b", "c", "d", "e"].entries()) await keep("ada", { name }, i < 2 ? 7 : i);
    await keep("bob", { name: "f" });
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

  test("is of one category if that is wanted", async () => {
    await keep("ada");
    await keep("ada", { name: "reverse", category: "text", description: "Reverses text" });
    const { tools } = await listTools(DB, "ada", 9, null, { category: "text" });
    expect(tools.map(({ name }) => name)).toEqual(["reverse"]);
    const both = await listTools(DB, "ada", 9, null, { category: "text", text: "multiply" });
    expect(both).toEqual({ tools: [], next: null });
  });

  test("is searched, the best first, in pages that are those of one long page", async () => {
    for (let i = 0; i < 30; i++) await keepAll("ada", { [`tool_${i}`]: i === 7 ? "Prime numbers" : `Numbers ${i}` });
    await keepAll("ada", { dates: "Counts days" });
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
