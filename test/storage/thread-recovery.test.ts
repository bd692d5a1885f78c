// Threads whose host dies again and again, on SQLite with a simulated clock: the thread never gets further.

import { scriptSchedules } from "../support/scripted-schedules.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Broadcaster } from "../../src/durable/conversation/broadcaster.ts";
import { EventLog } from "../../src/durable/conversation/event-log.ts";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";
import { createHead, type OpenThread } from "../../src/durable/conversation/storage/conversation-head.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { Steps } from "../../src/durable/conversation/threads/steps.ts";
import { ThreadSupervisor } from "../../src/durable/conversation/threads/thread-supervisor.ts";
import { createIsolate, type Isolate } from "../../src/durable/isolate.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import type { Model } from "../../src/core/ports.ts";
import { parseSettings } from "../../src/settings.ts";
import { scriptAgents } from "../support/scripted-ports.ts";
import { createInMemorySql } from "../support/sqlite.ts";

const HOUR_MS = 3_600_000;
const THREAD = { thread_id: "th-1", command_id: "cmd-1", seq: 1, attempts: 0 };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The model never answers; it only obeys the signal. */
const silentModel: Model = {
  complete: ({ signal }) =>
    new Promise((_, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
};

/** A conversation with one open thread, and hosts that load it one after the other. */
function createMachine(message = "hello", thread: OpenThread = THREAD) {
  const store = new ConversationStore(createInMemorySql());
  store.migrate();
  const head = createHead({ userId: "ada", conversationId: "conv-1" }, undefined);
  store.putHead({ ...head, open: [thread] });
  store.putCommand("cmd-1", { thread_id: "th-1", seq: 1, request: { message } });
  let alarm = Infinity;
  const openLog = () =>
    new EventLog(store.loadHead() ?? head, store, new Broadcaster(new Map(), Infinity), {
      onSent: () => {},
      reset: (reason) => expect.unreachable(reason),
    });
  /** Loads the conversation in a new isolate, or in a given one, and takes up its threads. */
  async function start(isolate: Isolate = createIsolate()) {
    const log = openLog();
    const threads = new ThreadSupervisor(log, {
      store,
      schedules: new ScheduleStore(createInMemorySql()),
      settings: parseSettings({}),
      basePorts: {
        model: silentModel,
        agents: scriptAgents({}),
        profile: () => Promise.resolve({}),
        report: (thrown) => expect.unreachable(String(thrown)),
        schedules: scriptSchedules(new Map(), 1),
      },
      jobs: () => ({ push: ({ time }: { time: number }) => Promise.resolve((alarm = time)), list: () => [] }) as never,
      setAlarm: (time) => Promise.resolve(void (alarm = time)),
      onScheduleChanged: () => {},
      reset: (reason) => expect.unreachable(reason),
      isolate,
    });
    threads.wake();
    await vi.advanceTimersByTimeAsync(0);
    /** Ends the object: nothing of it is stored from now on. */
    const kill = async () => {
      log.close();
      threads.close();
      await vi.advanceTimersByTimeAsync(0);
    };
    const wake = () => (alarm = threads.handleAlarm()?.rescheduleAt ?? alarm);
    return { threads, isolate, kill, wake };
  }
  return {
    store,
    openLog,
    start,
    readFrames: () => [...openLog().readFrames(0)],
    getThread: () => store.loadHead()?.open[0],
    getStatus: () => store.loadHead()?.conversation.status,
    getAlarm: () => alarm,
  };
}
type Machine = ReturnType<typeof createMachine>;

const listEvents = (machine: Machine) => machine.readFrames().map(({ event }) => event);
type Host = Awaited<ReturnType<Machine["start"]>>;

const getState = (machine: Machine) => machine.getThread()?.interruptions?.state;

function isRunning(machine: Machine, { isolate }: Host): boolean {
  const state = getState(machine);
  return state === undefined || (state.kind === "running" && state.isolate === isolate.id);
}

type Deaths = {
  /** The life of each host in ms, whatever it does. */
  readonly hostMs?: number;
  /** The time in ms after which the thread kills its host. */
  readonly threadMs?: number;
  /** The other threads at work in each host. */
  readonly working?: readonly string[];
};

/**
 * Runs one host after the other for `totalMs`, or until the person is asked. Resolves with the delays in ms from each
 * death to the next attempt.
 */
async function runHosts(
  machine: Machine,
  { hostMs = Infinity, threadMs = Infinity, working = [] }: Deaths,
  totalMs: number,
): Promise<number[]> {
  const delays: number[] = [];
  const end = Date.now() + totalMs;
  let diedAt = Date.now();
  while (Date.now() < end && getState(machine)?.kind !== "asking") {
    const host = await machine.start({ ...createIsolate(), working: new Set(working) });
    const dies = Date.now() + hostMs;
    while (!isRunning(machine, host) && Date.now() < Math.min(dies, end) && getState(machine)?.kind !== "asking") {
      await vi.advanceTimersByTimeAsync(Math.max(0, Math.min(machine.getAlarm(), dies, end) - Date.now()));
      host.wake();
      await vi.advanceTimersByTimeAsync(0);
      if (!isRunning(machine, host))
        expect(machine.getAlarm(), "an alarm wakes the thread").toBeGreaterThan(Date.now());
    }
    if (isRunning(machine, host)) {
      delays.push(Date.now() - diedAt);
      await vi.advanceTimersByTimeAsync(Math.min(threadMs, Math.max(0, dies - Date.now())));
    }
    await host.kill();
    diedAt = Date.now();
  }
  return delays;
}

test("[T4] a thread is never given up for hosts that die within two seconds", async () => {
  const machine = createMachine();
  const delays = await runHosts(machine, { hostMs: 1_900 }, HOUR_MS / 4);
  expect(delays).toEqual(Array(11).fill(0));
  expect(getState(machine)?.kind).toBe("waiting");
  const host = await machine.start();
  await vi.advanceTimersByTimeAsync(300_000);
  host.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(isRunning(machine, host), "in the first host that lives").toBe(true);
});

test("[T4] a thread is never given up for deaths that it shares with other threads", async () => {
  const machine = createMachine();
  const delays = await runHosts(machine, { threadMs: 60_000, working: ["th-2"] }, 8 * HOUR_MS);
  expect(delays.slice(0, 14)).toEqual([...Array<number>(11).fill(0), 5_000, 10_000, 20_000]);
  expect(Math.max(...delays)).toBe(300_000);
  expect(machine.getThread()?.interruptions).toMatchObject({ attributed: 0 });
});

test("[I28] a thread that kills each host waits longer each time, and after an hour it asks the person", async () => {
  const machine = createMachine();
  const begunAt = Date.now();
  const delays = await runHosts(machine, { threadMs: 3_000 }, 8 * HOUR_MS);
  expect(delays.slice(0, 9)).toEqual([0, 0, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]);
  expect(Math.max(...delays)).toBe(300_000);
  expect(Date.now() - begunAt).toBeGreaterThanOrEqual(HOUR_MS);
  expect(Date.now() - begunAt).toBeLessThan(HOUR_MS + 2 * 300_000);
  expect(machine.store.listOpenQuestions()).toMatchObject([
    { prompt: `This work was interrupted ${delays.length} times without progress. Try again?`, options: ["Yes", "No"] },
  ]);
  expect(machine.getStatus()).toBe("require_user_input");
  expect(machine.getAlarm(), "[H2]").toBeLessThanOrEqual(machine.store.listOpenQuestions()[0]?.expires_at ?? 0);
});

test("[I28] a thread that kills each host at once is found when it has waited", async () => {
  const machine = createMachine();
  const delays = await runHosts(machine, { threadMs: 50 }, 8 * HOUR_MS);
  expect(delays.slice(0, 14)).toEqual([...Array<number>(11).fill(0), 5_000, 10_000, 20_000]);
  expect(getState(machine)?.kind).toBe("asking");
});

test("an hour without a host is not a reason to ask", async () => {
  const machine = createMachine();
  await runHosts(machine, { threadMs: 3_000 }, 30_000);
  expect(machine.getThread()?.interruptions?.attributed).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  const delays = await runHosts(machine, { threadMs: 3_000 }, 2 * 60_000);
  expect(delays.length).toBeGreaterThan(1);
  expect(getState(machine)?.kind).not.toBe("asking");
});

test("an object that is reset in a living isolate waits from the second time on", async () => {
  const machine = createMachine();
  const isolate = createIsolate();
  for (let i = 0; i < 3; i++) await (await machine.start(isolate)).kill();
  expect(getState(machine)).toEqual({ kind: "waiting", until: Date.now() + 5_000 });
});

/** Kills the hosts of a thread until the person is asked, and starts another host. */
async function killUntilAsked(message?: string) {
  const machine = createMachine(message);
  await runHosts(machine, { threadMs: 3_000 }, 8 * HOUR_MS);
  const host = await machine.start();
  const [question] = machine.store.listOpenQuestions();
  return { machine, host, question: ensurePresent(question, "the question") };
}

test("[T4] [H4] a thread resumes at once, and forgets its interruptions, when the person wants to try again", async () => {
  const { machine, host, question } = await killUntilAsked();
  host.threads.questions.acceptAnswer("cmd-2", { message: "yes", request_id: question.request_id });
  host.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(machine.getThread()?.interruptions).toMatchObject({ host: 0, attributed: 0, state: { kind: "running" } });
  expect(machine.getStatus()).toBe("active");
  expect(listEvents(machine)).toEqual(["plan_require_user_input", "message", "task_retrying"]);
  await host.kill();
});

test.each([
  ["no", [], { cancelled: true }],
  [null, ["system_failed"], {}],
])("[T3] [H2] a thread ends with one done after the answer %j", async (message, failures, metadata) => {
  const { machine, host, question } = await killUntilAsked("你好");
  expect(question).toMatchObject({ prompt: expect.stringContaining("要重试吗？") as string, options: ["是", "否"] });
  if (message === null) await vi.advanceTimersByTimeAsync(HOUR_MS);
  else host.threads.questions.acceptAnswer("cmd-2", { message, request_id: question.request_id });
  host.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(machine.getThread()).toBeUndefined();
  expect(listEvents(machine).filter((event) => event === "done" || event === "system_failed")).toEqual([
    ...failures,
    "done",
  ]);
  expect(machine.readFrames().at(-1)?.data.metadata).toMatchObject(metadata);
  expect(machine.getStatus()).toBe(message === null ? "failed" : "completed");
  await host.kill();
});

test("[H1] an answer other than yes or no is refused and the question stays open", async () => {
  const { machine, host, question } = await killUntilAsked();
  const answer = () =>
    host.threads.questions.acceptAnswer("cmd-2", { message: "perhaps", request_id: question.request_id });
  expect(answer).toThrow(/must be “yes” or “no”/);
  expect(machine.store.listOpenQuestions()).toHaveLength(1);
  await host.kill();
});

test.each([
  ["waiting", 10_000],
  ["asking", 8 * HOUR_MS],
])("[T5] a thread that is %s ends at once when it is cancelled", async (kind, ms) => {
  const machine = createMachine();
  await runHosts(machine, { threadMs: 3_000 }, ms);
  const host = await machine.start();
  expect(getState(machine)?.kind).toBe(kind);
  const cancelled = host.threads.cancel({ thread_id: "th-1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(await cancelled).toEqual(["th-1"]);
  expect(machine.getThread()).toBeUndefined();
  expect(machine.readFrames().at(-1)).toMatchObject({ event: "done", data: { metadata: { cancelled: true } } });
  expect(machine.store.listOpenQuestions()).toEqual([]);
  await host.kill();
});

test.each([
  ["another checkpoint", "b", true],
  ["the same checkpoint", "a", false],
])("[T4] an interrupted step that saves %s: progress is %j", async (_, value, isProgress) => {
  const machine = createMachine();
  await runHosts(machine, { threadMs: 3_000 }, 10_000);
  const log = machine.openLog();
  const thread = ensurePresent(log.head.open[0], "the thread");
  const context = {
    store: machine.store,
    schedules: new ScheduleStore(createInMemorySql()),
    language: "en",
    onScheduleCreated: () => {},
  } as const;
  const save = async (saved: string, condition: "new" | "interrupted") => {
    const steps = new Steps({ thread, condition }, "", log, context, new AbortController().signal);
    const spec = { name: "task:1", scope: "task-1", agentName: "a" };
    await steps
      .step(spec, (_emit, memo) => {
        memo.save(saved);
        return Promise.reject(new Error("The host dies."));
      })
      .catch(() => {});
  };
  machine.store.putStep(thread.seq, 0, "task:1", { value: `"a"`, since: 0 });
  await save(value, "interrupted");
  expect(machine.getThread()?.interruptions === undefined).toBe(isProgress);
});

test.each([
  ["waiting", 60_000],
  ["asking", 8 * HOUR_MS],
])("[T5] a thread that is %s resumes at once when one of its tasks is cancelled", async (kind, ms) => {
  const machine = createMachine();
  await runHosts(machine, { threadMs: 3_000 }, ms);
  const scope = { thread_id: "th-1", plan_id: "plan-1" };
  const plan = { ...scope, tasks: [{ ...scope, task_id: "task-1", status: "pending" }] };
  machine.openLog().publish([{ event: "plan_created", data: { ...scope, role: "agent", payload: { plan } } } as never]);
  const host = await machine.start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(getState(machine)?.kind).toBe(kind);
  const cancelled = host.threads.cancel({ task_id: "task-1" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await cancelled).toEqual(["task-1"]);
  expect(isRunning(machine, host)).toBe(true);
  expect(machine.store.listOpenQuestions()).toEqual([]);
  await host.kill();
});
