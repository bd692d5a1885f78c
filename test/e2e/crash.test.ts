// The whole runtime is killed in the middle of its work, again and again, and started on what it had stored.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { AcceptedCommand } from "../../src/durable/conversation-api.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { isDone, listenTo, type Listener } from "../support/listener.ts";
import { handoff, planOf, type Brief } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { between, randomFrom } from "../support/random.ts";
import { breachesIn, needlessRepeats, pictureFrom, pictureOf, repeatedSteps, reusedNumbers } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { begunAt, finished } from "./steps-seen.ts";

const SEED = 1_918;
/** `CRASH_ROUNDS=16` for a longer search. */
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 6);
/** The lease on a thread, and time to finish it on a busy machine. */
const LEASE_MS = 10_000;

let model: ModelServer;
let steady: A2AAgent;
let runtime: Runtime;
let person: Person;
let listeners: Listener[] = [];
const deaths: number[] = [];

beforeAll(async () => {
  model = await startModelServer();
  steady = await startA2AAgent("steady", "1.0", steadily);
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  person = personAt(runtime.url);
  expect((await person.request("POST", "/api/v1/agents", { url: steady.url })).status).toBe(201);
});
afterEach(async () => {
  for (const listener of listeners) listener.close();
  listeners = [];
  // A test that failed between a kill and the start after it.
  await runtime.restart();
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([steady.close(), model.close()]);
});

async function* steadily(query: string): AsyncGenerator<string> {
  for (const word of `The steady answer to ${query}, word by word.`.split(/(?<= )/)) {
    await sleep(12);
    yield word;
  }
}

async function die(): Promise<void> {
  deaths.push(Date.now());
  await runtime.kill();
  deaths.push(Date.now());
}

const words = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `${mark}${i} `).join("");

/** A part of a plan; its mark names it in the logs of the model and of the agent elsewhere. */
function part(agent = "assistant") {
  const mark = model.act({
    "agent:assistant": [
      { text: words(4, "x"), calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs: 8 },
      { text: `5950128 ${words(10, "y")}`, paceMs: 8 },
    ],
  });
  return { query: `Work ${mark}`, agent };
}

const MESSAGES: readonly (() => { message: string; agent?: string })[] = [
  () => ({ message: `Answer ${model.act({ triage: { reasoning: words(8, "r"), text: words(40, "w"), paceMs: 8 } })}` }),
  () => ({ message: `Chain ${planned(part(), { ...part(), after: ["t0"] })}` }),
  () => ({ message: `Fan ${planned(part(), part("steady"), part())}` }),
  () => ({ message: `Both ${planned(part("steady"), { ...part(), after: ["t0"] }, part())}` }),
  () => ({ message: part("steady").query, agent: "steady" }),
];

function planned(...briefs: readonly Brief[]): string {
  return model.act({
    triage: { ...handoff("needs_planning"), paceMs: 8 },
    planner: { ...planOf(...briefs), paceMs: 8 },
    synthesis: { text: `5950128 ${words(12, "s")}`, paceMs: 8 },
  });
}

async function newListener(): Promise<Listener> {
  const { conversation_id: conversationId } = await createApi({ url: runtime.url }).createConversation();
  const listener = listenTo({ url: runtime.url, conversationId });
  listeners.push(listener);
  return listener;
}

function idOf(listener: Listener): string {
  return listener.line.view.conversation?.conversation_id ?? "";
}

/** All rules, for a conversation that somebody listened to all the time. */
async function expectWhole(listener: Listener): Promise<Frame[]> {
  const log = await person.history(idOf(listener));
  await listener.hasSeen(log.at(-1)?.seq ?? 0);
  expect(breachesIn(log)).toEqual([]);
  expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
  expect(pictureFrom(listener.heard)).toEqual(pictureFrom(log));
  expect(reusedNumbers([...listener.events.map(({ frame }) => frame), ...log])).toEqual([]);
  return log;
}

function expectNothingTwice(heard: Listener["events"]): void {
  expect(repeatedSteps(begunAt(model, steady), finished(heard))).toEqual([]);
  expect(needlessRepeats(begunAt(model, steady), deaths)).toEqual([]);
  const ids = new Map<string, Set<string>>();
  for (const { query, messageId } of steady.asked) ids.set(query, (ids.get(query) ?? new Set()).add(messageId));
  expect([...ids.values()].filter((set) => set.size > 1)).toEqual([]);
}

test(`[L1] [L3] [T1] [T3] [T4] ${ROUNDS} kills at random moments lose, double and repeat nothing`, async () => {
  const random = randomFrom(SEED);
  const threads = new Map<Listener, string[]>();
  for (let i = 0; i < 4; i++) threads.set(await newListener(), []);
  for (let round = 0; round < ROUNDS; round++) {
    const sent = [...threads].flatMap(([listener, accepted]) =>
      Array.from({ length: between(random, 0, 2) }, async () => {
        const { message, ...options } = MESSAGES[between(random, 0, MESSAGES.length - 1)]?.() ?? { message: "" };
        const { thread_id: threadId = "" } = await listener.line.send(message, options);
        accepted.push(threadId);
        await listener.until(isDone(threadId));
      }),
    );
    await sleep(between(random, 5, 900));
    await die();
    await runtime.restart();
    if (random() < 0.3) {
      await sleep(between(random, 5, 400));
      await die();
      await runtime.restart();
    }
    await Promise.all(sent);
  }
  for (const [listener, accepted] of threads) {
    await expectWhole(listener);
    expect(listener.line.view.threads.map(({ thread_id }) => thread_id).toSorted()).toEqual(accepted.toSorted());
  }
  const heard = [...threads.keys()].flatMap(({ events }) => events);
  expectNothingTwice(heard);
  const again = heard.filter(({ frame }) => frame.event === "task_retrying");
  expect(again.length).toBeGreaterThan(ROUNDS / 2);

  // The same checks on logs with a fault put into them.
  const step = finished(heard)[0]?.step ?? "";
  const begins = begunAt(model, steady);
  expect(repeatedSteps([...begins, { step, at: Date.now() }], finished(heard))).not.toEqual([]);
  expect(needlessRepeats([{ step: begins[0]?.step ?? "", at: begins[0]?.at ?? 0 }, ...begins], [])).not.toEqual([]);
  expect(reusedNumbers(heard.map(({ frame }) => ({ ...frame, seq: 1 })))).not.toEqual([]);
}, 120_000);

test("[T3] [T4] with nobody connected, what was cut short is finished by itself", async () => {
  const random = randomFrom(SEED + 1);
  const accepted: AcceptedCommand[] = [];
  for (let i = 0; i < 6; i++) {
    const { message, ...options } = MESSAGES[i % MESSAGES.length]?.() ?? { message: "" };
    accepted.push(await person.tell(message, options));
    await sleep(between(random, 20, 120));
  }
  await die();
  await runtime.restart();
  const restartedAt = Date.now();
  // The list comes from the directory: asking for it wakes no conversation.
  await vi.waitFor(async () => {
    const { conversations } = await person.get<{ conversations: ConversationInfo[] }>("/api/v1/conversations?limit=50");
    const finishedIds = conversations
      .filter(({ status }) => status === "completed")
      .map((known) => known.conversation_id);
    expect(finishedIds).toEqual(expect.arrayContaining(accepted.map(({ conversation_id: id }) => id)));
  }, LEASE_MS);
  expect(Date.now() - restartedAt).toBeLessThan(LEASE_MS);
  for (const { conversation_id: id, thread_id } of accepted) {
    const log = await person.history(id);
    expect(breachesIn(log)).toEqual([]);
    expect(log.at(-1)).toMatchObject({ event: "done", data: { thread_id } });
  }
  expectNothingTwice([]);
});

test("[L3] a paragraph that was cut by a kill is replaced, not doubled", async () => {
  const text = words(60, "w");
  const listener = await newListener();
  const sent = listener.line.send(`Answer ${model.act({ triage: { text, paceMs: 10 } })}`);
  let chunks = 0;
  await listener.until(({ event }) => event === "message_chunk" && ++chunks === 3);
  await die();
  await runtime.restart();
  const { thread_id: threadId } = await sent;
  await listener.until(isDone(threadId));
  await expectWhole(listener);
  expect(textOf(listener.events.map(({ frame }) => frame)).length).toBeGreaterThan(text.length);
  const shown = [...listener.line.view.items.values()].filter(({ event }) => event === "message_chunk");
  expect(shown.map(({ payload }) => payload["content"])).toEqual([text]);
});

test("[T3] [L3] what keeps killing its host is given up visibly, and the conversation goes on", async () => {
  const endless = { text: words(400, "w"), paceMs: 10 };
  const answer = model.act({ triage: endless });
  const task = model.act({ "agent:assistant": endless });
  const plan = planned({ query: `A ${task}` }, { query: "B", after: ["t0"] });
  const sent = await Promise.all(
    [answer, plan].map(async (mark) => {
      const listener = await newListener();
      const { thread_id: threadId } = await listener.line.send(`Go ${mark}`);
      return { listener, threadId };
    }),
  );
  for (let attempt = 1; attempt <= 3; attempt++) {
    const areBegun = () => expect([answer, task].map((mark) => model.callsOf(mark).length)).toEqual([attempt, attempt]);
    await vi.waitFor(areBegun, LEASE_MS);
    await die();
    await runtime.restart();
  }
  for (const { listener, threadId } of sent) {
    await listener.until(isDone(threadId));
    const log = await expectWhole(listener);
    expect(eventsOf(log, "system_failed")).toMatchObject([{ payload: { code: "interrupted" } }]);
    const { tasks } = await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${idOf(listener)}/tasks`);
    expect(tasks.map(({ status }) => status).filter((status) => status !== "cancelled")).toEqual([]);
    const { thread_id: next } = await listener.line.send(`Next ${model.act({ triage: { text: "Fine." } })}`);
    await listener.until(isDone(next));
    await expectWhole(listener);
  }
  expect([answer, task].map((mark) => model.callsOf(mark).length)).toEqual([3, 3]);
});

test("[T4] a thread that has come further each time is not given up, however often its host dies", async () => {
  const marks = [1, 2, 3, 4].map(() => model.act({ "agent:assistant": { text: words(40, "w"), paceMs: 10 } }));
  const briefs = marks.map((mark, i) => ({ query: `Do ${mark}`, after: i === 0 ? [] : [`t${i - 1}`] }));
  const listener = await newListener();
  const { thread_id: threadId } = await listener.line.send(`Row ${planned(...briefs)}`);
  for (const mark of marks) {
    await vi.waitFor(() => expect(model.callsOf(mark)).toHaveLength(1), LEASE_MS);
    await die();
    await runtime.restart();
  }
  await listener.until(isDone(threadId));
  const log = await expectWhole(listener);
  expect(eventsOf(log, "system_failed")).toEqual([]);
  expect(eventsOf(log, "task_completed")).toHaveLength(4);
  expect(marks.map((mark) => model.callsOf(mark).length)).toEqual([2, 2, 2, 2]);
});

test("[I17] [T5] a cancellation that was acknowledged outlives a kill", async () => {
  const cancelled = await Promise.all(
    ["assistant", "steady"].flatMap((agent) =>
      (["thread", "task"] as const).map(async (what) => {
        const listener = await newListener();
        const { thread_id: threadId = "" } = await listener.line.send(part(agent).query, { agent });
        const { data } = await listener.until(({ event }) => event === "task_started");
        const taskId = "task_id" in data ? (data.task_id ?? "") : "";
        return { listener, threadId, target: what === "thread" ? { thread_id: threadId } : { task_id: taskId } };
      }),
    ),
  );
  await Promise.all(cancelled.map(({ listener, target }) => listener.line.cancel(target)));
  await die();
  const before = begunAt(model, steady).length;
  await runtime.restart();
  for (const { listener, threadId, target } of cancelled) {
    await listener.until(isDone(threadId));
    const log = await expectWhole(listener);
    expect(eventsOf(log, "task_cancelled")).toHaveLength(1);
    expect(eventsOf(log, "task_completed")).toEqual([]);
    if ("thread_id" in target) expect(log.at(-1)?.data.metadata).toMatchObject({ cancelled: true });
  }
  expect(begunAt(model, steady)).toHaveLength(before);
});
