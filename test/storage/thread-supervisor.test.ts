// The threads of a conversation over SQLite, in a world that the tests hold still.

import { expect, test } from "vitest";
import { Broadcaster } from "../../src/durable/broadcaster.ts";
import { EventLog } from "../../src/durable/event-log.ts";
import { ScheduleStore } from "../../src/durable/schedule-store.ts";
import type { OpenThread } from "../../src/durable/conversation-head.ts";
import { ConversationStore } from "../../src/durable/conversation-store.ts";
import { ThreadSupervisor } from "../../src/durable/thread-supervisor.ts";
import { ModelFault, type ChatMessage } from "../../src/core/ports.ts";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { scriptedAgents } from "../support/scripted.ts";
import { inMemory } from "../support/sqlite.ts";

const NOBODY = new ModelFault("model_refused", "Nobody answers.", { retryable: false });

/** A conversation with one open thread, and a list of agents that comes when the test lets it. */
function open(thread: Pick<OpenThread, "attempts">, settings: Readonly<Record<string, unknown>> = {}) {
  const store = new ConversationStore(inMemory());
  store.migrate();
  const began: OpenThread = { thread_id: "th-1", command_id: "cmd-1", seq: 1, ...thread };
  const conversation = { conversation_id: "conv-1", user_id: "ada", status: "active", created_at: 0, updated_at: 0 };
  const log = new EventLog({ conversation, reserved: 0, open: [began] } as never, store, new Broadcaster([]), {
    onSent: () => {},
    reset: (reason) => expect.unreachable(reason),
  });
  store.putCommand("cmd-1", { thread_id: "th-1", seq: 1, request: { message: "hello" } });
  const agents = Promise.withResolvers<readonly Agent[]>();
  const told: ChatMessage[][] = [];
  const threads = new ThreadSupervisor(log, {
    store,
    schedules: new ScheduleStore(inMemory()),
    settings: parseSettings(settings),
    basePorts: {
      model: {
        complete({ messages, signal }) {
          told.push([...messages]);
          return Promise.reject(signal.aborted ? (signal.reason as Error) : NOBODY);
        },
      },
      agents: { ...scriptedAgents({}), list: () => agents.promise },
      report: (thrown) => expect.unreachable(String(thrown)),
      schedules: () => Promise.resolve({ used: 0, most: 1 }),
    },
    jobs: () => ({ push: () => Promise.resolve() }) as never,
    setAlarm: () => Promise.resolve(),
    onRun: () => {},
    reset: (reason) => expect.unreachable(reason),
  });
  return { threads, log, told, goOn: () => agents.resolve([]), ended: () => [...log.readFrames(0)] };
}

test("what kept interrupting its host is given up with the reason", async () => {
  const { threads, log, goOn, ended } = open({ attempts: 3 });
  await threads.ensureRunning();
  goOn();
  await expect.poll(() => log.head.open).toEqual([]);
  expect(ended().map(({ event }) => event)).toEqual(["task_retrying", "system_failed", "done"]);
  expect(log.head.conversation.status).toBe("failed");
});

test.each([
  ["being given up", { attempts: 3 }, {}],
  ["running out of time", { attempts: 1 }, { MAX_THREAD_SECONDS: "0.01" }],
])("[T5] [I17] a cancel that is acknowledged while the thread is %s is not forgotten", async (_, thread, settings) => {
  const { threads, log, goOn, ended } = open(thread, settings);
  await threads.ensureRunning();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const cancelled = threads.cancel({ thread_id: "th-1" });
  goOn();
  expect(await cancelled).toEqual(["th-1"]);
  await expect.poll(() => log.head.open).toEqual([]);
  expect(ended().filter(({ event }) => event === "system_failed")).toEqual([]);
  expect(ended().at(-1)).toMatchObject({ event: "done", data: { metadata: { cancelled: true } } });
  expect(log.head.conversation.status).toBe("completed");
});

test("what is cancelled while it waits was not said before what runs", async () => {
  const { threads, log, told, goOn } = open({ attempts: 0 });
  for (const [thread_id, content] of [
    ["th-1", "hello"],
    ["th-2", "never mind"],
  ] as const) {
    const place = { thread_id, task_id: `ask-${thread_id}`, role: "user" } as const;
    log.publish([{ event: "thread_started", data: { ...place, payload: { content } } }], (head) => {
      const waits = { thread_id, command_id: "cmd-2", seq: 2, attempts: 0 };
      return thread_id === "th-2" ? { ...head, open: [...head.open, waits] } : head;
    });
  }
  await threads.ensureRunning();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const cancelled = threads.cancel({ thread_id: "th-2" });
  await expect.poll(() => log.head.open).toHaveLength(1);
  goOn();
  await cancelled;
  await expect.poll(() => log.head.open).toEqual([]);
  expect(told[0]?.slice(1)).toEqual([{ role: "user", content: "hello" }]);
});
