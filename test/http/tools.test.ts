// The HTTP interface of tools: list, search, read and delete, separately for each user.

import { beforeEach, describe, expect, test } from "vitest";
import type { ToolList, ToolWithVersions } from "../../src/protocol/tools/stored-tool.ts";
import { clearTools, saveTestTool, saveTestTools, MULTIPLY } from "../directory/tool-rows.ts";
import { callRoute, call, assertPresent, callForProblem, type ApiRequest } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const TOOLS = "/api/v1/tools";
const MULTIPLY_PATH = `${TOOLS}/multiply_numbers`;

let ada: ApiRequest;
let eve: ApiRequest;
beforeEach(async () => {
  await clearTools();
  [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
});

async function listNames(query: string, user = ada): Promise<string[]> {
  return (await callRoute<ToolList>("GET", `${TOOLS}${query}`, user)).tools.map(({ name }) => name);
}

describe("[F98] a stored tool over HTTP", () => {
  test("is listed without its code, newest first, in pages", async () => {
    for (const [i, name] of ["a", "b", "c"].entries()) await saveTestTool("ada", { name }, i);
    await saveTestTool("eve", { name: "d" });
    const first = await callRoute<ToolList>("GET", `${TOOLS}?limit=2`, ada);
    const { description, category } = MULTIPLY;
    const run = { status: "completed", at: 2 };
    const listed = { description, category, version: 1, uses: 1, last_run: run, created_at: 2, updated_at: 2 };
    expect(first.tools[0]).toEqual({ name: "c", ...listed });
    const rest = `${TOOLS}?limit=2&cursor=${assertPresent(first.next_cursor)}`;
    const next = await callRoute<ToolList>("GET", rest, ada);
    expect([...first.tools, ...next.tools].map(({ name }) => name)).toEqual(["c", "b", "a"]);
    expect(next.next_cursor).toBeNull();
    expect((await callRoute<ToolList>("GET", rest, eve)).tools.map(({ name }) => name)).toEqual([]);
  });

  test("can be searched and filtered by category", async () => {
    await saveTestTools("ada", { reverse: "Reverses text", days_between: "两个日期之间的天数" }, "text");
    await saveTestTool("ada");
    expect(await listNames("?q=multiplication")).toEqual(["multiply_numbers"]);
    expect(await listNames(`?q=${encodeURIComponent("相差几天的日期")}`)).toEqual(["days_between"]);
    expect(await listNames("?category=text")).toEqual(["reverse", "days_between"]);
    expect(await listNames("?category=math&q=reverse")).toEqual([]);
    expect(await listNames(`?q=${encodeURIComponent('" OR * NEAR(')}`)).toEqual([]);
    expect(await listNames("?q=")).toEqual([]);
    const page = await callRoute<ToolList>("GET", `${TOOLS}?q=numbers+text&limit=1`, ada);
    const after = `${TOOLS}?q=numbers+text&limit=1&cursor=${assertPresent(page.next_cursor)}`;
    const other = await callRoute<ToolList>("GET", after, ada);
    expect([...page.tools, ...other.tools].map(({ name }) => name).toSorted()).toEqual(["multiply_numbers", "reverse"]);
  });

  test("is read with its code, also in an earlier version", async () => {
    await saveTestTool("ada", {}, 1);
    await saveTestTool("ada", { hash: "h2", code: "(args) => args.a * args.b" }, 2);
    const tool = await callRoute<ToolWithVersions>("GET", MULTIPLY_PATH, ada);
    expect(tool).toMatchObject({ version: 2, uses: 2, code: "(args) => args.a * args.b" });
    expect(tool.versions).toEqual([
      { version: 2, hash: "h2", created_at: 2 },
      { version: 1, hash: "h1", created_at: 1 },
    ]);
    expect(await callRoute("GET", `${MULTIPLY_PATH}?version=2`, ada)).toEqual(tool);
    const old = { version: 1, hash: "h1", code: MULTIPLY.code, updated_at: 1 };
    expect(await callRoute("GET", `${MULTIPLY_PATH}?version=1`, ada)).toEqual({ ...tool, ...old });
    expect(await callForProblem("GET", `${MULTIPLY_PATH}?version=3`, ada)).toMatchObject({ code: "not_found" });
  });

  test("[U1] of another user is answered like an unknown tool", async () => {
    await saveTestTool("ada");
    await saveTestTool("ada", { hash: "h2" });
    const invalidNames = [
      "MULTIPLY_NUMBERS",
      "%E4%B9%98",
      "a%2Fb",
      "%00",
      "%ff",
      "x".repeat(5_000),
      "..%2Ftools",
      "'%20OR%201=1",
    ];
    const unknownNames = ["divide_numbers", ...invalidNames];
    for (const [method, query] of [
      ["GET", ""],
      ["GET", "?version=1"],
      ["GET", "?version=9"],
      ["DELETE", ""],
    ] as const) {
      const answers = new Set<string>();
      for (const name of ["multiply_numbers", ...unknownNames]) {
        const response = await call(method, `${TOOLS}/${name}${query}`, eve);
        expect(response.status, name).toBe(404);
        answers.add(JSON.stringify([[...response.headers], await response.text()]));
      }
      expect(answers.size).toBe(1);
    }
    expect(await listNames("", eve)).toEqual([]);
    expect(await listNames("?q=multiply", eve)).toEqual([]);
    expect(await callRoute("GET", MULTIPLY_PATH, ada)).toMatchObject({ version: 2, uses: 2 });
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
  ])("is rejected with the field name for the query %s", async (query, field) => {
    expect(await callForProblem("GET", `${TOOLS}${query}`, ada)).toMatchObject({ code: "invalid_request", field });
  });
});
