// Access to the conversations of a caller. A conversation id may be that of a sub-conversation, which shows one task of
// its parent and is read-only.

import { findParentId } from "../../directory/conversation-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import {
  formatObjectName,
  unwrapResult,
  type AcceptedCommand,
  type InternalResult,
} from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import { belongsToTask, createReadOnlyFault, withConversationId } from "../../durable/conversation/sub-conversation.ts";
import type { Env } from "../../env.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import { deriveId, isSubConversationId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { readFrameBatches } from "../read-frames.ts";
import { isConversationId } from "./id-validation.ts";
import type { Caller } from "./operation.ts";

/** Returns the name of the Durable Object of a user's conversation. Throws `not_found` for an invalid id. */
export function getConversationName(userId: string, id: string): string {
  if (!isConversationId(id)) throw createFault("not_found", "conversation.notFound");
  return formatObjectName(userId, id);
}

/** Returns the stub of a conversation. The conversation need not exist. Throws `not_found` for an invalid id. */
export function getConversationStub({ env, userId }: Caller, id: string): ConversationApi {
  return env.CONVERSATION.getByName(getConversationName(userId, id));
}

/**
 * Returns the id of the conversation whose task a sub-conversation shows; null if there is none. While the directory is
 * down, throws `unavailable` for an id with the form of a sub-conversation, and returns null for other ids.
 */
export function findParentConversation({ DB }: Env, userId: string, id: string): Promise<string | null> {
  const parent = findParentId(openDirectory(DB), userId, id);
  return isSubConversationId(id) ? requireDirectory(parent) : parent.catch(() => null);
}

/** Returns the parent and the task of a sub-conversation; null for any other id. */
export async function findSubConversation(
  caller: Caller,
  id: string,
): Promise<{ readonly parent: string; readonly task: Task } | null> {
  const parent = await findParentConversation(caller.env, caller.userId, id);
  const task = parent === null ? undefined : await findTask(caller, parent, deriveId(id, "task"));
  return parent === null || task?.conversation_id !== id ? null : { parent, task };
}

/** Returns a task of a conversation; undefined if it has no such task. */
export async function findTask(caller: Caller, id: string, taskId: string): Promise<Task | undefined> {
  const tasks = unwrapResult(await getConversationStub(caller, id).tasks({ task_id: taskId }));
  // An object of an earlier release returns all tasks.
  return tasks.find((task) => task.task_id === taskId);
}

/** Reads a conversation. If it does not exist and `id` is a sub-conversation, reads one task of its parent instead. */
export async function readConversationOrTask<T>(
  caller: Caller,
  id: string,
  read: (from: ConversationApi, task?: string) => Promise<InternalResult<T>>,
): Promise<T> {
  const own = await read(getConversationStub(caller, id));
  if (own.ok || own.failure.code !== "not_found") return unwrapResult(own);
  const sub = await findSubConversation(caller, id);
  return unwrapResult(sub === null ? own : await read(getConversationStub(caller, sub.parent), sub.task.task_id));
}

/** Changes a conversation. Throws `conflict` for a sub-conversation: its parent must be changed. */
export async function writeToConversation<T>(
  caller: Caller,
  id: string,
  change: (api: ConversationApi) => Promise<InternalResult<T>>,
): Promise<T> {
  const changed = await change(getConversationStub(caller, id));
  if (!changed.ok && changed.failure.code === "not_found") await refuseSubConversation(caller, id);
  return unwrapResult(changed);
}

/** Throws `conflict` if the id is that of a sub-conversation. */
export async function refuseSubConversation(caller: Caller, id: string): Promise<void> {
  const sub = await findSubConversation(caller, id);
  if (sub !== null) throw createReadOnlyFault(sub.parent);
}

/**
 * Returns JSON lines of frames with a `seq` greater than `after`. With `thread`, the stream contains only this thread
 * and ends after its `done`, or when it waits; otherwise it stays open until it is cancelled. Throws `too_many_requests`
 * if too many readers follow the conversation.
 */
export function followConversation(
  caller: Caller,
  id: string,
  after: number,
  thread?: string,
): Promise<ReadableStream<Uint8Array>> {
  return readConversationOrTask(caller, id, async (from, task) => {
    const lines = await from.follow(after, thread);
    return lines.ok && task !== undefined ? { ok: true, value: filterTaskLines(lines.value, id, task) } : lines;
  });
}

/** Follows an accepted thread to its end, including the first events of the conversation if the message created it. */
export function followThread(
  caller: Caller,
  { conversation_id, thread_id, seq, is_first }: AcceptedCommand,
): Promise<ReadableStream<Uint8Array>> {
  return followConversation(caller, conversation_id, is_first ? 0 : seq - 1, thread_id);
}

const encoder = new TextEncoder();

/**
 * Returns the lines of one task from the lines of its parent conversation, with `id` as their conversation. Pulls from
 * the parent only on demand. Cancelling the stream cancels the parent's lines.
 */
function filterTaskLines(lines: ReadableStream<Uint8Array>, id: string, task: string): ReadableStream<Uint8Array> {
  const abortController = new AbortController();
  const batches = readFrameBatches(lines, abortController.signal);
  /** Returns the next lines of the task; an empty string at the end. */
  const readNextLines = async (): Promise<string> => {
    for (;;) {
      const { done, value: frames } = await batches.next();
      if (done === true) return "";
      const taskFrames = frames.filter((frame) => belongsToTask(frame, task));
      if (taskFrames.length > 0)
        return taskFrames.map((frame) => `${JSON.stringify(withConversationId(id, frame))}\n`).join("");
    }
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const text = await readNextLines();
      if (text === "") controller.close();
      else controller.enqueue(encoder.encode(text));
    },
    cancel: () => abortController.abort(),
  });
}
