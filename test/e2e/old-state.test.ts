// A folder of storage that an earlier release has written: it is served as it was, and its threads go on.

import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations } from "../../scripts/migrations.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import { readServed, SERVED, unpackState } from "../golden/state-folder.ts";
import { scriptState } from "../golden/state-script.ts";
import { expectGolden, printJson } from "../golden/stored.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, framesOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let folder: string;
let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  folder = unpackState();
  await applyMigrations(folder);
  model = await startModelServer();
  scriptState(model);
  runtime = await startRuntime({
    storage: folder,
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", TOOLSMITH_NEEDS_APPROVAL: "1" },
  });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The conversation that waits with these words. */
async function findWaiting(prompt: string) {
  const { conversations } = await person.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=100");
  for (const { conversation_id: id } of conversations) {
    const { pending } = await person.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
    const [asked] = pending.filter((one) => one.prompt.includes(prompt));
    if (asked !== undefined) return { id, asked };
  }
  throw new Error(`Nothing waits for an answer to ${prompt}`);
}

/** Answers a question and hears its thread to the end. */
async function answer(prompt: string, message: string, more: object = {}): Promise<string> {
  const { id, asked } = await findWaiting(prompt);
  const body = { message, request_id: asked.request_id, ...more };
  const path = `/api/v1/conversations/${id}/resume`;
  const response = await person.request("POST", path, body, { accept: "text/event-stream" });
  expect(response.status).toBe(200);
  const frames = framesOf(await response.text());
  const log = await person.history(id);
  expect(breachesIn(log)).toEqual([]);
  const ends = eventsOf(log, "done").filter(({ thread_id }) => thread_id === asked.thread_id);
  expect(ends).toHaveLength(1);
  expect(eventsOf(log, "task_retrying")).toEqual([]);
  expect(await person.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
  return textOf(frames);
}

test("serves everything of a stored state unchanged", async () => {
  expectGolden(SERVED, printJson(await readServed(person)));
});

test("[H4] [T4] goes on from the answer to a stored question of the planner", async () => {
  expect(await answer("How much?", "20")).toBe("It is paid.");
});

test("[H4] [T4] goes on from the answer to a stored question of an agent", async () => {
  expect(await answer("A new tool needs your approval", "approve")).toContain("42");
});

test("[H4] [T4] goes on from the value that a stored instance of a plan waits for", async () => {
  const told = await answer("seats", "12", { arguments: { context: { "001": { seats: 12 } } } });
  expect(told).toContain("It is 24.");
});
