// Writes the stored state of `test/golden/state` with the current code:
//
// node scripts/run.mjs test/golden/write-state.ts
// UPDATE_GOLDEN=1 npm test -- test/e2e/old-state
//
// `state-v1.tar.gz` was written on 2026-11-24, before the code was renamed. It is evidence of what that code stored,
// so it must not change: a newer state needs a new name.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyMigrations } from "../../scripts/migrations.ts";
import { startA2AAgent } from "../support/a2a-agent.ts";
import { startModelServer } from "../support/model-server.ts";
import { createApiUser, type ApiUser } from "../support/api-user.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";
import { startRuntime } from "../support/runtime.ts";
import { ARCHIVE, keepStorage, packState, postponeQuestions } from "./state-folder.ts";
import { scriptState } from "./state-script.ts";

const MONTH_SECONDS = "2592000";
const STREAM = { accept: "text/event-stream" };

const folder = mkdtempSync(join(tmpdir(), "orrery-state-"));
const model = await startModelServer();
const walker = await startA2AAgent("walker", "1.0", async function* () {
  yield "Walked.";
});
await applyMigrations(folder);
// With the embedded model, which can create tools and pages.
await fill({}, createUserData);
// With a scripted model, which fails, stalls and asks as scripted.
await fill({ OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", TOOLSMITH_NEEDS_APPROVAL: "1" }, runConversations);
postponeQuestions(folder);
packState(folder);
await Promise.all([walker.close(), model.close()]);
rmSync(folder, { recursive: true });
process.stdout.write(`${ARCHIVE}: ${statSync(ARCHIVE).size} bytes\n`);

async function fill(vars: Readonly<Record<string, string>>, work: (person: ApiUser) => Promise<void>): Promise<void> {
  const runtime = await startRuntime({ storage: folder, vars: { ...vars, QUESTION_SECONDS: MONTH_SECONDS } });
  try {
    await work(createApiUser(runtime.url));
    await runtime.kill();
    keepStorage(runtime.state, folder);
  } finally {
    await runtime.stop();
  }
}

/** Creates the data besides conversations: a tool, datasets, a page, templates and their instances. */
async function createUserData(person: ApiUser): Promise<void> {
  await person.sendAndWait("What is 678 × 8776?", { agent: "toolsmith" });
  await send(person, "/datasets/sample");
  await person.sendAndWait("Compare 1A and 1B on the last assignment");
  await send(person, "/plan-templates", { ...createTemplateConfig(), status: "released" });
  await startInstance(person, "welcome", { seats: 12 });
}

/** Runs conversations to each kind of end and each kind of question. */
async function runConversations(person: ApiUser): Promise<void> {
  const messages = scriptState(model);
  await person.sendAndWait(messages.direct);
  await person.sendAndWait(messages.planned);
  await person.sendAndWait(messages.failing);
  const { conversation_id: silent } = await person.send(messages.silent);
  await sleep(500);
  await send(person, `/conversations/${silent}/cancel`, {});
  const { conversationId } = await person.sendAndWait(messages.recurring);
  const { tasks } = await person.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  const schedule = `/schedules/${tasks[0]?.task_id ?? ""}`;
  await (await send(person, `${schedule}/run`, {}, STREAM)).text();
  await person.request("PATCH", `/api/v1${schedule}`, { status: "paused", webhook: { url: "http://127.0.0.1:9/" } });
  await send(person, "/agents", { url: walker.url });
  await person.sendAndWait("Walk", { agent: "walker" });
  await person.sendAndWait(messages.asking);
  await person.sendAndWait(messages.smith, { agent: "toolsmith" });
  const [first, ...others] = createTemplateConfig().listeners;
  const listeners = [{ ...first, action_prompt: messages.double }, ...others];
  await send(person, "/plan-templates", {
    ...createTemplateConfig({ plan_id: "doubling", name: "Doubling" }),
    listeners,
  });
  await startInstance(person, "doubling", {});
  // The directory learns of the ends a moment later.
  await sleep(2_000);
}

/** Starts an instance and reads its stream to its end or its question. */
async function startInstance(person: ApiUser, plan: string, context: object): Promise<void> {
  const body = { context, verify: false };
  await (await send(person, `/plan-templates/${plan}/instances`, body, STREAM)).text();
}

async function send(person: ApiUser, path: string, body: object = {}, headers = {}): Promise<Response> {
  const response = await person.request("POST", `/api/v1${path}`, body, headers);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
