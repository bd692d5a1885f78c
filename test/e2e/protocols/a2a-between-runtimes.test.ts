// A runtime that uses another runtime as an agent. The user finally sees the remaining text of the inner runtime once.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { createHandoffReply } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { filterEvents, createApiUser, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

let model: ModelServer;
let stepAgent: A2AAgent;
let innerRuntime: Runtime;
let outerRuntime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  stepAgent = await startA2AAgent("asker", "1.0", async function* (query, _stop, answer) {
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
  innerRuntime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  outerRuntime = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  await createApiUser(innerRuntime.url).request("POST", "/api/v1/agents", { url: stepAgent.url });
  user = createApiUser(outerRuntime.url);
  await user.request("POST", "/api/v1/agents", { url: `${innerRuntime.url}/a2a` });
});
afterAll(async () => {
  await outerRuntime.stop();
  await innerRuntime.stop();
  await stepAgent.close();
  await model.close();
});

async function readText(conversationId: string): Promise<string> {
  const { items } = await user.get<{ items: { event: string; payload: { content?: string } }[] }>(
    `/api/v1/conversations/${conversationId}/items`,
  );
  return items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : [])).join("");
}

test("[L2] [L3] an interrupted answer of the inner runtime is replaced in the outer one", async () => {
  const mark = model.addScript({
    triage: createHandoffReply("single_agent", ["assistant"], ""),
    "agent:assistant": ({ attempt }) =>
      attempt === 0 ? { text: "It is 59", fault: { kind: "cut" } } : { text: "It is 5950128." },
  });
  const { conversationId, frames } = await user.sendAndWait(`Reckon ${mark}`, { agent: "Orrery" });
  expect(filterEvents(frames, "task_retrying")).toHaveLength(1);
  expect(await readText(conversationId)).toBe("It is 5950128.");
  expect(findViolations(await user.history(conversationId))).toEqual([]);
});

test("[L2] text before a question is not repeated after the answer", async () => {
  const mark = model.addScript({ triage: createHandoffReply("single_agent", ["asker"], "") });
  const { conversationId, frames } = await user.sendAndWait(`Paint ${mark}`, { agent: "Orrery" });
  expect(filterEvents(frames, "task_waiting")).toMatchObject([{ payload: { content: "Which colour?" } }]);
  const path = `/api/v1/conversations/${conversationId}/resume`;
  const answered = await user.request("POST", path, { message: "red" }, { accept: "text/event-stream" });
  expect(await answered.text()).toContain('"event":"done"');
  expect(await readText(conversationId)).toBe("One moment. You said red.");
});

test("[T4] [L2] the outer runtime gets the whole text after a crash, and the inner task runs once", async () => {
  const mark = model.addScript({ triage: createHandoffReply("single_agent", ["asker"], "") });
  const { conversation_id: id } = await user.send(`Walk ${mark}`, { agent: "Orrery" });
  const waitForEvent = (what: string) =>
    vi.waitFor(async () => expect(await readHistoryJson(id)).toContain(what), 30_000);
  await waitForEvent("step3");
  await outerRuntime.kill();
  await outerRuntime.restart();
  await waitForEvent('"done"');
  const steps = Array.from({ length: 20 }, (_, i) => `step${i + 1} `);
  expect(await readText(id)).toBe(steps.join(""));
  expect(model.getCalls(mark, "triage")).toHaveLength(1);
  const calls = filterEvents(await user.history(id), "tool_call_completed").map(({ payload }) => payload.tool_name);
  expect(calls.filter((name) => name === "connect_agent")).toHaveLength(2);
  expect(findViolations(await user.history(id))).toEqual([]);
});

const readHistoryJson = async (id: string): Promise<string> => JSON.stringify(await user.history(id));
