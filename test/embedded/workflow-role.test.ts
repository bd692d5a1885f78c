// The embedded model in the role of the agent of a workflow: it extracts the values of its subject from the request.

import { expect, test } from "vitest";
import { askModel, createToolSpec } from "./embedded-client.ts";

const STRING_SCHEMA = { type: "string" };

async function extractValues(request: string, names: readonly string[], context: object = {}): Promise<unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, STRING_SCHEMA]));
  const start = createToolSpec("start_plan", "Starts the process with what is stated about its subject.", {
    context: { type: "object", properties, additionalProperties: false },
  });
  const system = `You start a process for a person.\n\nCurrent context: ${JSON.stringify(context)}`;
  const messages = [
    { role: "system" as const, content: system },
    { role: "user" as const, content: request },
  ];
  const { calls } = await askModel("agent:onboarding", messages, [start]);
  expect(calls.map(({ name }) => name)).toEqual(["start_plan"]);
  return (calls[0]?.arguments as { context: unknown } | undefined)?.context;
}

test.each([
  ["Onboard somebody: name Will Zhang, id WZ001, department Engineering", { name: "Will Zhang", id: "WZ001" }],
  ["办理入职：姓名张威，工号WZ001，部门工程部", { name: "张威", id: "WZ001" }],
])("a value with its name is extracted: %s", async (request, expected) => {
  expect(await extractValues(request, ["id", "name"])).toEqual(expected);
});

test.each(["Start it, seats: 6.", "seats: 6. Thanks.", "seats 6", "It has seats: 6, and go."])(
  "the end of a sentence is not part of a value: %s",
  async (request) => {
    expect(await extractValues(request, ["seats"])).toEqual({ seats: "6" });
  },
);

test("known values are used, and unstated values are left out", async () => {
  expect(await extractValues("Start it", ["guest", "room"], { guest: "Ada" })).toEqual({ guest: "Ada" });
});

const EMPLOYEE = ["id", "name", "department", "email"];

test.each<[string, Readonly<Record<string, string>>]>([
  [
    "onboard Ann Lee, id E-7, ann@x.com, sales",
    { id: "E-7", name: "Ann Lee", department: "sales", email: "ann@x.com" },
  ],
  [
    "run the plan onboarding for Zoe Kim, id E-88, zoe@x.com, department R&D",
    { id: "E-88", name: "Zoe Kim", department: "R&D", email: "zoe@x.com" },
  ],
  ["Please onboard a new employee called Tom Ray, id E-55", { id: "E-55", name: "Tom Ray" }],
  [
    "入职新员工：李雷，工号 E-77，邮箱 lilei@x.com，部门 销售部",
    { id: "E-77", name: "李雷", department: "销售部", email: "lilei@x.com" },
  ],
  ["新员工韩梅梅要入职", { name: "韩梅梅" }],
  ["Onboard somebody new", {}],
  ["Zed Fox, id E-99, zed@x.com, Ops", { id: "E-99", name: "Zed Fox", department: "Ops", email: "zed@x.com" }],
])("values without names are extracted where they are unambiguous: %s", async (request, expected) => {
  expect(await extractValues(request, EMPLOYEE)).toEqual(expected);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ["tom@x.com, Finance", ["department", "email"], { department: "Finance", email: "tom@x.com" }],
  [
    "工号 E-66，邮箱 hmm@x.com，市场部",
    ["id", "department", "email"],
    { id: "E-66", department: "市场部", email: "hmm@x.com" },
  ],
  ["no idea", ["department", "email"], {}],
])("an answer is read for the requested values: %s", async (answer, names, expected) => {
  expect(await extractValues(answer, names)).toEqual(expected);
});
