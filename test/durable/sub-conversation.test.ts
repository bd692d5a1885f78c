// The events read for one task equal its events in the whole conversation, whichever rows store them.

import { runInDurableObject } from "cloudflare:test";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EventDraft } from "../../src/core/ports.ts";
import { Broadcaster } from "../../src/durable/conversation/broadcaster.ts";
import { EventLog } from "../../src/durable/conversation/event-log.ts";
import { createSql } from "../../src/durable/sql.ts";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";
import { belongsToTask } from "../../src/durable/conversation/sub-conversation.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../src/protocol/wire/items.ts";
import { openConversation } from "./support.ts";

const TASKS = ["task-1", "task-2"];

const conversation = { conversation_id: "c", user_id: "u", status: "active", created_at: 0, updated_at: 0 } as const;

const eventName = fc.constantFrom(
  "message_chunk",
  "message",
  "task_started",
  "task_completed",
  "task_retrying",
  "done",
);
const draft = fc
  .tuple(eventName, fc.constantFrom(...TASKS), fc.string({ minLength: 1, maxLength: 4 }))
  .map(createDraft);

function createDraft([event, task_id, content]: [string, string, string]): EventDraft {
  if (event === "done") return { event, data: { role: "system", thread_id: "th-1" } };
  const data = { thread_id: "th-1", task_id, agent_name: "a", role: "agent", payload: { content, attempt: 2 } };
  return { event, data } as EventDraft;
}

function foldItems(frames: Iterable<Frame>): unknown[] {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame, 0);
  return [...items.values()].map(removeTime);
}

function removeTime({ created_at: _, ...item }: Item): unknown {
  return item;
}

/** Reads all pages of one task. */
function readAllPages(log: EventLog, task: string, limit: number): Frame[] {
  const frames: Frame[] = [];
  for (let page = log.readPage(0, limit, task); page.events.length > 0; page = log.readPage(page.next, limit, task))
    frames.push(...page.events);
  return frames;
}

test("[L2] [F48] a task read alone returns all its events, in pages of any size", async () => {
  await runInDurableObject(openConversation().stub, async (_, { storage }) => {
    const batches = fc.array(fc.array(draft, { minLength: 1, maxLength: 4 }), { maxLength: 20 });
    const holds = fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), async (published, limit) => {
      const store = new ConversationStore(createSql(storage));
      store.migrate();
      store.clear();
      const hooks = { onSent: () => {}, reset: (reason: string) => expect.unreachable(reason) };
      const log = new EventLog(
        { conversation, reserved: 0, open: [] },
        store,
        new Broadcaster(new Map(), Infinity),
        hooks,
      );
      for (const drafts of published) log.publish(drafts);
      for (const task of TASKS) {
        const ownFrames = [...log.readFrames(0)].filter((frame) => belongsToTask(frame, task));
        expect(foldItems(log.readFrames(0, task))).toEqual(foldItems(ownFrames));
        expect(foldItems(readAllPages(log, task, limit))).toEqual(foldItems(ownFrames));
        expect((await log.readItems(task)).map(removeTime)).toEqual(foldItems(ownFrames));
      }
    });
    await fc.assert(holds, { numRuns: 200, seed: 7 });
  });
});
