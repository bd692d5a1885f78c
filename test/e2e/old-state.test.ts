// Storage of an earlier release: it is served unchanged, and its threads continue.

import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations } from "../../scripts/migrations.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import { readServed, SERVED, unpackState } from "../golden/state-folder.ts";
import { scriptState } from "../golden/state-script.ts";
import { expectGolden, printJson } from "../golden/golden-files.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { filterEvents, parseFrames, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let folder: string;
let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  folder = unpackState();
  await applyMigrations(folder);
  model = await startModelServer();
  scriptState(model);
  runtime = await startRuntime({
    storage: folder,
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", TOOLSMITH_NEEDS_APPROVAL: "1" },
  });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Finds the conversation with an open question that contains `prompt`. */
async function findWaiting(prompt: string) {
  const { conversations } = await user.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=100");
  for (const { conversation_id: id } of conversations) {
    const { pending } = await user.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
    const [question] = pending.filter((one) => one.prompt.includes(prompt));
    if (question !== undefined) return { id, question };
  }
  throw new Error(`No open question contains ${prompt}`);
}

/** Answers a question. Resolves with the text of the rest of its thread. */
async function answer(prompt: string, message: string, extraFields: object = {}): Promise<string> {
  const { id, question } = await findWaiting(prompt);
  const body = { message, request_id: question.request_id, ...extraFields };
  const path = `/api/v1/conversations/${id}/resume`;
  const response = await user.request("POST", path, body, { accept: "text/event-stream" });
  expect(response.status).toBe(200);
  const frames = parseFrames(await response.text());
  const log = await user.history(id);
  expect(findViolations(log)).toEqual([]);
  const ends = filterEvents(log, "done").filter(({ thread_id }) => thread_id === question.thread_id);
  expect(ends).toHaveLength(1);
  expect(filterEvents(log, "task_retrying")).toEqual([]);
  expect(await user.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
  return joinText(frames);
}

test("stored state is served unchanged", async () => {
  expectGolden(SERVED, printJson(await readServed(user)));
});

test("[H4] [T4] a thread continues with the answer to a stored question of the planner", async () => {
  expect(await answer("How much?", "20")).toBe("It is paid.");
});

test("[H4] [T4] a thread continues with the answer to a stored question of an agent", async () => {
  expect(await answer("A new tool needs your approval", "approve")).toContain("42");
});

test("[H4] [T4] a stored workflow instance continues with the missing value", async () => {
  const answerText = await answer("seats", "12", { arguments: { context: { "001": { seats: 12 } } } });
  expect(answerText).toContain("It is 24.");
});
