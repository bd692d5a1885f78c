// Creates the loaded state of a conversation: log, threads, schedules and instance, wired to each other.
//
// The parts refer to each other through callbacks. All effects flow in one direction: threads publish to the log; the
// log notifies push notifications (inside its transaction), then subscribers, the directory and the lease.

import type { Audience } from "./audience.ts";
import type { Head } from "./head.ts";
import type { Indexing } from "./indexing.ts";
import { Instances } from "./instances.ts";
import { Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import { Schedules } from "./schedules.ts";
import { Threads, type Around } from "./threads.ts";

/**
 * Exists once per existing conversation and object; replaced only when the conversation is deleted and created again.
 */
export type Opened = {
  readonly log: Log;
  readonly threads: Threads;
  readonly schedules: Schedules;
  readonly instances: Instances;
};

type Parts = Omit<Around, "onRun"> & {
  readonly audience: Audience;
  readonly indexing: Indexing;
  readonly outbox: Outbox;
};

/** Wires the parts for a stored head, or for that of a new conversation. Stores nothing. */
export function opened(head: Head, { audience, indexing, outbox, ...around }: Parts): Opened {
  const log: Log = new Log(head, around.store, audience, {
    onTold: (frames, isStored) => {
      indexing.hear(frames, log.head.conversation);
      if (isStored) threads.passBy();
    },
    writeOf: (frames) => outbox.pushes.writeOf(frames, log),
    reset: around.reset,
  });
  outbox.pushes.tellFrom(log);
  for (const { thread_id, seq } of head.open) indexing.learn(log.thread(thread_id, seq).frames);
  const threads = new Threads(log, { ...around, onRun: (run) => outbox.hearRun(run) });
  const schedules = new Schedules(log, around.schedules, threads, outbox.deliveries, {
    changed: (removed) => indexing.schedulesChanged(log.head.conversation, removed),
    remind: (removed) => indexing.remind(removed),
  });
  return { log, threads, schedules, instances: new Instances(log, threads) };
}
