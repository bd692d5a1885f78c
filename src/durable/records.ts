// Threads as they stand, for those who ask about one or list them.

import { Fault } from "../protocol/fault.ts";
import type { ThreadRecord, ThreadRecords, ThreadsWanted } from "./api.ts";
import type { Begun, CommandStore } from "./command-store.ts";
import type { Log } from "./log.ts";

/** UTF-16 units of one answer, roughly: what crosses to the Worker is bounded. */
const MOST_CHARS = 4 * 1024 * 1024;

/** The one that is named, or those whose last event comes before a number; fewer than wanted when they say much. */
export function recordsOf(log: Log, commands: CommandStore, wanted: ThreadsWanted): ThreadRecords {
  if ("thread_id" in wanted)
    return { threads: [recordOf(log, commands, begunBy(commands, wanted.thread_id))], next: null };
  const { before, limit } = wanted;
  const lasts = log.lasts();
  const lastOf = ({ thread_id, seq }: Begun) => lasts.get(thread_id) ?? seq;
  const begun = commands
    .threads()
    .filter((one) => lastOf(one) < before)
    .toSorted((a, b) => lastOf(b) - lastOf(a));
  const threads: ThreadRecord[] = [];
  let size = 0;
  for (const one of begun.slice(0, limit)) {
    const record = recordOf(log, commands, one);
    threads.push(record);
    size += JSON.stringify(record.frames).length;
    if (size >= MOST_CHARS) break;
  }
  return { threads, next: threads.length < begun.length ? (threads.at(-1)?.last_seq ?? null) : null };
}

/** Where a thread begins. Throws `not_found` when no command began it. */
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
