// Reads threads with their frames, by id or filtered, for interfaces that list tasks.

import { createFault } from "../../../protocol/wire/message-error.ts";
import { isUserThread } from "../../../protocol/wire/thread-state.ts";
import type { ThreadFilter, ThreadRecord, ThreadRecordPage, ThreadQuery } from "../../conversation-api.ts";
import type { CommandStore } from "../storage/command-store.ts";
import type { EventLog, ThreadSnapshot } from "../event-log.ts";
import type { ThreadPosition } from "./thread-queue.ts";

/** The approximate size limit of one response over RPC, in UTF-16 units. */
const MAX_RESPONSE_CHARS = 4 * 1024 * 1024;

/**
 * Returns the named thread, or a page of the threads that match, the latest updated first. The page is shorter than
 * `limit` if the frames are large. Throws `not_found` for an id that no command started.
 */
export function readThreadRecords(log: EventLog, commands: CommandStore, query: ThreadQuery): ThreadRecordPage {
  if ("thread_id" in query)
    return {
      threads: [readThreadRecord(log, commands, getThreadPosition(commands, query.thread_id))],
      next: null,
      total: 1,
    };
  const { sought, before, limit } = query;
  const snapshots = log.readThreads();
  const found = commands.listThreads().flatMap((position) => {
    const snapshot = snapshots.get(position.thread_id);
    return snapshot !== undefined && matchesFilter(snapshot, sought) ? [{ position, last: snapshot.last_seq }] : [];
  });
  const later = found.filter(({ last }) => last < before).toSorted((a, b) => b.last - a.last);
  const threads: ThreadRecord[] = [];
  let size = 0;
  for (const { position } of later.slice(0, limit)) {
    const record = readThreadRecord(log, commands, position);
    threads.push(record);
    size += JSON.stringify(record.frames).length;
    if (size >= MAX_RESPONSE_CHARS) break;
  }
  const next = threads.length < later.length ? (threads.at(-1)?.last_seq ?? before) : null;
  return { threads, next, total: found.length };
}

function matchesFilter({ first, updated_at, state }: ThreadSnapshot, { agent, status, since }: ThreadFilter): boolean {
  return isUserThread(first, agent) && updated_at >= since && (status === undefined || state.status === status);
}

/** Throws `not_found` if the thread is neither open nor started by a command. */
export function assertThreadExists({ head }: EventLog, commands: CommandStore, threadId: string): void {
  if (!head.open.some(({ thread_id }) => thread_id === threadId)) getThreadPosition(commands, threadId);
}

/** Returns the position at which a thread begins. Throws `not_found` if no command started it. */
export function getThreadPosition(commands: CommandStore, threadId: string): ThreadPosition {
  const position = commands.getThread(threadId);
  if (position === null) throw createFault("not_found", "thread.notFound");
  return position;
}

function readThreadRecord(log: EventLog, commands: CommandStore, { thread_id, seq }: ThreadPosition): ThreadRecord {
  const { frames, at } = log.readThread(thread_id, seq);
  const last_seq = frames.at(-1)?.seq ?? seq;
  return { thread_id, seq, last_seq, updated_at: at, frames, commands: commands.listThreadCommands(thread_id) };
}
