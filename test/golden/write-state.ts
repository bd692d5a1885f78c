// Writes the stored state of `test/golden/state`, with the code as it is now:
//
//   node scripts/run.mjs test/golden/write-state.ts
//   UPDATE_GOLDEN=1 npm test -- test/e2e/old-state
//
// `state-v1.tar.gz` was written on 2026-11-24, before the renaming of the code. It is evidence of what that code
// stored, so it stays as it is: a newer state gets a name of its own.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyMigrations } from "../../scripts/migrations.ts";
import { startA2AAgent } from "../support/a2a-agent.ts";
import { startModelServer } from "../support/model-server.ts";
import { personAt, type Person } from "../support/person.ts";
import { smallPlan } from "../support/plans.ts";
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
// With the embedded model, which can make tools and pages.
await fill({}, makeThings);
// With a scripted one, which goes wrong, is silent and asks where it is wanted.
await fill({ OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", TOOLSMITH_NEEDS_APPROVAL: "1" }, talk);
postponeQuestions(folder);
packState(folder);
await Promise.all([walker.close(), model.close()]);
rmSync(folder, { recursive: true });
process.stdout.write(`${ARCHIVE}: ${statSync(ARCHIVE).size} bytes\n`);

async function fill(vars: Readonly<Record<string, string>>, work: (person: Person) => Promise<void>): Promise<void> {
  const runtime = await startRuntime({ storage: folder, vars: { ...vars, QUESTION_SECONDS: MONTH_SECONDS } });
  try {
    await work(personAt(runtime.url));
    await runtime.kill();
    keepStorage(runtime.state, folder);
  } finally {
    await runtime.stop();
  }
}

/** Makes what people own besides conversations: a tool, datasets, a page, templates and their instances. */
async function makeThings(person: Person): Promise<void> {
  await person.say("What is 678 × 8776?", { agent: "toolsmith" });
  await send(person, "/datasets/sample");
  await person.say("Compare 1A and 1B on the last assignment");
  await send(person, "/plan-templates", { ...smallPlan(), status: "released" });
  await startInstance(person, "welcome", { seats: 12 });
}

/** Leads conversations to each of their ends, and to each of the questions where they wait. */
async function talk(person: Person): Promise<void> {
  const messages = scriptState(model);
  await person.say(messages.direct);
  await person.say(messages.planned);
  await person.say(messages.failing);
  const { conversation_id: silent } = await person.tell(messages.silent);
  await sleep(500);
  await send(person, `/conversations/${silent}/cancel`, {});
  const { conversationId } = await person.say(messages.recurring);
  const { tasks } = await person.get<{ tasks: { task_id: string }[] }>(`/api/v1/conversations/${conversationId}/tasks`);
  const schedule = `/schedules/${tasks[0]?.task_id ?? ""}`;
  await (await send(person, `${schedule}/run`, {}, STREAM)).text();
  await person.request("PATCH", `/api/v1${schedule}`, { status: "paused", webhook: { url: "http://127.0.0.1:9/" } });
  await send(person, "/agents", { url: walker.url });
  await person.say("Walk", { agent: "walker" });
  await person.say(messages.asking);
  await person.say(messages.smith, { agent: "toolsmith" });
  const [first, ...others] = smallPlan().listeners;
  const listeners = [{ ...first, action_prompt: messages.double }, ...others];
  await send(person, "/plan-templates", { ...smallPlan({ plan_id: "doubling", name: "Doubling" }), listeners });
  await startInstance(person, "doubling", {});
  // The directory hears of the ends a moment later.
  await sleep(2_000);
}

/** Starts an instance and hears it up to its end or its question. */
async function startInstance(person: Person, plan: string, context: object): Promise<void> {
  const body = { context, verify: false };
  await (await send(person, `/plan-templates/${plan}/instances`, body, STREAM)).text();
}

async function send(person: Person, path: string, body: object = {}, headers = {}): Promise<Response> {
  const response = await person.request("POST", `/api/v1${path}`, body, headers);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
