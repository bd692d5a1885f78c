// What is read of one task is what is told of it in the whole conversation, whatever it was stored together with.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Draft } from "../../src/core/ports.ts";
import { objectName } from "../../src/durable/api.ts";
import { Audience } from "../../src/durable/audience.ts";
import { Log } from "../../src/durable/log.ts";
import { sqlOf } from "../../src/durable/sql.ts";
import { Store } from "../../src/durable/store.ts";
import { isOfTask } from "../../src/durable/sub-conversation.ts";
import type { Env } from "../../src/env.ts";
import type { Frame } from "../../src/protocol/events.ts";
import { mint } from "../../src/protocol/ids.ts";
import { shapeItems, type Item } from "../../src/protocol/items.ts";

const { CONVERSATION } = env as unknown as Env;
const TASKS = ["task-1", "task-2"];

const conversation = { conversation_id: "c", user_id: "u", status: "active", created_at: 0, updated_at: 0 } as const;

const told = fc.constantFrom("message_chunk", "message", "task_started", "task_completed", "task_retrying", "done");
const draft = fc.tuple(told, fc.constantFrom(...TASKS), fc.string({ minLength: 1, maxLength: 4 })).map(draftOf);

function draftOf([event, task_id, content]: [string, string, string]): Draft {
  if (event === "done") return { event, data: { role: "system", thread_id: "th-1" } };
  const data = { thread_id: "th-1", task_id, agent_name: "a", role: "agent", payload: { content, attempt: 2 } };
  return { event, data } as Draft;
}

function shownBy(frames: Iterable<Frame>): unknown[] {
  const items = new Map<string, Item>();
  for (const frame of frames) shapeItems(items, frame.seq, frame, 0);
  return [...items.values()].map(untimed);
}

function untimed({ created_at: _, ...item }: Item): unknown {
  return item;
}

/** All pages of one task. */
function paged(log: Log, task: string, limit: number): Frame[] {
  const frames: Frame[] = [];
  for (let page = log.page(0, limit, task); page.events.length > 0; page = log.page(page.next, limit, task))
    frames.push(...page.events);
  return frames;
}

test("[L2] [F48] what a task has said is all there when it is read alone, in pages of any size", async () => {
  const stub = CONVERSATION.getByName(objectName("alone", mint("conv")));
  await runInDurableObject(stub, (_, { storage }) => {
    const batches = fc.array(fc.array(draft, { minLength: 1, maxLength: 4 }), { maxLength: 20 });
    const holds = fc.property(batches, fc.integer({ min: 1, max: 5 }), (published, limit) => {
      const store = new Store(sqlOf(storage));
      store.migrate();
      store.clear();
      const hooks = { onTold: () => {}, reset: (reason: string) => expect.unreachable(reason) };
      const log = new Log({ conversation, reserved: 0, open: [] }, store, new Audience([]), hooks);
      for (const drafts of published) log.publish(drafts);
      for (const task of TASKS) {
        const own = [...log.framesAfter(0)].filter((frame) => isOfTask(frame, task));
        expect(shownBy(log.framesAfter(0, task))).toEqual(shownBy(own));
        expect(shownBy(paged(log, task, limit))).toEqual(shownBy(own));
        expect(log.items(task).map(untimed)).toEqual(shownBy(own));
      }
    });
    fc.assert(holds, { numRuns: 200, seed: 7 });
  });
});
