// Checks I26 in the files of a killed host: a conversation that can continue, or whose end the directory does not know,
// has an alarm. Clients cannot observe a missing alarm: the next request resumes the conversation, or a kill comes
// first.

import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LEASE_MS } from "../src/durable/conversation/threads/lease.ts";
import { getNextResumption, pickNextThread } from "../src/durable/conversation/threads/thread-queue.ts";
import type { ConversationHead } from "../src/durable/conversation/storage/conversation-head.ts";

/** A conversation without a timely alarm. `words` describes its stored alarms. */
export type Unattended = { readonly conversationId: string; readonly words: string };

/** A stored head, the alarm of the object, and the lease in its job queue (ms since the epoch; null if missing). */
type Stored = { readonly head: ConversationHead; readonly alarm: number | null; readonly lease: number | null };

const SCHEDULE = `SELECT actor_id AS id, scheduled_time / 1000000 AS time FROM _cf_ALARM`;
const STORED = `SELECT body,
  (SELECT value / 1000000 FROM _cf_METADATA WHERE key = 1) AS alarm,
  (SELECT time FROM cf_agents_jobs WHERE id = 'turns') AS lease
  FROM head`;

/**
 * Returns a function that checks the state folder of a host; call it after a kill, with the time of the kill. `isTold`
 * returns true if the directory has the current status of a conversation. Owns a cache of conversations at rest, which
 * are not read again until their files change.
 */
export function newVigil(
  state: string,
  isTold: (conversation: ConversationHead["conversation"]) => boolean,
): (diedAt: number) => Unattended[] {
  const settled = new Map<string, string>();

  return function unattended(diedAt) {
    const found: Unattended[] = [];
    for (const folder of readdirSync(state).map((name) => join(state, name))) {
      const files = readdirSync(folder);
      if (!files.includes("metadata.sqlite")) continue;
      const schedule = scheduleIn(join(folder, "metadata.sqlite"));
      for (const file of files.filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))) {
        const path = join(folder, file);
        const stamp = stampOf(path);
        if (settled.get(path) === stamp) continue;
        const stored = storedIn(path);
        if (stored === null || isAtRest(stored.head)) {
          settled.set(path, stamp);
          continue;
        }
        const time = schedule.get(file.slice(0, 64)) ?? null;
        if (time !== null && time <= dueBy(stored.head, diedAt)) continue;
        const [runtime, own, lease] = [time, stored.alarm, stored.lease].map((at) => inWords(at, diedAt));
        const words = `It is not done and nobody will come for it: the runtime wakes it ${runtime}, its own alarm is ${own}, its lease ends ${lease}`;
        found.push({ conversationId: stored.head.conversation.conversation_id, words });
      }
    }
    return found;
  };

  /** True if the conversation waits for the person, or if it is done and the directory knows. */
  function isAtRest(head: ConversationHead): boolean {
    if (head.open.length === 0) return isTold(head.conversation);
    return pickNextThread(head) === undefined && getNextResumption(head) === Infinity;
  }
}

/** Returns the time by which the alarm must fire: within a lease, or when the first waiting thread resumes. */
function dueBy(head: ConversationHead, diedAt: number): number {
  const lease = diedAt + LEASE_MS;
  return pickNextThread(head, diedAt) === undefined ? Math.max(lease, getNextResumption(head, diedAt)) : lease;
}

function inWords(at: number | null, diedAt: number): string {
  return at === null ? "never" : `in ${at - diedAt} ms`;
}

/** Returns a value that changes with the database. New data is in the write-ahead log first. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "" : `${stat.mtimeMs} ${stat.size}`))
    .join();
}

function scheduleIn(file: string): Map<string, number> {
  return reading(file, (database) => {
    const rows = database.prepare(SCHEDULE).all() as { id: string; time: number }[];
    return new Map(rows.map(({ id, time }) => [id, time]));
  });
}

/** Returns null for an object without a conversation. */
function storedIn(file: string): Stored | null {
  return reading(file, (database) => {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE name = 'cf_agents_jobs'`).all();
    if (tables.length === 0) return null;
    const row = database.prepare(STORED).get() as
      | { body: string; alarm: number | null; lease: number | null }
      | undefined;
    if (row === undefined) return null;
    return { head: JSON.parse(row.body) as ConversationHead, alarm: row.alarm, lease: row.lease };
  });
}

/** Reads a copy: opening a database after a crash repairs it, and the restarted host must do that itself. */
function reading<T>(file: string, read: (database: DatabaseSync) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "orrery-chaos-copy-"));
  try {
    for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, join(folder, `copy${end}`));
    const database = new DatabaseSync(join(folder, "copy"));
    try {
      return read(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
