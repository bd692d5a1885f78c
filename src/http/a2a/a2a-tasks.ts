// GetTask and CancelTask, and the lookup of tasks.

import type { CancelTaskRequest, GetTaskRequest, Task } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotCancelableError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { ThreadRecord } from "../../durable/conversation-api.ts";
import { parseA2ATaskId } from "../../protocol/agents/a2a-extension.ts";
import { formatEnglish } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { isUserThread, isFinalThreadStatus } from "../../protocol/wire/thread-state.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { computeThreadState, buildTask } from "./task-snapshot.ts";

/** A task with its ids and its stored record. */
export type FoundTask = { readonly conversationId: string; readonly threadId: string; readonly record: ThreadRecord };

/**
 * Finds a task of this user and of the addressed agent. Rejects with the same `TaskNotFoundError` if it does not exist
 * or is not accessible (U1), and with a `RequestMalformedError` for an empty id.
 */
export async function findTask(context: A2ARequestContext, taskId: string): Promise<FoundTask> {
  if (taskId === "") throw new RequestMalformedError("id: is required");
  const ids = parseA2ATaskId(taskId);
  const record = ids === null ? null : await readThreadRecord(context, ids.conversationId, ids.threadId);
  if (ids === null || record === null || !isUserThread(record.frames[0], context.agent?.name))
    throw new TaskNotFoundError({
      message: formatEnglish("task.notFound"),
      metadata: { taskId: taskId.slice(0, 300) },
    });
  return { ...ids, record };
}

/** Reads the record of a thread; null if it does not exist. */
async function readThreadRecord(
  { operations }: A2ARequestContext,
  id: string,
  threadId: string,
): Promise<ThreadRecord | null> {
  try {
    return await operations.getThread(id, threadId);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return null;
    throw thrown;
  }
}

/** Returns a snapshot of a task. Rejects like `findTask` and `validateHistoryLength`. */
export async function getTask(
  context: A2ARequestContext,
  { id, historyLength: requestedLength }: GetTaskRequest,
): Promise<Task> {
  const historyLength = validateHistoryLength(requestedLength);
  const { conversationId, record } = await findTask(context, id);
  return buildTask(conversationId, record, { usesExtension: context.usesExtension, historyLength });
}

/**
 * Cancels a task and returns it. Rejects with a `TaskNotCancelableError` if it has ended, otherwise like `findTask`.
 */
export async function cancelTask(context: A2ARequestContext, { id }: CancelTaskRequest): Promise<Task> {
  const { conversationId, threadId, record } = await findTask(context, id);
  if (isFinalThreadStatus(computeThreadState(record).status)) throw createEndedTaskError(id);
  try {
    await context.operations.cancel({ id: conversationId, body: { thread_id: threadId } });
  } catch (thrown) {
    // The task ended between the read and the cancel.
    if (thrown instanceof Fault && thrown.code === "not_found") throw createEndedTaskError(id);
    throw thrown;
  }
  return buildTask(conversationId, await context.operations.getThread(conversationId, threadId), {
    usesExtension: context.usesExtension,
  });
}

function createEndedTaskError(taskId: string): Error {
  return new TaskNotCancelableError({ message: formatEnglish("a2a.taskEnded"), metadata: { taskId } });
}

/**
 * Returns the requested history length; undefined requests all messages. Throws a `RequestMalformedError` unless it is
 * a non-negative integer.
 */
export function validateHistoryLength(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  throw new RequestMalformedError("historyLength: must be a non-negative integer");
}
