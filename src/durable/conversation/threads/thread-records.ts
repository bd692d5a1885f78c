// Reads the threads that commands started, with their frames, for interfaces that list tasks.
//
// Owns no state: threads and commands come from the table of commands, which `ConversationStore` writes; frames come from
// the log.

import type { AnswerOptions } from "../../../core/models/answer-options.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { isUserThread } from "../../../protocol/wire/thread-state.ts";
import type { ThreadFilter, ThreadQuery, ThreadRecord, ThreadRecordPage } from "../../conversation-api.ts";
import type { Sql } from "../../sql.ts";
import type { EventLog, ThreadSnapshot } from "../event-log.ts";
import type { ThreadPosition } from "./thread-queue.ts";

/** The approximate size limit of one response over RPC, in UTF-16 units. */
const MAX_RESPONSE_CHARS = 4 * 1024 * 1024;

/** One instance per object. */
export class ThreadRecords {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(threadId: string): ThreadPosition | null {
    const query = `SELECT thread_id, min(seq) AS seq FROM command WHERE thread_id = ? GROUP BY thread_id`;
    return this.#sql.first<ThreadPosition>(query, threadId) ?? null;
  }

  /** Returns the position at which a thread begins. Throws `not_found` if no command started it. */
  get(threadId: string): ThreadPosition {
    const position = this.find(threadId);
    if (position === null) throw createFault("not_found", "thread.notFound");
    return position;
  }

  /**
   * Returns the named thread, or a page of the threads that match, the latest updated first. The page is shorter than
   * `limit` if the frames are large. Throws `not_found` for an id that no command started.
   */
  async readPage(log: EventLog, query: ThreadQuery): Promise<ThreadRecordPage> {
    if ("thread_id" in query) {
      const record = this.#readRecord(log, this.get(query.thread_id));
      const answer = this.#readAnswerOptions(query.thread_id);
      return { threads: [answer === null ? record : { ...record, answer }], next: null, total: 1 };
    }
    const { sought, before, limit } = query;
    const snapshots = await log.readThreads();
    const found = this.#list().flatMap((position) => {
      const snapshot = snapshots.get(position.thread_id);
      return snapshot !== undefined && matchesFilter(snapshot, sought) ? [{ position, last: snapshot.last_seq }] : [];
    });
    const later = found.filter(({ last }) => last < before).toSorted((a, b) => b.last - a.last);
    const threads: ThreadRecord[] = [];
    let size = 0;
    for (const { position } of later.slice(0, limit)) {
      const record = this.#readRecord(log, position);
      threads.push(record);
      size += JSON.stringify(record.frames).length;
      if (size >= MAX_RESPONSE_CHARS) break;
    }
    const next = threads.length < later.length ? (threads.at(-1)?.last_seq ?? before) : null;
    return { threads, next, total: found.length };
  }

  #list(): ThreadPosition[] {
    return [...this.#sql.rows<ThreadPosition>(`SELECT thread_id, min(seq) AS seq FROM command GROUP BY thread_id`)];
  }

  #readAnswerOptions(threadId: string): Omit<AnswerOptions, "input"> | null {
    const query = `SELECT json_remove(request -> '$.answer', '$.input') AS answer FROM command WHERE thread_id = ?
      ORDER BY seq LIMIT 1`;
    const { answer = null } = this.#sql.first<{ answer: string | null }>(query, threadId) ?? {};
    return answer === null ? null : (JSON.parse(answer) as Omit<AnswerOptions, "input">);
  }

  #readRecord(log: EventLog, { thread_id, seq }: ThreadPosition): ThreadRecord {
    const query = `SELECT id, seq FROM command WHERE thread_id = ? ORDER BY seq`;
    const commands = [...this.#sql.rows<{ id: string; seq: number }>(query, thread_id)];
    const { frames, at } = log.readThread(thread_id, seq);
    return { thread_id, seq, last_seq: frames.at(-1)?.seq ?? seq, updated_at: at, frames, commands };
  }
}

function matchesFilter({ first, updated_at, state }: ThreadSnapshot, { agent, status, since }: ThreadFilter): boolean {
  return isUserThread(first, agent) && updated_at >= since && (status === undefined || state.status === status);
}
