// Tools from outside: listed, searched, read and deleted, by each user for themselves.

import { beforeEach, describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { ToolList, ToolWithVersions } from "../../src/protocol/tools/stored-tool.ts";
import { clearTools, keep, keepAll, MULTIPLY, rowsIn } from "../directory/tool-rows.ts";
import { ask, call, DOWN, must, ORIGIN, refused, type Ask } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const TOOLS = "/api/v1/tools";
const MINE = `${TOOLS}/multiply_numbers`;

let ada: Ask;
let eve: Ask;
beforeEach(async () => {
  await clearTools();
  [ada, eve] = [await as("ada"), await as("eve")];
});

async function names(query: string, user = ada): Promise<string[]> {
  return (await ask<ToolList>("GET", `${TOOLS}${query}`, user)).tools.map(({ name }) => name);
}

describe("[F98] tools", () => {
  test("are listed without their code, newest first, in pages", async () => {
    for (const [i, name] of ["a", "b", "c"].entries()) await keep("ada", { name }, i);
    await keep("eve", { name: "d" });
    const first = await ask<ToolList>("GET", `${TOOLS}?limit=2`, ada);
    const { description, category } = MULTIPLY;
    const run = { status: "completed", at: 2 };
    const listed = { description, category, version: 1, uses: 1, last_run: run, created_at: 2, updated_at: 2 };
    expect(first.tools[0]).toEqual({ name: "c", ...listed });
    const rest = `${TOOLS}?limit=2&cursor=${must(first.next_cursor)}`;
    const next = await ask<ToolList>("GET", rest, ada);
    expect([...first.tools, ...next.tools].map(({ name }) => name)).toEqual(["c", "b", "a"]);
    expect(next.next_cursor).toBeNull();
    expect((await ask<ToolList>("GET", rest, eve)).tools.map(({ name }) => name)).toEqual([]);
  });

  test("are searched, and narrowed to a category", async () => {
    await keepAll("ada", { reverse: "Reverses text", days_between: "两个日期之间的天数" }, "text");
    await keep("ada");
    expect(await names("?q=multiplication")).toEqual(["multiply_numbers"]);
    expect(await names(`?q=${encodeURIComponent("相差几天的日期")}`)).toEqual(["days_between"]);
    expect(await names("?category=text")).toEqual(["reverse", "days_between"]);
    expect(await names("?category=math&q=reverse")).toEqual([]);
    expect(await names(`?q=${encodeURIComponent('" OR * NEAR(')}`)).toEqual([]);
    expect(await names("?q=")).toEqual([]);
    const page = await ask<ToolList>("GET", `${TOOLS}?q=numbers+text&limit=1`, ada);
    const after = `${TOOLS}?q=numbers+text&limit=1&cursor=${must(page.next_cursor)}`;
    const other = await ask<ToolList>("GET", after, ada);
    expect([...page.tools, ...other.tools].map(({ name }) => name).toSorted()).toEqual(["multiply_numbers", "reverse"]);
  });

  test("are read with their code, also as they were", async () => {
    await keep("ada", {}, 1);
    await keep("ada", { hash: "h2", code: "(args) => args.a * args.b" }, 2);
    const tool = await ask<ToolWithVersions>("GET", MINE, ada);
    expect(tool).toMatchObject({ version: 2, uses: 2, code: "(args) => args.a * args.b" });
    expect(tool.versions).toEqual([
      { version: 2, hash: "h2", created_at: 2 },
      { version: 1, hash: "h1", created_at: 1 },
    ]);
    expect(await ask("GET", `${MINE}?version=2`, ada)).toEqual(tool);
    const old = { version: 1, hash: "h1", code: MULTIPLY.code, updated_at: 1 };
    expect(await ask("GET", `${MINE}?version=1`, ada)).toEqual({ ...tool, ...old });
    expect(await refused("GET", `${MINE}?version=3`, ada)).toMatchObject({ code: "not_found" });
  });

  test("are deleted with all their versions", async () => {
    await keep("ada");
    await keep("ada", { hash: "h2" });
    expect(await ask("DELETE", MINE, ada)).toEqual({ name: "multiply_numbers", deleted: true });
    for (const method of ["GET", "DELETE"]) {
      expect(await refused(method, MINE, ada)).toMatchObject({ code: "not_found" });
    }
    expect(await names("")).toEqual([]);
    expect(await names("?q=multiply")).toEqual([]);
    for (const table of ["tool", "tool_version", "tool_index"] as const) expect(await rowsIn(table)).toBe(0);
  });

  test("[U1] of another do not exist: the answer is the one for a tool that never was", async () => {
    await keep("ada");
    await keep("ada", { hash: "h2" });
    const odd = [
      "MULTIPLY_NUMBERS",
      "%E4%B9%98",
      "a%2Fb",
      "%00",
      "%ff",
      "x".repeat(5_000),
      "..%2Ftools",
      "'%20OR%201=1",
    ];
    const never = ["divide_numbers", ...odd];
    for (const [method, query] of [
      ["GET", ""],
      ["GET", "?version=1"],
      ["GET", "?version=9"],
      ["DELETE", ""],
    ] as const) {
      const answers = new Set<string>();
      for (const name of ["multiply_numbers", ...never]) {
        const response = await call(method, `${TOOLS}/${name}${query}`, eve);
        expect(response.status, name).toBe(404);
        answers.add(JSON.stringify([[...response.headers], await response.text()]));
      }
      expect(answers.size).toBe(1);
    }
    expect(await names("", eve)).toEqual([]);
    expect(await names("?q=multiply", eve)).toEqual([]);
    expect(await ask("GET", MINE, ada)).toMatchObject({ version: 2, uses: 2 });
  });

  test("[U1] of the same name are two, each with a life of its own", async () => {
    await keep("ada");
    await keep("eve", { code: "() => 'hers'", hash: "h9" });
    expect(await ask("GET", MINE, eve)).toMatchObject({ version: 1, code: "() => 'hers'" });
    await ask("DELETE", MINE, eve);
    expect(await ask("GET", MINE, ada)).toMatchObject({ code: MULTIPLY.code });
  });

  test.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?cursor=x", "cursor"],
    ["?category=cooking", "category"],
    ["?user=ada", "user"],
    [`?q=${"x".repeat(2_001)}`, "q"],
    ["/multiply_numbers?version=0", "version"],
    ["/multiply_numbers?version=1.5", "version"],
    ["/multiply_numbers?version=", "version"],
  ])("%s is refused, and the field named", async (query, field) => {
    expect(await refused("GET", `${TOOLS}${query}`, ada)).toMatchObject({ code: "invalid_request", field });
  });

  test.each([
    ["GET", TOOLS],
    ["GET", `${TOOLS}?q=multiply`],
    ["GET", MINE],
    ["DELETE", MINE],
  ])("%s %s cannot be had while the directory is down, and the reason stays inside", async (method, path) => {
    const problem = await refused(method, path, { env: DOWN });
    expect(problem).toMatchObject({ status: 503, code: "unavailable" });
    expect(JSON.stringify(problem)).not.toMatch(/D1|secret-host/);
  });
});

test("the client lists, searches, reads and deletes them", async () => {
  await keep("ada");
  await keep("ada", { name: "reverse", category: "text", description: "Reverses text" }, 2_000);
  await keep("ada", { name: "reverse", description: "Reverses text", hash: "h2" }, 3_000);
  const api = createApi({
    url: ORIGIN,
    fetch: (input, init) =>
      call(init?.method ?? "GET", String(input).slice(ORIGIN.length), { env: BY_SECRET, headers: must(ada.headers) }),
  });
  expect((await api.listTools()).tools.map(({ name }) => name)).toEqual(["reverse", "multiply_numbers"]);
  expect(await api.listTools({ q: "multiply", category: "math", limit: 1 })).toMatchObject({
    tools: [{ name: "multiply_numbers" }],
    next_cursor: expect.any(String) as string,
  });
  expect(await api.tool("reverse")).toMatchObject({ version: 2 });
  expect(await api.tool("reverse", 1)).toMatchObject({ version: 1, category: "text" });
  await api.deleteTool("reverse");
  await expect(api.tool("reverse")).rejects.toMatchObject({ code: "not_found" });
});
