// Creates the loaded state of a conversation: log, threads, schedules and instance, wired to each other.
//
// The parts refer to each other through callbacks. All effects flow in one direction: threads publish to the log; the
// log notifies push notifications (inside its transaction), then subscribers, the directory and the lease.

import type { Broadcaster } from "./broadcaster.ts";
import type { ConversationHead } from "./storage/conversation-head.ts";
import type { DirectorySync } from "./directory-sync.ts";
import { WorkflowInstances } from "./workflow-instances.ts";
import { EventLog } from "./event-log.ts";
import type { ConversationOutbox } from "./deliveries/outbox.ts";
import { ConversationSchedules } from "./conversation-schedules.ts";
import { ThreadSupervisor, type SupervisorDeps } from "./threads/thread-supervisor.ts";

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
  readonly broadcaster: Broadcaster;
  readonly directorySync: DirectorySync;
  readonly outbox: ConversationOutbox;
};

/**
 * Creates the parts for the stored head of a conversation, or for the first head of a new one. Also attaches the log to
 * the push notifications, and passes the planned tasks of open threads to the directory sync. Stores nothing and starts
 * no work.
 */
export function createConversationState(
  head: ConversationHead,
  { broadcaster, directorySync, outbox, ...deps }: ConversationParts,
): ConversationState {
  const log: EventLog = new EventLog(head, deps.store, broadcaster, {
    onSent: (frames, isStored) => {
      directorySync.handleEvents(frames, log.head.conversation);
      if (isStored) threads.extendExpiringLease();
    },
    prepareWrite: (frames) => outbox.pushes.prepareWrite(frames, log),
    reset: deps.reset,
  });
  outbox.pushes.attachLog(log);
  for (const { thread_id, seq } of head.open) directorySync.addPlannedTasks(log.readThread(thread_id, seq).frames);
  const threads = new ThreadSupervisor(log, {
    ...deps,
    onScheduleChanged: (result) => outbox.handleScheduleChange(result),
  });
  const schedules = new ConversationSchedules(log, deps.schedules, threads, outbox.deliveries, {
    onChanged: (removed) => directorySync.markSchedulesChanged(log.head.conversation, removed),
    setReminder: (removed) => directorySync.setReminder(removed),
  });
  return { log, threads, schedules, instances: new WorkflowInstances(log, threads) };
}
