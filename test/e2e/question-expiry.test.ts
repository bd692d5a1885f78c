// An unanswered question without a connected client.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { scriptPlannerQuestions, askForCity, scriptAgentPlan } from "../support/question-script.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let curiousAgent: A2AAgent;
let runtime: Runtime;

beforeAll(async () => {
  model = await startModelServer();
  curiousAgent = await startA2AAgent("curious", "1.0", askForCity);
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", QUESTION_SECONDS: "1.5" },
  });
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([curiousAgent.close(), model.close()]);
});

test("[H2] [F31] [F33] an unanswered question expires by alarm, fails visibly and unblocks the conversation", async () => {
  const user = createApiUser(runtime.url);
  expect((await user.request("POST", "/api/v1/agents", { url: curiousAgent.url })).status).toBe(201);
  const { conversationId: id, frames } = await user.sendAndWait(scriptPlannerQuestions(model, "How much?").message);
  const { conversationId: otherId } = await user.sendAndWait(scriptAgentPlan(model, "curious", "assistant"));
  const [question] = filterEvents(frames, "plan_require_user_input");
  await sleep((question?.payload.expires_at ?? 0) - Date.now());
  // The list comes from the directory. The request wakes no conversation, so the alarm has caused the change.
  await vi.waitFor(async () => {
    const { conversations } = await user.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations");
    expect(conversations.find(({ conversation_id }) => conversation_id === id)?.status).toBe("failed");
  }, 4_000);
  const page = await user.history(id);
  expect(filterEvents(page, "plan_failed")[0]?.payload.code).toBe("question_expired");
  expect(page.at(-1)?.event).toBe("done");
  const lateAnswer = await user.request("POST", `/api/v1/conversations/${id}/resume`, { message: "20" });
  expect([lateAnswer.status, ((await lateAnswer.json()) as { code: string }).code]).toEqual([410, "question_expired"]);
  expect(await user.get(`/api/v1/conversations/${id}/context`)).toEqual({ pending: [] });
  expect((await user.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status).toBe("failed");
  const next = await user.sendAndWait(`Hi ${model.addScript({ triage: { text: "Hello." } })}`, { conversation: id });
  expect(joinText(next.frames)).toBe("Hello.");
  await vi.waitFor(async () => {
    const failed = filterEvents(await user.history(otherId), "task_failed");
    expect(failed[0]?.payload.code).toBe("question_expired");
  }, 10_000);
});
