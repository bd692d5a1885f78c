// Kills the whole runtime repeatedly during its work and restarts it on its storage.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { AcceptedCommand } from "../../src/durable/conversation-api.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { isDone, connectRecordingClient, type RecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply, type TaskBrief } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { randomBetween, createRandom } from "../support/random.ts";
import {
  findViolations,
  findNeedlessRepeats,
  foldVisibleState,
  toVisibleState,
  findRepeatedSteps,
  findReusedNumbers,
} from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { listStartedSteps, listFinishedSteps } from "./observed-steps.ts";
import { pickByLength } from "../support/run-length.ts";

const SEED = 1_918;
const ROUNDS = pickByLength(4, 16);
/** The lease of a thread, and time to finish it on a busy machine. */
const LEASE_MS = 10_000;

let model: ModelServer;
let steadyAgent: A2AAgent;
let runtime: Runtime;
let user: ApiUser;
let listeners: RecordingClient[] = [];
const deaths: number[] = [];

beforeAll(async () => {
  model = await startModelServer();
  steadyAgent = await startA2AAgent("steady", "1.0", streamSteadily);
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  user = createApiUser(runtime.url);
  expect((await user.request("POST", "/api/v1/agents", { url: steadyAgent.url })).status).toBe(201);
});
afterEach(async () => {
  for (const listener of listeners) listener.close();
  listeners = [];
  // Restart the runtime after a test that failed while it was killed.
  await runtime.restart();
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([steadyAgent.close(), model.close()]);
});

async function* streamSteadily(query: string): AsyncGenerator<string> {
  for (const word of `The steady answer to ${query}, word by word.`.split(/(?<= )/)) {
    await sleep(12);
    yield word;
  }
}

async function killRuntime(): Promise<void> {
  deaths.push(Date.now());
  await runtime.kill();
  deaths.push(Date.now());
}

const createWords = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `${mark}${i} `).join("");

/** Creates a task brief of about `length` words. Its mark identifies it in the logs of the model and of the remote agent. */
function createBrief(agent = "assistant", length = 10) {
  const mark = model.addScript({
    "agent:assistant": [
      { text: createWords(4, "x"), calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs: 8 },
      { text: `5950128 ${createWords(length, "y")}`, paceMs: 8 },
    ],
  });
  return { query: `Work ${mark}${length > 10 ? ` ${createWords(length, "z")}` : ""}`, agent };
}

const MESSAGES: readonly (() => { message: string; agent?: string })[] = [
  () => ({
    message: `Answer ${model.addScript({ triage: { reasoning: createWords(8, "r"), text: createWords(40, "w"), paceMs: 8 } })}`,
  }),
  () => ({ message: `Chain ${scriptPlan(createBrief(), { ...createBrief(), after: ["t0"] })}` }),
  () => ({ message: `Fan ${scriptPlan(createBrief(), createBrief("steady"), createBrief())}` }),
  () => ({ message: `Both ${scriptPlan(createBrief("steady"), { ...createBrief(), after: ["t0"] }, createBrief())}` }),
  () => ({ message: createBrief("steady").query, agent: "steady" }),
];

function scriptPlan(...briefs: readonly TaskBrief[]): string {
  return model.addScript({
    triage: { ...createHandoffReply("needs_planning"), paceMs: 8 },
    planner: { ...createPlanReply(...briefs), paceMs: 8 },
    synthesis: { text: `5950128 ${createWords(12, "s")}`, paceMs: 8 },
  });
}

async function openListener(): Promise<RecordingClient> {
  const { conversation_id: conversationId } = await createApi({ url: runtime.url }).createConversation();
  const listener = connectRecordingClient({ url: runtime.url, conversationId });
  listeners.push(listener);
  return listener;
}

function getConversationId(listener: RecordingClient): string {
  return listener.connection.view.conversation?.conversation_id ?? "";
}

/** Checks all invariants of a conversation that a client followed all the time. Resolves with its log. */
async function expectConsistentLog(listener: RecordingClient): Promise<Frame[]> {
  const log = await user.history(getConversationId(listener));
  await listener.waitForSeq(log.at(-1)?.seq ?? 0);
  expect(findViolations(log)).toEqual([]);
  expect(toVisibleState(listener.connection.view)).toEqual(foldVisibleState(log));
  expect(foldVisibleState(listener.frames)).toEqual(foldVisibleState(log));
  expect(findReusedNumbers([...listener.events.map(({ frame }) => frame), ...log])).toEqual([]);
  return log;
}

function expectNoRepeatedWork(receivedEvents: RecordingClient["events"]): void {
  expect(findRepeatedSteps(listStartedSteps(model, steadyAgent), listFinishedSteps(receivedEvents))).toEqual([]);
  expect(findNeedlessRepeats(listStartedSteps(model, steadyAgent), deaths)).toEqual([]);
  const ids = new Map<string, Set<string>>();
  for (const { query, messageId } of steadyAgent.messages) ids.set(query, (ids.get(query) ?? new Set()).add(messageId));
  expect([...ids.values()].filter((set) => set.size > 1)).toEqual([]);
}

test(`[L1] [L3] [T1] [T3] [T4] ${ROUNDS} kills at random moments cause no loss, duplication or repeated work`, async () => {
  const random = createRandom(SEED);
  const threads = new Map<RecordingClient, string[]>();
  for (let i = 0; i < 4; i++) threads.set(await openListener(), []);
  for (let round = 0; round < ROUNDS; round++) {
    const sent = [...threads].flatMap(([listener, accepted]) =>
      Array.from({ length: randomBetween(random, 0, 2) }, async () => {
        const { message, ...options } = MESSAGES[randomBetween(random, 0, MESSAGES.length - 1)]?.() ?? { message: "" };
        const { thread_id: threadId = "" } = await listener.connection.send(message, options);
        accepted.push(threadId);
        await listener.waitFor(isDone(threadId));
      }),
    );
    await sleep(randomBetween(random, 5, 900));
    await killRuntime();
    await runtime.restart();
    if (random() < 0.3) {
      await sleep(randomBetween(random, 5, 400));
      await killRuntime();
      await runtime.restart();
    }
    await Promise.all(sent);
  }
  for (const [listener, accepted] of threads) {
    await expectConsistentLog(listener);
    expect(listener.connection.view.threads.map(({ thread_id }) => thread_id).toSorted()).toEqual(accepted.toSorted());
  }
  const receivedEvents = [...threads.keys()].flatMap(({ events }) => events);
  expectNoRepeatedWork(receivedEvents);
  const again = receivedEvents.filter(({ frame }) => frame.event === "task_retrying");
  expect(again.length).toBeGreaterThan(ROUNDS / 2);

  // The same checks find faults that are added to the logs.
  const step = listFinishedSteps(receivedEvents)[0]?.step ?? "";
  const startedSteps = listStartedSteps(model, steadyAgent);
  expect(findRepeatedSteps([...startedSteps, { step, at: Date.now() }], listFinishedSteps(receivedEvents))).not.toEqual(
    [],
  );
  expect(
    findNeedlessRepeats([{ step: startedSteps[0]?.step ?? "", at: startedSteps[0]?.at ?? 0 }, ...startedSteps], []),
  ).not.toEqual([]);
  expect(findReusedNumbers(receivedEvents.map(({ frame }) => ({ ...frame, seq: 1 })))).not.toEqual([]);
}, 120_000);

test("[T3] [T4] interrupted threads finish without a connected client", async () => {
  const random = createRandom(SEED + 1);
  const accepted: AcceptedCommand[] = [];
  for (let i = 0; i < 6; i++) {
    const { message, ...options } = MESSAGES[i % MESSAGES.length]?.() ?? { message: "" };
    accepted.push(await user.send(message, options));
    await sleep(randomBetween(random, 20, 120));
  }
  await killRuntime();
  await runtime.restart();
  const restartedAt = Date.now();
  // The list comes from the directory, so the request wakes no conversation.
  await vi.waitFor(async () => {
    const { conversations } = await user.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=50");
    const finishedIds = conversations
      .filter(({ status }) => status === "completed")
      .map((conversation) => conversation.conversation_id);
    expect(finishedIds).toEqual(expect.arrayContaining(accepted.map(({ conversation_id: id }) => id)));
  }, LEASE_MS);
  expect(Date.now() - restartedAt).toBeLessThan(LEASE_MS);
  for (const { conversation_id: id, thread_id } of accepted) {
    const log = await user.history(id);
    expect(findViolations(log)).toEqual([]);
    expect(log.at(-1)).toMatchObject({ event: "done", data: { thread_id } });
  }
  expectNoRepeatedWork([]);
});

test("[L3] a paragraph that a kill interrupted is replaced and not duplicated", async () => {
  const text = createWords(60, "w");
  const listener = await openListener();
  const sent = listener.connection.send(`Answer ${model.addScript({ triage: { text, paceMs: 10 } })}`);
  let chunks = 0;
  await listener.waitFor(({ event }) => event === "message_chunk" && ++chunks === 3);
  await killRuntime();
  await runtime.restart();
  const { thread_id: threadId } = await sent;
  await listener.waitFor(isDone(threadId));
  await expectConsistentLog(listener);
  expect(joinText(listener.events.map(({ frame }) => frame)).length).toBeGreaterThan(text.length);
  const chunkItems = [...listener.connection.view.items.values()].filter(({ event }) => event === "message_chunk");
  expect(chunkItems.map(({ payload }) => payload["content"])).toEqual([text]);
});

test("[T3] [T4] [L3] a thread that was interrupted five times without progress finishes, and the conversation continues", async () => {
  const long = { text: createWords(200, "w"), paceMs: 10 };
  const answer = model.addScript({ triage: long });
  const task = model.addScript({ "agent:assistant": long });
  const plan = scriptPlan({ query: `A ${task}` }, { ...createBrief(), after: ["t0"] });
  const sent = await Promise.all(
    [answer, plan].map(async (mark) => {
      const listener = await openListener();
      const { thread_id: threadId } = await listener.connection.send(`Go ${mark}`);
      return { listener, threadId };
    }),
  );
  for (let attempt = 1; attempt <= 5; attempt++) {
    const expectAttempts = () =>
      expect([answer, task].map((mark) => model.getCalls(mark).length)).toEqual([attempt, attempt]);
    await vi.waitFor(expectAttempts, LEASE_MS);
    await killRuntime();
    await runtime.restart();
  }
  for (const { listener, threadId } of sent) {
    await listener.waitFor(isDone(threadId));
    const log = await expectConsistentLog(listener);
    expect(filterEvents(log, "system_failed")).toEqual([]);
    const { tasks } = await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${getConversationId(listener)}/tasks`);
    expect(tasks.map(({ status }) => status).filter((status) => status !== "completed")).toEqual([]);
    const { thread_id: next } = await listener.connection.send(
      `Next ${model.addScript({ triage: { text: "Fine." } })}`,
    );
    await listener.waitFor(isDone(next));
    await expectConsistentLog(listener);
  }
  expect([answer, task].map((mark) => model.getCalls(mark).length)).toEqual([6, 6]);
});

test("[T4] a thread that makes progress between kills does not fail", async () => {
  const marks = [1, 2, 3, 4].map(() =>
    model.addScript({ "agent:assistant": { text: createWords(40, "w"), paceMs: 10 } }),
  );
  const briefs = marks.map((mark, i) => ({ query: `Do ${mark}`, after: i === 0 ? [] : [`t${i - 1}`] }));
  const listener = await openListener();
  const { thread_id: threadId } = await listener.connection.send(`Row ${scriptPlan(...briefs)}`);
  for (const mark of marks) {
    await vi.waitFor(() => expect(model.getCalls(mark)).toHaveLength(1), LEASE_MS);
    await killRuntime();
    await runtime.restart();
  }
  await listener.waitFor(isDone(threadId));
  const log = await expectConsistentLog(listener);
  expect(filterEvents(log, "system_failed")).toEqual([]);
  expect(filterEvents(log, "task_completed")).toHaveLength(4);
  expect(marks.map((mark) => model.getCalls(mark).length)).toEqual([2, 2, 2, 2]);
});

test("[I17] [T5] an acknowledged cancellation survives a kill", async () => {
  const cancelled = await Promise.all(
    ["assistant", "steady"].flatMap((agent) =>
      (["thread", "task"] as const).map(async (what) => {
        const listener = await openListener();
        // The work takes seconds, so that a busy machine cannot finish it before the cancellation arrives.
        const { thread_id: threadId = "" } = await listener.connection.send(createBrief(agent, 600).query, { agent });
        const { data } = await listener.waitFor(({ event }) => event === "task_started");
        const taskId = "task_id" in data ? (data.task_id ?? "") : "";
        return { listener, threadId, target: what === "thread" ? { thread_id: threadId } : { task_id: taskId } };
      }),
    ),
  );
  await Promise.all(cancelled.map(({ listener, target }) => listener.connection.cancel(target)));
  await killRuntime();
  const before = listStartedSteps(model, steadyAgent).length;
  await runtime.restart();
  for (const { listener, threadId, target } of cancelled) {
    await listener.waitFor(isDone(threadId));
    const log = await expectConsistentLog(listener);
    expect(filterEvents(log, "task_cancelled")).toHaveLength(1);
    expect(filterEvents(log, "task_completed")).toEqual([]);
    if ("thread_id" in target) expect(log.at(-1)?.data.metadata).toMatchObject({ cancelled: true });
  }
  expect(listStartedSteps(model, steadyAgent)).toHaveLength(before);
});
