// The loaded state of a conversation: log, threads, schedules and instance, wired to each other, and its lifetime.
//
// Owns the loaded state: it is read from storage on first use, created by the first command, and discarded when the
// conversation is deleted. Calls may interleave at every `await`: load the state again after one.
//
// The parts refer to each other through callbacks. All effects flow in one direction: threads publish to the log; the
// log notifies push notifications (inside its transaction), then subscribers, the directory and the lease.

import { createFault } from "../../protocol/wire/message-error.ts";
import type { ConversationKey } from "../conversation-api.ts";
import type { Broadcaster } from "./broadcaster.ts";
import { ConversationSchedules } from "./conversation-schedules.ts";
import type { DeliveryQueue } from "./deliveries/delivery-queue.ts";
import type { PushNotifications } from "./deliveries/push-notifications.ts";
import type { DirectorySync } from "./directory-sync.ts";
import { EventLog } from "./event-log.ts";
import { createHead, type ConversationHead } from "./storage/conversation-head.ts";
import { ThreadSupervisor, type SupervisorDeps } from "./threads/thread-supervisor.ts";
import { WorkflowInstances } from "./workflow-instances.ts";

/**
 * Exists once per existing conversation and object; replaced only when the conversation is deleted and created again.
 */
export type ConversationState = {
  readonly log: EventLog;
  readonly threads: ThreadSupervisor;
  readonly schedules: ConversationSchedules;
  readonly instances: WorkflowInstances;
};

type ConversationParts = Omit<SupervisorDeps, "onScheduleChanged"> & {
  readonly name: ConversationKey;
  readonly broadcaster: Broadcaster;
  readonly directorySync: DirectorySync;
  readonly deliveries: DeliveryQueue;
  readonly pushes: PushNotifications;
};

/** Loads and creates the state. One instance per object. */
export class ConversationLoader {
  readonly #parts: ConversationParts;
  #loaded: ConversationState | null = null;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  get loaded(): ConversationState | null {
    return this.#loaded;
  }

  /** Returns the state, loading it from storage if needed; null if the conversation does not exist. */
  find(): ConversationState | null {
    const head = this.#loaded === null ? this.#parts.store.loadHead() : null;
    if (head !== null) {
      this.#loaded = createConversationState(head, this.#parts);
      this.#parts.deliveries.setJob();
    }
    return this.#loaded;
  }

  /** Returns the state. Throws `not_found` if the conversation does not exist. */
  get(): ConversationState {
    const found = this.find();
    if (found === null) throw createFault("not_found", "conversation.notFound");
    return found;
  }

  /** T4. Returns the state, as `get` does, and resumes its threads. */
  wake(): ConversationState {
    const found = this.get();
    found.threads.wake();
    return found;
  }

  /** Creates the state of a new conversation. The caller's first `publish` stores it. */
  create(title?: string): ConversationState {
    this.#parts.store.migrate();
    return (this.#loaded = createConversationState(createHead(this.#parts.name, title), this.#parts));
  }

  /** Discards the state of a deleted conversation: nothing of it runs or publishes from now on (S3). */
  discard(): void {
    this.#loaded?.threads.close();
    this.#loaded?.log.close();
    this.#loaded = null;
  }
}

/**
 * Creates the parts for the stored head of a conversation, or for the first head of a new one. Also attaches the log to
 * the push notifications, and passes the planned tasks of open threads to the directory sync. Stores nothing and starts
 * no work.
 */
function createConversationState(head: ConversationHead, parts: ConversationParts): ConversationState {
  const { broadcaster, directorySync, pushes, ...deps } = parts;
  const log: EventLog = new EventLog(head, deps.store, broadcaster, {
    onSent: (frames, isStored) => {
      directorySync.handleEvents(frames, log.head.conversation);
      if (isStored) threads.extendExpiringLease();
    },
    prepareWrite: (frames) => pushes.prepareWrite(frames, log),
    reset: deps.reset,
  });
  pushes.attachLog(log);
  for (const { thread_id, seq } of head.open) directorySync.addPlannedTasks(log.readThread(thread_id, seq).frames);
  const threads = new ThreadSupervisor(log, {
    ...deps,
    onScheduleChanged: (result) => {
      if (result !== undefined) deps.deliveries.enqueue(result, Date.now());
      directorySync.markSchedulesChanged(log.head.conversation);
    },
  });
  const schedules = new ConversationSchedules(
    log,
    { ...deps, threads },
    {
      onChanged: (removed) => directorySync.markSchedulesChanged(log.head.conversation, removed),
      setReminder: (removed) => directorySync.setReminder(removed),
    },
  );
  return { log, threads, schedules, instances: new WorkflowInstances(log, deps.store, threads) };
}
