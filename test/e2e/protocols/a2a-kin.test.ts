// An Orrery that asks another one as its agent: in the end the person reads what is left there, each word of it once.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { handoff } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { eventsOf, personAt, type Person } from "../../support/person.ts";
import { breachesIn } from "../../support/rules.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

let model: ModelServer;
let asker: A2AAgent;
let inner: Runtime;
let outer: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  asker = await startA2AAgent("asker", "1.0", async function* (query, _stop, answer) {
    if (query.includes("Walk")) {
      for (let i = 1; i <= 20; i++) {
        yield `step${i} `;
        await sleep(100);
      }
      return;
    }
    yield answer === null ? "One moment. " : `You said ${answer}.`;
    if (answer === null) yield { ask: "Which colour?" };
  });
  inner = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  outer = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  await personAt(inner.url).request("POST", "/api/v1/agents", { url: asker.url });
  person = personAt(outer.url);
  await person.request("POST", "/api/v1/agents", { url: `${inner.url}/a2a` });
});
afterAll(async () => {
  await outer.stop();
  await inner.stop();
  await asker.close();
  await model.close();
});

async function saidIn(conversationId: string): Promise<string> {
  const { items } = await person.get<{ items: { event: string; payload: { content?: string } }[] }>(
    `/api/v1/conversations/${conversationId}/items`,
  );
  return items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : [])).join("");
}

test("[L2] [L3] an answer that broke off there is replaced here", async () => {
  const mark = model.act({
    triage: handoff("single_agent", ["assistant"], ""),
    "agent:assistant": ({ attempt }) =>
      attempt === 0 ? { text: "It is 59", trouble: { kind: "cut" } } : { text: "It is 5950128." },
  });
  const { conversationId, frames } = await person.say(`Reckon ${mark}`, { agent: "Orrery" });
  expect(eventsOf(frames, "task_retrying")).toHaveLength(1);
  expect(await saidIn(conversationId)).toBe("It is 5950128.");
  expect(breachesIn(await person.history(conversationId))).toEqual([]);
});

test("[L2] what was said before a question is not said again after the answer", async () => {
  const mark = model.act({ triage: handoff("single_agent", ["asker"], "") });
  const { conversationId, frames } = await person.say(`Paint ${mark}`, { agent: "Orrery" });
  expect(eventsOf(frames, "task_waiting")).toMatchObject([{ payload: { content: "Which colour?" } }]);
  const path = `/api/v1/conversations/${conversationId}/resume`;
  const answered = await person.request("POST", path, { message: "red" }, { accept: "text/event-stream" });
  expect(await answered.text()).toContain('"event":"done"');
  expect(await saidIn(conversationId)).toBe("One moment. You said red.");
});

test("[T4] [L2] whoever dies here hears all of it again, and it is done there once", async () => {
  const mark = model.act({ triage: handoff("single_agent", ["asker"], "") });
  const { conversation_id: id } = await person.tell(`Walk ${mark}`, { agent: "Orrery" });
  const hears = (what: string) => vi.waitFor(async () => expect(await toldOf(id)).toContain(what), 30_000);
  await hears("step3");
  await outer.kill();
  await outer.restart();
  await hears('"done"');
  const steps = Array.from({ length: 20 }, (_, i) => `step${i + 1} `);
  expect(await saidIn(id)).toBe(steps.join(""));
  expect(model.callsOf(mark, "triage")).toHaveLength(1);
  const calls = eventsOf(await person.history(id), "tool_call_completed").map(({ payload }) => payload.tool_name);
  expect(calls.filter((name) => name === "connect_agent")).toHaveLength(2);
  expect(breachesIn(await person.history(id))).toEqual([]);
});

const toldOf = async (id: string): Promise<string> => JSON.stringify(await person.history(id));
