// The embedded model as the agent of a plan: it takes the values of its subject out of the words.

import { expect, test } from "vitest";
import { ask, tool } from "./drive.ts";

const text = { type: "string" };

async function valuesIn(request: string, names: readonly string[], context: object = {}): Promise<unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, text]));
  const start = tool("start_plan", "Starts the process with what is stated about its subject.", {
    context: { type: "object", properties, additionalProperties: false },
  });
  const system = `You start a process for a person.\n\nCurrent context: ${JSON.stringify(context)}`;
  const messages = [
    { role: "system" as const, content: system },
    { role: "user" as const, content: request },
  ];
  const { calls } = await ask("agent:onboarding", messages, [start]);
  expect(calls.map(({ name }) => name)).toEqual(["start_plan"]);
  return (calls[0]?.arguments as { context: unknown }).context;
}

test.each([
  ["Onboard somebody: name Will Zhang, id WZ001, department Engineering", { name: "Will Zhang", id: "WZ001" }],
  ["办理入职：姓名张威，工号WZ001，部门工程部", { name: "张威", id: "WZ001" }],
])("what is stated by name is taken: %s", async (request, expected) => {
  expect(await valuesIn(request, ["id", "name"])).toEqual(expected);
});

test("what is known is taken, and what nobody said is left out", async () => {
  expect(await valuesIn("Start it", ["guest", "room"], { guest: "Ada" })).toEqual({ guest: "Ada" });
});
