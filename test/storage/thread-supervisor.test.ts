// The threads of a conversation on SQLite, with controlled agents and models.

import { scriptSchedules } from "../support/scripted-schedules.ts";
import { expect, test } from "vitest";
import { Broadcaster } from "../../src/durable/conversation/broadcaster.ts";
import { EventLog } from "../../src/durable/conversation/event-log.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import type { OpenThread } from "../../src/durable/conversation/storage/conversation-head.ts";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";
import { ThreadSupervisor } from "../../src/durable/conversation/threads/thread-supervisor.ts";
import { createIsolate } from "../../src/durable/isolate.ts";
import { type ChatMessage } from "../../src/core/ports.ts";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { scriptAgents } from "../support/scripted-ports.ts";
import { createInMemorySql } from "../support/sqlite.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

const MODEL_FAULT = new Failure("model_refused", "Nobody answers.", { retryable: false });

/** Opens a conversation with one open thread whose agent list resolves when the test allows it. */
function openConversation(thread: Pick<OpenThread, "attempts">, settings: Readonly<Record<string, unknown>> = {}) {
  const store = new ConversationStore(createInMemorySql());
  store.migrate();
  const openThread: OpenThread = { thread_id: "th-1", command_id: "cmd-1", seq: 1, ...thread };
  const conversation = { conversation_id: "conv-1", user_id: "ada", status: "active", created_at: 0, updated_at: 0 };
  const log = new EventLog(
    { conversation, reserved: 0, open: [openThread] } as never,
    store,
    new Broadcaster(new Map(), Infinity),
    {
      onSent: () => {},
      reset: (reason) => expect.unreachable(reason),
    },
  );
  store.putCommand("cmd-1", { thread_id: "th-1", seq: 1, request: { message: "hello" } });
  const agents = Promise.withResolvers<readonly Agent[]>();
  const prompts: ChatMessage[][] = [];
  const threads = new ThreadSupervisor(log, {
    store,
    schedules: new ScheduleStore(createInMemorySql()),
    settings: parseSettings(settings),
    basePorts: {
      model: {
        complete({ messages, signal }) {
          prompts.push([...messages]);
          return Promise.reject(signal.aborted ? (signal.reason as Error) : MODEL_FAULT);
        },
      },
      agents: { ...scriptAgents({}), list: () => agents.promise },
      profile: () => Promise.resolve({}),
      report: (thrown) => expect.unreachable(String(thrown)),
      schedules: scriptSchedules(new Map(), 1),
    },
    jobs: () => ({ push: () => Promise.resolve() }) as never,
    setAlarm: () => Promise.resolve(),
    isolate: createIsolate(),
    onScheduleChanged: () => {},
    reset: (reason) => expect.unreachable(reason),
  });
  return { threads, log, prompts, resolveAgents: () => agents.resolve([]), readFrames: () => [...log.readFrames(0)] };
}

test("[T5] [I17] keeps an acknowledged cancel of a thread that is out of time", async () => {
  const { threads, log, resolveAgents, readFrames } = openConversation({ attempts: 1 }, { MAX_THREAD_SECONDS: "0.01" });
  await threads.ensureRunning();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const cancelled = threads.cancel({ thread_id: "th-1" });
  resolveAgents();
  expect(await cancelled).toEqual(["th-1"]);
  await expect.poll(() => log.head.open).toEqual([]);
  expect(readFrames().filter(({ event }) => event === "system_failed")).toEqual([]);
  expect(readFrames().at(-1)).toMatchObject({ event: "done", data: { metadata: { cancelled: true } } });
  expect(log.head.conversation.status).toBe("completed");
});

test("leaves a message that is cancelled in the queue out of the running thread's history", async () => {
  const { threads, log, prompts, resolveAgents } = openConversation({ attempts: 0 });
  for (const [thread_id, content] of [
    ["th-1", "hello"],
    ["th-2", "never mind"],
  ] as const) {
    const fields = { thread_id, task_id: `ask-${thread_id}`, role: "user" } as const;
    log.publish([{ event: "thread_started", data: { ...fields, payload: { content } } }], (head) => {
      const waitingThread = { thread_id, command_id: "cmd-2", seq: 2, attempts: 0 };
      return thread_id === "th-2" ? { ...head, open: [...head.open, waitingThread] } : head;
    });
  }
  await threads.ensureRunning();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const cancelled = threads.cancel({ thread_id: "th-2" });
  await expect.poll(() => log.head.open).toHaveLength(1);
  resolveAgents();
  await cancelled;
  await expect.poll(() => log.head.open).toEqual([]);
  expect(prompts[0]?.slice(1)).toEqual([{ role: "user", content: "hello" }]);
});
