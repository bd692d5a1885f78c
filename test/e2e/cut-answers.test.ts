// An answer that the model's length limit cut off must not pass for a whole one, with whoever reads it; and half of one
// that broke off must not stay beside the whole.

import { afterAll, beforeAll, expect, test } from "vitest";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const CUT = "[The answer breaks off here: the model has reached its length limit.]";

test("what an agent's model left out is missed by the person, by the next agent and by the last word", async () => {
  const first = model.act({ "agent:assistant": { text: "The first half", finish: "length" } });
  const second = model.act({ "agent:assistant": { text: "Done." } });
  const mark = model.act({
    triage: handoff("needs_planning"),
    planner: planOf({ query: `Write ${first}` }, { query: `Shorten it ${second}`, after: ["t0"] }),
    synthesis: { text: "两部分的结果是", finish: "length" },
  });
  const { frames } = await person.say(`Write it and shorten it ${mark}`);
  expect(textOf(frames, "assistant")).toContain(`The first half ${CUT}`);
  expect(textOf(frames)).toContain("两部分的结果是 ［回答在此中断：已达到模型的长度上限。］");
  const told = [...model.callsOf(second, "agent:assistant"), ...model.callsOf(mark, "synthesis")];
  expect(told.map(({ request }) => JSON.stringify(request.messages).includes(CUT))).toEqual([true, true]);
});

test("[F70] [L2] [L3] an agent's answer that breaks off is replaced; what came before a tool stays, and the tool runs once", async () => {
  const mark = model.act({
    triage: handoff("single_agent", ["assistant"], ""),
    "agent:assistant": ({ round, attempt }) => {
      if (round === 0)
        return { text: "I reckon. ", calls: [{ name: "calculate", arguments: { expression: "678*8776" } }] };
      return attempt === 0 ? { text: "It is 59", trouble: { kind: "cut" } } : { text: "It is 5950128." };
    },
  });
  const { conversationId, frames } = await person.say(`Reckon ${mark}`);
  expect(eventsOf(frames, "task_retrying")).toHaveLength(1);
  expect(eventsOf(frames, "task_completed")).toHaveLength(1);
  expect(breachesIn(await person.history(conversationId))).toEqual([]);
  const { items } = await person.get<{ items: { event: string; payload: { content?: string; tool_name?: string } }[] }>(
    `/api/v1/conversations/${conversationId}/items`,
  );
  const said = items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : []));
  expect(said).toEqual(["I reckon. ", "It is 5950128."]);
  const tools = items.flatMap(({ payload }) => payload.tool_name ?? []);
  expect(tools).toEqual(["generate_execution_plan", "connect_agent", "calculate"]);
  const { tasks } = await person.get<{ tasks: { result: string; status: string }[] }>(
    `/api/v1/conversations/${conversationId}/tasks`,
  );
  expect(tasks).toMatchObject([{ result: "I reckon. It is 5950128.", status: "completed" }]);
});
