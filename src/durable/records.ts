// Reads threads with their frames, by id or filtered, for interfaces that list tasks.

import { Fault } from "../protocol/fault.ts";
import { isAsked } from "../protocol/thread-state.ts";
import type { Sought, ThreadRecord, ThreadRecords, ThreadsWanted } from "./api.ts";
import type { CommandStore } from "./command-store.ts";
import type { Log, ThreadStanding } from "./log.ts";
import type { Begun } from "./queue.ts";

/** The approximate size limit of one response over RPC, in UTF-16 units. */
const MOST_CHARS = 4 * 1024 * 1024;

/**
 * Returns the named thread, or a page of the threads that match. The page is shorter than `limit` if the frames are
 * large. Throws `not_found` for an unknown id.
 */
export function recordsOf(log: Log, commands: CommandStore, wanted: ThreadsWanted): ThreadRecords {
  if ("thread_id" in wanted)
    return { threads: [recordOf(log, commands, begunBy(commands, wanted.thread_id))], next: null, total: 1 };
  const { sought, before, limit } = wanted;
  const standings = log.threads();
  const found = commands.threads().flatMap((begun) => {
    const standing = standings.get(begun.thread_id);
    return standing !== undefined && isSought(standing, sought) ? [{ begun, last: standing.last_seq }] : [];
  });
  const later = found.filter(({ last }) => last < before).toSorted((a, b) => b.last - a.last);
  const threads: ThreadRecord[] = [];
  let size = 0;
  for (const { begun } of later.slice(0, limit)) {
    const record = recordOf(log, commands, begun);
    threads.push(record);
    size += JSON.stringify(record.frames).length;
    if (size >= MOST_CHARS) break;
  }
  const next = threads.length < later.length ? (threads.at(-1)?.last_seq ?? before) : null;
  return { threads, next, total: found.length };
}

function isSought({ first, updated_at, state }: ThreadStanding, { agent, status, since }: Sought): boolean {
  return isAsked(first, agent) && updated_at >= since && (status === undefined || state.status === status);
}

/** Throws `not_found` if the thread is neither open nor started by a command. */
export function checkThread({ head }: Log, commands: CommandStore, threadId: string): void {
  if (!head.open.some(({ thread_id }) => thread_id === threadId)) begunBy(commands, threadId);
}

/** Returns the position at which a thread begins. Throws `not_found` if no command started it. */
export function begunBy(commands: CommandStore, threadId: string): Begun {
  const begun = commands.thread(threadId);
  if (begun === null) throw new Fault("not_found", "There is no such thread.");
  return begun;
}

function recordOf(log: Log, commands: CommandStore, { thread_id, seq }: Begun): ThreadRecord {
  const { frames, at } = log.thread(thread_id, seq);
  const last_seq = frames.at(-1)?.seq ?? seq;
  return { thread_id, seq, last_seq, updated_at: at, frames, commands: commands.of(thread_id) };
}
