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
import type { ThreadRecord } from "../../durable/api.ts";
import type { ThreadStatus } from "../../protocol/thread-state.ts";
import { behind, opaque } from "../cursor.ts";
import { conversationIdSchema, isConversationId } from "../ids.ts";
import type { Desk } from "./desk.ts";
import { Shelf } from "./shelf.ts";
import { taskOf } from "./snapshot.ts";
import { historyLengthIn } from "./tasks.ts";
import { threadsOf, totalOf, type Wanted } from "./wanted.ts";
import { statusOfState } from "./words.ts";

const USUAL_PAGE = 50;
const MOST_PAGE = 100;
/** The maximum number of conversations that one request opens in addition to those in its token. */
const MOST_OPENED = 100;
/**
 * The maximum number of opened conversations with more tasks; each page reads from all of them. At the limit, their
 * tasks are returned first, and newer tasks of other conversations come after them.
 */
const MOST_OPEN = 200;
/** The minimum number of threads to read from a conversation at once. */
const PORTION = 20;

/** ISO 8601 as in ProtoJSON. `Date.parse` would accept many other formats. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The content of a page token: the position after the tasks that were returned. */
const tokenSchema = z.object({
  /** Opened conversations with more tasks, each with the `seq` before which the next tasks end. */
  open: z.array(z.tuple([conversationIdSchema, z.int()])).max(MOST_OPEN),
  /** The position in the directory's list; "" is its start, null its end. */
  cursor: z.string().nullable(),
  /** The total at the time of the first page. */
  total: z.int(),
});
type Token = z.infer<typeof tokenSchema>;

/**
 * Returns one page of tasks as JSON. `params` are the request parameters before parsing: they distinguish an unknown
 * state from a missing state. Throws a `RequestMalformedError` for an invalid page size, state, timestamp or token.
 */
export async function listTasks(desk: Desk, params: Readonly<Record<string, unknown>>, request: ListTasksRequest) {
  const pageSize = pageSizeIn(request.pageSize);
  const historyLength = historyLengthIn(request.historyLength);
  const { contextId } = request;
  const [status, since] = [statusIn(params["status"]), sinceIn(request.statusTimestampAfter)];
  if (status === null) return { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
  const agent = desk.agent?.name;
  const sought = { since, ...(agent === undefined ? {} : { agent }), ...(status === "any" ? {} : { status }) };
  const wanted = { verbs: desk.verbs, contextId, sought, pageSize };
  const isFirst = request.pageToken === "";
  const start = isFirst ? beginningOf(contextId) : tokenIn(request.pageToken);
  const { found, next } = await pageFrom(wanted, start);
  const total = isFirst ? await totalFrom(wanted, found, next) : start.total;
  const shown = { isOurs: desk.isOurs, historyLength, hasArtifacts: request.includeArtifacts === true };
  return {
    tasks: found.map(({ id, record }) => Task.toJSON(taskOf(id, record, shown))),
    nextPageToken: next === null ? "" : opaque({ ...next, total }),
    pageSize: found.length,
    totalSize: total,
  };
}

/** Returns the total. It needs no further reads if the first page is also the last. */
async function totalFrom(wanted: Wanted, found: readonly Found[], next: Place | null): Promise<number> {
  return next === null ? found.length : Math.max(found.length, await totalOf(wanted));
}

/** Returns the token of the first page. An id that cannot be a conversation's yields an empty list. */
function beginningOf(contextId: string): Token {
  if (contextId === "") return { open: [], cursor: "", total: 0 };
  if (!isConversationId(contextId)) return { open: [], cursor: null, total: 0 };
  return { open: [[contextId, Number.MAX_SAFE_INTEGER]], cursor: null, total: 0 };
}

/** The part of a token that one page reads and advances. */
type Place = Pick<Token, "open" | "cursor">;

/** A task of a page with the id of its conversation. */
type Found = { readonly id: string; readonly record: ThreadRecord };

/** The unreturned threads of one opened conversation. `before` is the `seq` at which to continue; null at the end. */
type Source = { readonly id: string; readonly records: ThreadRecord[]; before: number | null };

/** Reads one page from the given position. `next` is null after the last page. */
async function pageFrom(wanted: Wanted, token: Place): Promise<{ found: Found[]; next: Place | null }> {
  const { verbs, pageSize } = wanted;
  const sources = await Promise.all(token.open.map(([id, before]) => sourceOf(wanted, id, before)));
  const shelf = new Shelf(verbs, token.cursor);
  const found: Found[] = [];
  while (found.length < pageSize) {
    await shelf.look();
    const newest = newestIn(sources);
    const hasNewer = shelf.next !== null && (newest === undefined || shelf.next.updatedAt >= updatedAt(newest));
    const isFull = shelf.opened >= MOST_OPENED || sources.filter(hasMore).length >= MOST_OPEN;
    if (hasNewer && !isFull) {
      sources.push(await sourceOf(wanted, shelf.take(), Number.MAX_SAFE_INTEGER));
      continue;
    }
    if (newest === undefined) break;
    const record = newest.records.shift();
    if (record !== undefined) found.push({ id: newest.id, record });
    if (newest.records.length === 0 && newest.before !== null) await refill(wanted, newest);
  }
  // Buffers that were read but not returned are read again by the next page.
  const open = sources.flatMap((source) => restOf(source));
  const isOver = open.length === 0 && shelf.cursor === null;
  return { found, next: isOver ? null : { open, cursor: shelf.cursor } };
}

/** Returns the buffer with the most recently updated thread; undefined if all buffers are empty. */
function newestIn(sources: readonly Source[]): Source | undefined {
  const filled = sources.filter(({ records }) => records.length > 0);
  return filled.toSorted((a, b) => updatedAt(b) - updatedAt(a))[0];
}

/** Returns the update time of the first buffered thread in ms, 0 for an empty buffer. */
function updatedAt({ records: [first] }: Source): number {
  return first?.updated_at ?? 0;
}

/** True if the conversation may have threads that were not returned. */
function hasMore({ records, before }: Source): boolean {
  return records.length > 0 || before !== null;
}

/** Returns the token entry of a conversation, or nothing if all of its threads were returned. */
function restOf({ id, records, before }: Source): Token["open"] {
  const [first] = records;
  if (first !== undefined) return [[id, first.last_seq + 1]];
  return before === null ? [] : [[id, before]];
}

/** Opens a conversation at `before` and fills its buffer. */
async function sourceOf(wanted: Wanted, id: string, before: number): Promise<Source> {
  const source: Source = { id, records: [], before };
  await refill(wanted, source);
  return source;
}

/** Appends the next threads of the conversation and advances `before`. */
async function refill(wanted: Wanted, source: Source): Promise<void> {
  if (source.before === null) return;
  const page = await threadsOf(wanted, source.id, source.before, Math.max(PORTION, wanted.pageSize));
  source.records.push(...page.threads);
  source.before = page.next;
}

/** Returns the requested page size, or the default. */
function pageSizeIn(size: number | undefined): number {
  if (size === undefined) return USUAL_PAGE;
  if (Number.isInteger(size) && size >= 1 && size <= MOST_PAGE) return size;
  throw new RequestMalformedError(`pageSize: must be a whole number from 1 to ${MOST_PAGE}`);
}

/** Parses the state filter: "any" without a filter, null for an A2A state that no thread has. */
function statusIn(given: unknown): ThreadStatus | "any" | null {
  if (given === undefined || given === null || given === "") return "any";
  const state = taskStateFromJSON(given);
  if (state === TaskState.UNRECOGNIZED) throw new RequestMalformedError("status: is no state of a task");
  return state === TaskState.TASK_STATE_UNSPECIFIED ? "any" : statusOfState(state);
}

/** Returns the earliest update time in ms since the epoch, 0 without a filter. */
function sinceIn(given: string | undefined): number {
  if (given === undefined || given === "") return 0;
  const since = TIME.test(given) ? Date.parse(given) : NaN;
  if (Number.isNaN(since)) throw new RequestMalformedError("statusTimestampAfter: must be a time in ISO 8601");
  return since;
}

/** Decodes a page token. Throws a `RequestMalformedError` if it was not issued here. */
function tokenIn(text: string): Token {
  try {
    return behind(tokenSchema, text);
  } catch (cause) {
    throw new RequestMalformedError({ message: "pageToken: is not one that was given out here", cause });
  }
}
