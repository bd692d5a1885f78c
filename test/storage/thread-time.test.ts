// How long a thread has taken, over crashes of its host and questions to the person.

import { expect, test, vi } from "vitest";
import type { OpenThread } from "../../src/durable/head.ts";
import { Audience } from "../../src/durable/audience.ts";
import { Log } from "../../src/durable/log.ts";
import { ScheduleStore } from "../../src/durable/schedule-store.ts";
import { Store } from "../../src/durable/store.ts";
import { Threads } from "../../src/durable/threads.ts";
import type { AgentEvent, AgentRequest } from "../../src/protocol/agent.ts";
import type { Usage } from "../../src/protocol/events.ts";
import { readSettings } from "../../src/settings.ts";
import { scriptedAgents, type Script } from "../support/scripted.ts";
import { inMemory } from "../support/sqlite.ts";

const MINUTE = 60_000;
const request = { message: "hello", agent: "worker" };

/** A conversation over what is stored, with one agent; as it finds itself after its host has died. */
function open(store: Store, script: Script, settings: Readonly<Record<string, unknown>> = {}) {
  const conversation = { conversation_id: "conv-1", user_id: "ada", status: "active", created_at: 0, updated_at: 0 };
  const head = store.head() ?? ({ conversation, reserved: 0, open: [] } as never);
  const reset = (reason: string) => expect.unreachable(reason);
  const log = new Log(head, store, new Audience([]), { onTold: () => {}, reset });
  const threads = new Threads(log, {
    store,
    schedules: new ScheduleStore(inMemory()),
    settings: readSettings(settings),
    world: {
      model: { complete: () => expect.unreachable("No model is needed") },
      agents: scriptedAgents({ worker: script }),
      report: (thrown) => expect.unreachable(String(thrown)),
      schedules: () => Promise.resolve({ used: 0, most: 1 }),
    },
    jobs: () => ({ push: () => Promise.resolve() }) as never,
    onRun: () => {},
    reset,
  });
  return { threads, log };
}

function stored(): Store {
  const store = new Store(inMemory());
  store.migrate();
  return store;
}

async function* working(_: AgentRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  yield { type: "failed", reason: "It was stopped." };
}

async function* answering(): AsyncGenerator<AgentEvent> {
  yield { type: "text", text: "42" };
  yield { type: "completed" };
}

async function* asking(): AsyncGenerator<AgentEvent> {
  await new Promise((resolve) => setTimeout(resolve, 5 * MINUTE));
  yield { type: "input_required", prompt: "How much?" };
}

function endIn(log: Log): { readonly words: string | undefined; readonly took: number } {
  const frames = [...log.framesAfter(0)];
  const failed = frames.find(({ event }) => event === "system_failed");
  const usage = frames.at(-1)?.data.metadata?.["usage"] as Usage;
  return { words: (failed?.data as { payload?: { content?: string } })?.payload?.content, took: usage.duration_ms };
}

/** Nothing of it is heard of any more. */
function die({ log, threads }: ReturnType<typeof open>): void {
  log.close();
  threads.close();
}

const thread = (log: Log): OpenThread | undefined => log.head.open[0];

test("[T6] the time of a thread goes on counting when its host dies", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    const store = stored();
    const first = open(store, working);
    first.threads.inbox.hear("cmd-1", request, []);
    await first.threads.work();
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    die(first);
    const second = open(store, working);
    await second.threads.work();
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    expect(thread(second.log)).toMatchObject({ attempts: 2 });
    await vi.advanceTimersByTimeAsync(MINUTE + 1_000);
    expect(second.log.head.open).toEqual([]);
    const { words, took } = endIn(second.log);
    expect(words).toBe("This message used up its 900 seconds before it was done.");
    expect(took).toBeGreaterThanOrEqual(15 * MINUTE);
  } finally {
    vi.useRealTimers();
  }
});

test("[T6] the time in which a thread waits for the person is not its own", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    const store = stored();
    const asked = open(store, asking);
    asked.threads.inbox.hear("cmd-1", request, []);
    await asked.threads.work();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(thread(asked.log)).toMatchObject({ is_paused: true });
    await vi.advanceTimersByTimeAsync(40 * MINUTE);
    die(asked);
    const { threads, log } = open(store, answering);
    threads.inbox.answer("cmd-2", { message: "10" });
    await threads.work();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log.head.open).toEqual([]);
    expect(endIn(log)).toMatchObject({ words: undefined });
    expect(endIn(log).took).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(endIn(log).took).toBeLessThan(6 * MINUTE);
  } finally {
    vi.useRealTimers();
  }
});
