// A question that nobody answers, with nobody connected.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { askingWith, curiously, plannedWith } from "../support/asking.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf } from "../support/person.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let curious: A2AAgent;
let runtime: Runtime;

beforeAll(async () => {
  model = await startModelServer();
  curious = await startA2AAgent("curious", "1.0", curiously);
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", QUESTION_SECONDS: "1.5" },
  });
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([curious.close(), model.close()]);
});

test("[H2] [F31] [F33] it expires by itself, visibly, and the conversation is free again", async () => {
  const visitor = personAt(runtime.url);
  expect((await visitor.request("POST", "/api/v1/agents", { url: curious.url })).status).toBe(201);
  const { conversationId: id, frames } = await visitor.say(askingWith(model, "How much?").message);
  const { conversationId: other } = await visitor.say(plannedWith(model, "curious", "assistant"));
  const [asked] = eventsOf(frames, "plan_require_user_input");
  await sleep((asked?.payload.expires_at ?? 0) - Date.now());
  // The list comes from the directory: asking for it wakes no conversation, so the alarm alone has done this.
  await vi.waitFor(async () => {
    const { conversations } = await visitor.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations");
    expect(conversations.find(({ conversation_id }) => conversation_id === id)?.status).toBe("failed");
  }, 4_000);
  const page = await visitor.history(id);
  expect(eventsOf(page, "plan_failed")[0]?.payload.code).toBe("question_expired");
  expect(page.at(-1)?.event).toBe("done");
  const late = await visitor.request("POST", `/api/v1/conversations/${id}/resume`, { message: "20" });
  expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([410, "question_expired"]);
  expect(await visitor.get(`/api/v1/conversations/${id}/context`)).toEqual({ pending: [] });
  expect((await visitor.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status).toBe("failed");
  const next = await visitor.say(`Hi ${model.act({ triage: { text: "Hello." } })}`, { in: id });
  expect(textOf(next.frames)).toBe("Hello.");
  await vi.waitFor(async () => {
    const failed = eventsOf(await visitor.history(other), "task_failed");
    expect(failed[0]?.payload.code).toBe("question_expired");
  }, 10_000);
});
