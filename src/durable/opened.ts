// The parts of a conversation that exists, put together.

import type { ConversationName } from "./api.ts";
import type { Audience } from "./audience.ts";
import type { Indexing } from "./indexing.ts";
import { Instances } from "./instances.ts";
import { Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import { Schedules } from "./schedules.ts";
import type { Head } from "./store.ts";
import { Threads, type Surroundings } from "./threads.ts";

export type Opened = {
  readonly log: Log;
  readonly threads: Threads;
  readonly schedules: Schedules;
  readonly instances: Instances;
};

type Around = Omit<Surroundings, "onRun"> & {
  readonly audience: Audience;
  readonly indexing: Indexing;
  readonly outbox: Outbox;
};

export function opened(head: Head, { audience, indexing, outbox, ...around }: Around): Opened {
  const log: Log = new Log(head, around.store, audience, {
    onTold: (frames) => indexing.hear(frames, log.head.conversation),
    onStored: (frames) => outbox.pushes.hear(frames, log),
    reset: around.reset,
  });
  outbox.pushes.tellFrom(log);
  for (const { thread_id, seq } of head.open) indexing.learn(log.thread(thread_id, seq).frames);
  const threads = new Threads(log, { ...around, onRun: (run) => outbox.hearRun(run) });
  const changed = (removed?: string) => indexing.schedulesChanged(log.head.conversation, removed);
  const schedules = new Schedules(log, around.schedules, threads, outbox.deliveries, changed);
  return { log, threads, schedules, instances: new Instances(log, threads) };
}

/** How a conversation stands that is about to be made. */
export function newHead({ userId, conversationId }: ConversationName, title: string | undefined): Head {
  const now = Date.now();
  const conversation: Head["conversation"] = {
    conversation_id: conversationId,
    user_id: userId,
    ...(title === undefined ? {} : { title }),
    status: "active",
    created_at: now,
    updated_at: now,
  };
  return { conversation, reserved: 0, open: [] };
}
