// ListTasks: the tasks of one context or of all contexts of the user, most recently updated first.
//
// A page is a merge of several conversations. The directory lists conversations by their last update, and each
// conversation lists its threads by their last update, so the newest task is always at the head of one buffer or in the
// next conversation.
// - A conversation is opened when its last update is not older than the newest buffered task.
// - A buffer is refilled as soon as it is empty, so a buffer with more threads always has a head to compare.
// - The page token stores, per opened conversation with more tasks, the `seq` before which it continues. No page
//   returns a task again, unless the task is updated in between.
// - One request opens at most `MAX_NEW_CONVERSATIONS` conversations. A page may therefore be short and still have a
//   token.
// Buffers belong to one request; nothing is kept between requests except the token.

import { Task, TaskState, taskStateFromJSON, type ListTasksRequest } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as z from "zod";
import type { ThreadRecord } from "../../durable/conversation-api.ts";
import type { ThreadStatus } from "../../protocol/wire/thread-state.ts";
import { decodeOpaque, encodeOpaque } from "../api/list-cursor.ts";
import { conversationIdSchema, isConversationId } from "../api/id-validation.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { ConversationCursor } from "./conversation-cursor.ts";
import { buildTask } from "./task-snapshot.ts";
import { validateHistoryLength } from "./a2a-tasks.ts";
import { listThreads, countTasks, type TaskFilter } from "./task-filter.ts";
import { toThreadStatus } from "./task-messages.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** The maximum number of conversations that one request opens in addition to those in its token. */
const MAX_NEW_CONVERSATIONS = 100;
/**
 * The maximum number of opened conversations with more tasks; each page reads from all of them. At the limit, their
 * tasks are returned first, and newer tasks of other conversations come after them.
 */
const MAX_OPEN_CONVERSATIONS = 200;
/** The minimum number of threads to read from a conversation at once. */
const MIN_THREADS_PER_READ = 20;

/** ISO 8601 as in ProtoJSON. `Date.parse` would accept many other formats. */
const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The content of a page token: the position after the tasks that were returned. */
const pageTokenSchema = z.object({
  /** Opened conversations with more tasks, each with the `seq` before which the next tasks end. */
  open: z.array(z.tuple([conversationIdSchema, z.int()])).max(MAX_OPEN_CONVERSATIONS),
  /** The position in the directory's list; "" is its start, null its end. */
  cursor: z.string().nullable(),
  /** The total at the time of the first page. */
  total: z.int(),
});
type TaskPageToken = z.infer<typeof pageTokenSchema>;

/**
 * Returns one page of tasks as JSON. `params` are the request parameters before parsing: they distinguish an unknown
 * state from a missing state. Throws a `RequestMalformedError` for an invalid page size, state, timestamp or token.
 */
export async function listTasks(
  context: A2ARequestContext,
  params: Readonly<Record<string, unknown>>,
  request: ListTasksRequest,
) {
  const pageSize = parsePageSize(request.pageSize);
  const historyLength = validateHistoryLength(request.historyLength);
  const { contextId } = request;
  const [status, since] = [parseStatusFilter(params["status"]), parseSince(request.statusTimestampAfter)];
  if (status === null) return { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
  const agent = context.agent?.name;
  const threadFilter = { since, ...(agent === undefined ? {} : { agent }), ...(status === "any" ? {} : { status }) };
  const taskFilter = { operations: context.operations, contextId, threadFilter, pageSize };
  const isFirst = request.pageToken === "";
  const start = isFirst ? createFirstPageToken(contextId) : parsePageToken(request.pageToken);
  const { found, next } = await readPage(taskFilter, start);
  const total = isFirst ? await countTotal(taskFilter, found, next) : start.total;
  const options = {
    usesExtension: context.usesExtension,
    historyLength,
    hasArtifacts: request.includeArtifacts === true,
  };
  return {
    tasks: found.map(({ id, record }) => Task.toJSON(buildTask(id, record, options))),
    nextPageToken: next === null ? "" : encodeOpaque({ ...next, total }),
    pageSize: found.length,
    totalSize: total,
  };
}

/** Returns the total. It needs no further reads if the first page is also the last. */
async function countTotal(
  taskFilter: TaskFilter,
  found: readonly ListedTask[],
  next: TaskPagePosition | null,
): Promise<number> {
  return next === null ? found.length : Math.max(found.length, await countTasks(taskFilter));
}

/** Returns the token of the first page. An id that cannot be a conversation's yields an empty list. */
function createFirstPageToken(contextId: string): TaskPageToken {
  if (contextId === "") return { open: [], cursor: "", total: 0 };
  if (!isConversationId(contextId)) return { open: [], cursor: null, total: 0 };
  return { open: [[contextId, Number.MAX_SAFE_INTEGER]], cursor: null, total: 0 };
}

/** The part of a token that one page reads and advances. */
type TaskPagePosition = Pick<TaskPageToken, "open" | "cursor">;

/** A task of a page with the id of its conversation. */
type ListedTask = { readonly id: string; readonly record: ThreadRecord };

/** The unreturned threads of one opened conversation. `before` is the `seq` at which to continue; null at the end. */
type ConversationBuffer = { readonly id: string; readonly records: ThreadRecord[]; before: number | null };

/** Reads one page from the given position. `next` is null after the last page. */
async function readPage(
  taskFilter: TaskFilter,
  token: TaskPagePosition,
): Promise<{ found: ListedTask[]; next: TaskPagePosition | null }> {
  const { operations, pageSize } = taskFilter;
  const buffers = await Promise.all(token.open.map(([id, before]) => loadBuffer(taskFilter, id, before)));
  const cursor = new ConversationCursor(operations, token.cursor);
  const found: ListedTask[] = [];
  while (found.length < pageSize) {
    await cursor.prefetch();
    const newest = findNewestBuffer(buffers);
    const hasNewer = cursor.next !== null && (newest === undefined || cursor.next.updatedAt >= getUpdatedAt(newest));
    const isFull =
      cursor.takenCount >= MAX_NEW_CONVERSATIONS || buffers.filter(hasMore).length >= MAX_OPEN_CONVERSATIONS;
    if (hasNewer && !isFull) {
      buffers.push(await loadBuffer(taskFilter, cursor.take(), Number.MAX_SAFE_INTEGER));
      continue;
    }
    if (newest === undefined) break;
    const record = newest.records.shift();
    if (record !== undefined) found.push({ id: newest.id, record });
    if (newest.records.length === 0 && newest.before !== null) await refillBuffer(taskFilter, newest);
  }
  // Buffers that were read but not returned are read again by the next page.
  const open = buffers.flatMap((buffer) => toOpenEntries(buffer));
  const isOver = open.length === 0 && cursor.position === null;
  return { found, next: isOver ? null : { open, cursor: cursor.position } };
}

/** Returns the buffer with the most recently updated thread; undefined if all buffers are empty. */
function findNewestBuffer(buffers: readonly ConversationBuffer[]): ConversationBuffer | undefined {
  const filled = buffers.filter(({ records }) => records.length > 0);
  return filled.toSorted((a, b) => getUpdatedAt(b) - getUpdatedAt(a))[0];
}

/** Returns the update time of the first buffered thread in ms, 0 for an empty buffer. */
function getUpdatedAt({ records: [first] }: ConversationBuffer): number {
  return first?.updated_at ?? 0;
}

/** True if the conversation may have threads that were not returned. */
function hasMore({ records, before }: ConversationBuffer): boolean {
  return records.length > 0 || before !== null;
}

/** Returns the token entry of a conversation, or nothing if all of its threads were returned. */
function toOpenEntries({ id, records, before }: ConversationBuffer): TaskPageToken["open"] {
  const [first] = records;
  if (first !== undefined) return [[id, first.last_seq + 1]];
  return before === null ? [] : [[id, before]];
}

/** Opens a conversation at `before` and fills its buffer. */
async function loadBuffer(taskFilter: TaskFilter, id: string, before: number): Promise<ConversationBuffer> {
  const buffer: ConversationBuffer = { id, records: [], before };
  await refillBuffer(taskFilter, buffer);
  return buffer;
}

/** Appends the next threads of the conversation and advances `before`. */
async function refillBuffer(taskFilter: TaskFilter, buffer: ConversationBuffer): Promise<void> {
  if (buffer.before === null) return;
  const page = await listThreads(
    taskFilter,
    buffer.id,
    buffer.before,
    Math.max(MIN_THREADS_PER_READ, taskFilter.pageSize),
  );
  buffer.records.push(...page.threads);
  buffer.before = page.next;
}

/** Returns the requested page size, or the default. */
function parsePageSize(size: number | undefined): number {
  if (size === undefined) return DEFAULT_PAGE_SIZE;
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size;
  throw new RequestMalformedError(`pageSize: must be a whole number from 1 to ${MAX_PAGE_SIZE}`);
}

/** Parses the state filter: "any" without a filter, null for an A2A state that no thread has. */
function parseStatusFilter(given: unknown): ThreadStatus | "any" | null {
  if (given === undefined || given === null || given === "") return "any";
  const state = taskStateFromJSON(given);
  if (state === TaskState.UNRECOGNIZED) throw new RequestMalformedError("status: must be a task state");
  return state === TaskState.TASK_STATE_UNSPECIFIED ? "any" : toThreadStatus(state);
}

/** Returns the earliest update time in ms since the epoch, 0 without a filter. */
function parseSince(given: string | undefined): number {
  if (given === undefined || given === "") return 0;
  const since = ISO_TIMESTAMP.test(given) ? Date.parse(given) : NaN;
  if (Number.isNaN(since)) throw new RequestMalformedError("statusTimestampAfter: must be a time in ISO 8601");
  return since;
}

/** Decodes a page token. Throws a `RequestMalformedError` if it was not issued here. */
function parsePageToken(text: string): TaskPageToken {
  try {
    return decodeOpaque(pageTokenSchema, text);
  } catch (cause) {
    throw new RequestMalformedError({ message: "pageToken: invalid", cause });
  }
}
