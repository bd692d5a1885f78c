// GetTask and CancelTask, and the lookup of tasks.

import type { CancelTaskRequest, GetTaskRequest, Task } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotCancelableError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { ThreadRecord } from "../../durable/api.ts";
import { placeOf } from "../../protocol/a2a.ts";
import { Fault } from "../../protocol/fault.ts";
import { isAsked, isOver } from "../../protocol/thread-state.ts";
import type { Desk } from "./desk.ts";
import { stateOf, taskOf } from "./snapshot.ts";

/** A task with its ids and its stored record. */
export type Known = { readonly conversationId: string; readonly threadId: string; readonly record: ThreadRecord };

/**
 * Finds a task of this user and of the addressed agent. Rejects with the same `TaskNotFoundError` if it does not exist
 * or is not accessible (U1).
 */
export async function knownTask(desk: Desk, taskId: string): Promise<Known> {
  if (taskId === "") throw new RequestMalformedError("id: the id of a task is required");
  const place = placeOf(taskId);
  const record = place === null ? null : await recordAt(desk, place.conversationId, place.threadId);
  if (place === null || record === null || !isAsked(record.frames[0], desk.agent?.name))
    throw new TaskNotFoundError({ message: "There is no such task.", metadata: { taskId: taskId.slice(0, 300) } });
  return { ...place, record };
}

/** Reads the record of a thread; null if it does not exist. */
async function recordAt({ verbs }: Desk, id: string, threadId: string): Promise<ThreadRecord | null> {
  try {
    return await verbs.thread(id, threadId);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return null;
    throw thrown;
  }
}

/** Returns a snapshot of a task. */
export async function getTask(desk: Desk, { id, historyLength: wanted }: GetTaskRequest): Promise<Task> {
  const historyLength = historyLengthIn(wanted);
  const { conversationId, record } = await knownTask(desk, id);
  return taskOf(conversationId, record, { isOurs: desk.isOurs, historyLength });
}

/** Cancels a task and returns it. Rejects with a `TaskNotCancelableError` if it has ended. */
export async function cancelTask(desk: Desk, { id }: CancelTaskRequest): Promise<Task> {
  const { conversationId, threadId, record } = await knownTask(desk, id);
  if (isOver(stateOf(record).status)) throw ended(id);
  try {
    await desk.verbs.cancel(conversationId, { thread_id: threadId });
  } catch (thrown) {
    // The task ended between the read and the cancel.
    if (thrown instanceof Fault && thrown.code === "not_found") throw ended(id);
    throw thrown;
  }
  return taskOf(conversationId, await desk.verbs.thread(conversationId, threadId), { isOurs: desk.isOurs });
}

function ended(taskId: string): Error {
  return new TaskNotCancelableError({ message: "The task has ended.", metadata: { taskId } });
}

/** Validates the requested history length and returns it; undefined requests all messages. */
export function historyLengthIn(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  throw new RequestMalformedError("historyLength: must be a whole number, not negative");
}
