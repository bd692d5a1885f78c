// ListTasks: the tasks of a context, or of all of this user's, those last updated first.
//
// The directory knows the conversations in the order in which they were last updated, and so does each conversation its
// threads. A page merges as many conversations as it takes; its token says how far each of them
// was read that has more, so that no page reads again what others gave out.

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
/** Conversations that one page may begin to read. A page that finds too little in them says where to go on. */
const MOST_OPENED = 100;
/**
 * Conversations that may have more at once: each page reads on in all of them. Where there are as many, their tasks come
 * first, and newer ones of conversations that were not begun come after them.
 */
const MOST_OPEN = 200;
/** Threads that are read of a conversation at once. */
const PORTION = 20;

/** ISO 8601 as ProtoJSON has it; `Date.parse` takes much else for a time. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** How far the tasks were given out. */
const tokenSchema = z.object({
  /** Conversations that have more, and the number before which its last events come. */
  open: z.array(z.tuple([conversationIdSchema, z.int()])).max(MOST_OPEN),
  /** Where the directory's list goes on; null when it was read to its end. */
  cursor: z.string().nullable(),
  /** How many there were in all when the first page was given out. */
  total: z.int(),
});
type Token = z.infer<typeof tokenSchema>;

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

/** A page that is the only one has all that there is. */
async function totalFrom(wanted: Wanted, found: readonly Found[], next: Place | null): Promise<number> {
  return next === null ? found.length : Math.max(found.length, await totalOf(wanted));
}

function beginningOf(contextId: string): Token {
  if (contextId === "") return { open: [], cursor: "", total: 0 };
  if (!isConversationId(contextId)) return { open: [], cursor: null, total: 0 };
  return { open: [[contextId, Number.MAX_SAFE_INTEGER]], cursor: null, total: 0 };
}

type Place = Pick<Token, "open" | "cursor">;

type Found = { readonly id: string; readonly record: ThreadRecord };

/** A conversation as far as it was read: what of it was not given out yet, and where there is more. */
type Source = { readonly id: string; readonly records: ThreadRecord[]; before: number | null };

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
  const open = sources.flatMap((source) => restOf(source));
  const isOver = open.length === 0 && shelf.cursor === null;
  return { found, next: isOver ? null : { open, cursor: shelf.cursor } };
}

function newestIn(sources: readonly Source[]): Source | undefined {
  const filled = sources.filter(({ records }) => records.length > 0);
  return filled.toSorted((a, b) => updatedAt(b) - updatedAt(a))[0];
}

function updatedAt({ records: [first] }: Source): number {
  return first?.updated_at ?? 0;
}

function hasMore({ records, before }: Source): boolean {
  return records.length > 0 || before !== null;
}

/** Where a conversation goes on after what was given out of it. */
function restOf({ id, records, before }: Source): Token["open"] {
  const [first] = records;
  if (first !== undefined) return [[id, first.last_seq + 1]];
  return before === null ? [] : [[id, before]];
}

async function sourceOf(wanted: Wanted, id: string, before: number): Promise<Source> {
  const source: Source = { id, records: [], before };
  await refill(wanted, source);
  return source;
}

/** Reads on in a conversation. */
async function refill(wanted: Wanted, source: Source): Promise<void> {
  if (source.before === null) return;
  const page = await threadsOf(wanted, source.id, source.before, Math.max(PORTION, wanted.pageSize));
  source.records.push(...page.threads);
  source.before = page.next;
}

function pageSizeIn(size: number | undefined): number {
  if (size === undefined) return USUAL_PAGE;
  if (Number.isInteger(size) && size >= 1 && size <= MOST_PAGE) return size;
  throw new RequestMalformedError(`pageSize: must be a whole number from 1 to ${MOST_PAGE}`);
}

/** Null for a state that no task has here. */
function statusIn(given: unknown): ThreadStatus | "any" | null {
  if (given === undefined || given === null || given === "") return "any";
  const state = taskStateFromJSON(given);
  if (state === TaskState.UNRECOGNIZED) throw new RequestMalformedError("status: is no state of a task");
  return state === TaskState.TASK_STATE_UNSPECIFIED ? "any" : statusOfState(state);
}

function sinceIn(given: string | undefined): number {
  if (given === undefined || given === "") return 0;
  const since = TIME.test(given) ? Date.parse(given) : NaN;
  if (Number.isNaN(since)) throw new RequestMalformedError("statusTimestampAfter: must be a time in ISO 8601");
  return since;
}

function tokenIn(text: string): Token {
  try {
    return behind(tokenSchema, text);
  } catch (cause) {
    throw new RequestMalformedError({ message: "pageToken: is not one that was given out here", cause });
  }
}
