// The SQL of a conversation's core tables: head, log, commands, journal and questions. Rows are decoded here.
//
// Owns the tables and their migrations, and three caches: open questions, the last command, and the newest log rows.
// Caches are updated with each write and dropped if a transaction fails. Synchronous; writes that belong together must
// be wrapped in `transaction`. Table and column names, and the JSON in them, are storage: change them only by a
// migration.

import { type LogCommit } from "../../../core/log/log-sequencer.ts";
import { splitRow, MAX_ROW_SPAN, type LogEntry, type LogRow } from "../../../core/log/log-rows.ts";
import type { ThreadQuestion, QuestionState } from "../../../core/ports.ts";
import type { TurnRequest } from "../../../core/models/answer-options.ts";
import { MAX_VALUE_BYTES } from "../../../lib/row-size.ts";
import { exceedsBytes } from "../../../lib/text-size.ts";
import type { CancelCommand, ResumeCommand } from "../../../protocol/wire/commands.ts";
import type { QuestionAnswer } from "../../../protocol/wire/question.ts";
import type { ConversationHead } from "./conversation-head.ts";
import type { InstanceStart } from "../instance-start.ts";
import { RecentRowCache } from "./recent-row-cache.ts";
import type { Sql } from "../../sql.ts";

/**
 * A stored command: its thread, the `seq` that it created, and its request. A cancellation names the thread it stopped.
 */
export type StoredCommand = { readonly thread_id: string; readonly seq: number; readonly request: CommandRequest };
/** The request of a command as stored: the member names are storage. */
export type CommandRequest = TurnRequest | ResumeCommand | CancelCommand | InstanceStart;

// Append-only: a change to a released table is a new entry, never an edit.
const MIGRATIONS = [
  `CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT;
   CREATE TABLE log (
     seq     INTEGER PRIMARY KEY,  -- of the first event in the row
     last    INTEGER NOT NULL,     -- of the last one
     at      INTEGER NOT NULL,     -- when it was stored, in epoch milliseconds
     scope   TEXT,                 -- the task that all of it belongs to
     entries TEXT NOT NULL         -- JSON
   ) STRICT;
   CREATE TABLE command (
     id        TEXT PRIMARY KEY,   -- the client's own id: the same one is carried out once
     thread_id TEXT NOT NULL,
     seq       INTEGER NOT NULL,
     request   TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE step (
     thread_id TEXT NOT NULL,
     name      TEXT NOT NULL,
     value     TEXT NOT NULL,
     PRIMARY KEY (thread_id, name)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE question (
     request_id  TEXT PRIMARY KEY,
     thread_id   TEXT NOT NULL,
     scope       TEXT NOT NULL,    -- the task or stage that asks
     state       TEXT NOT NULL,    -- open, answered, expired, cancelled
     body        TEXT NOT NULL,    -- what was asked
     expires_at  INTEGER NOT NULL, -- in epoch milliseconds
     answer      TEXT,
     answer_seq  INTEGER           -- the event that carries the answer
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX question_open ON question (expires_at) WHERE state = 'open';
   -- Null once the step has finished; before, the last number that stays if it is interrupted.
   ALTER TABLE step ADD COLUMN since INTEGER;`,
  // Steps in the order of their execution: keyed by name they were scattered over the tree, and large ones stored
  // beside it.
  `CREATE TABLE journal (
     id    INTEGER PRIMARY KEY,    -- of its thread and its place there: see stepId
     name  TEXT NOT NULL,
     value TEXT NOT NULL,
     since INTEGER
   ) STRICT;
   INSERT INTO journal (id, name, value, since)
     SELECT (open.value ->> 'seq') * 65536 + row_number() OVER (PARTITION BY step.thread_id) - 1, name, step.value, since
     FROM head, json_each(head.body, '$.open') AS open JOIN step ON step.thread_id = open.value ->> 'thread_id';
   DROP TABLE step;`,
] as const;

/** The maximum number of steps per thread. */
const MAX_STEPS = 65_536;

/** Returns the key of a step, from the first `seq` of its thread and its position. */
const stepId = (seq: number, position: number): number => seq * MAX_STEPS + position;

/** A question, its state, and the `seq` of its answer event (null if it has none). */
export type StoredQuestion = {
  readonly question: ThreadQuestion;
  readonly state: QuestionState;
  readonly answerSeq: number | null;
};

/**
 * A stored step. While it is in progress, `value` is its memo and `since` the last `seq` that stays if it is
 * interrupted; once it has finished, `since` is null.
 */
export type StoredStep = { readonly value: string; readonly since: number | null };

/** A stored row of the log and the time at which it was stored, in ms since the epoch. */
export type StoredRow = LogRow & { readonly at: number };

/** The rows of the tables `log` and `question`. */
type LogRecord = Omit<StoredRow, "entries"> & { readonly entries: string };
type QuestionRecord = {
  readonly body: string;
  readonly state: QuestionState["state"];
  readonly answer: string | null;
  readonly answer_seq: number | null;
};

/** One instance per object. `migrate` or `loadHead` must be called before anything else. */
export class ConversationStore {
  readonly #sql: Sql;
  /** Cache of the open questions; undefined if unknown. */
  #openQuestions: readonly ThreadQuestion[] | undefined;
  /** Cache of the last command that was written or read: each message needs it three times. */
  #lastCommand: { readonly id: string; readonly command: StoredCommand | null } | undefined;
  /** Cache of the newest rows, which each message reads. */
  readonly #recentRows = new RecentRowCache<StoredRow>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Creates or upgrades the tables in one transaction. Idempotent. */
  migrate(): void {
    this.#sql.transaction(() => {
      this.#sql.run(`CREATE TABLE IF NOT EXISTS migration (id INTEGER PRIMARY KEY) STRICT`);
      const done = this.#sql.first<{ n: number }>(`SELECT count(*) AS n FROM migration`)?.n ?? 0;
      for (let id = done; id < MIGRATIONS.length; id++) {
        this.#sql.run(MIGRATIONS[id] ?? "");
        this.#sql.run(`INSERT INTO migration (id) VALUES (?)`, id);
      }
    });
  }

  /**
   * Returns the head and upgrades the tables; null if the conversation does not exist. Creates nothing in that case.
   */
  loadHead(): ConversationHead | null {
    if (!this.#sql.hasTable("head")) return null;
    this.migrate();
    const [head] = this.#sql.bodies<ConversationHead>(`SELECT body FROM head`);
    return head ?? null;
  }

  putHead(head: ConversationHead): void {
    this.#sql.run(`INSERT OR REPLACE INTO head (id, body) VALUES (1, ?)`, JSON.stringify(head));
  }

  /**
   * Stores the rows and retractions of one commit. A retraction deletes no row with `seq <= before`. The reservation is
   * part of the head and stored by the caller.
   */
  append({ rows, retract }: LogCommit, before: number, at: number): void {
    if (retract.length > 0) this.#recentRows.clear();
    for (const { scope, since } of retract) {
      this.#sql.run(`DELETE FROM log WHERE seq > ? AND scope = ?`, Math.max(since, before), scope);
    }
    for (const row of rows) this.#appendRow(row, at);
  }

  /** Stores a row; several rows if its events are together too large for one. */
  #appendRow(row: LogRow, at: number): void {
    const { seq, last, scope, entries } = row;
    const body = JSON.stringify(entries);
    const halves = exceedsBytes(body, MAX_VALUE_BYTES) ? splitRow(row) : null;
    if (halves !== null) return halves.forEach((half) => this.#appendRow(half, at));
    this.#sql.run(`INSERT INTO log (seq, last, at, scope, entries) VALUES (?, ?, ?, ?, ?)`, seq, last, at, scope, body);
    this.#recentRows.add({ ...row, at }, body.length);
  }

  /**
   * Returns the rows that contain any `seq > after`, ordered by first `seq`. With `scope`, only rows that may contain
   * events of that task: a row without scope may mix tasks. A live cursor; see `Sql.rows`.
   */
  *readRows(after: number, scope?: string): Generator<StoredRow> {
    const query = `SELECT seq, last, at, scope, entries FROM log WHERE seq > ? AND last > ?`;
    const from = after - MAX_ROW_SPAN;
    const rows =
      scope === undefined
        ? this.#sql.rows<LogRecord>(`${query} ORDER BY seq`, from, after)
        : this.#sql.rows<LogRecord>(`${query} AND (scope = ? OR scope IS NULL) ORDER BY seq`, from, after, scope);
    for (const row of rows) yield decodeRow(row);
  }

  /** Returns true if the log contains a row of `scope` from `since` on. */
  hasRows(scope: string, since: number): boolean {
    return this.#sql.first(`SELECT 1 FROM log WHERE seq >= ? AND scope = ? LIMIT 1`, since, scope) !== undefined;
  }

  /** Returns a command by its client's id; null if it is new. */
  getCommand(id: string): StoredCommand | null {
    if (this.#lastCommand?.id !== id) {
      const query = `SELECT thread_id, seq, request FROM command WHERE id = ?`;
      const row = this.#sql.first<{ thread_id: string; seq: number; request: string }>(query, id);
      const command = row === undefined ? null : { ...row, request: JSON.parse(row.request) as CommandRequest };
      this.#lastCommand = { id, command };
    }
    return this.#lastCommand.command;
  }

  /** Stores a new command. Throws if the id exists (T2). */
  putCommand(id: string, command: StoredCommand): void {
    const { thread_id, seq, request } = command;
    this.#lastCommand = { id, command };
    this.#sql.run(
      `INSERT INTO command (id, thread_id, seq, request) VALUES (?, ?, ?, ?)`,
      id,
      thread_id,
      seq,
      JSON.stringify(request),
    );
  }

  /** Returns all rows, newest first. Lazy: stop reading when enough was read. */
  *readNewestRows(): Generator<StoredRow> {
    yield* this.#recentRows.rows;
    const query = `SELECT seq, last, at, scope, entries FROM log WHERE seq < ? ORDER BY seq DESC`;
    for (const row of this.#sql.rows<LogRecord>(query, this.#recentRows.from)) yield decodeRow(row);
  }

  /** Returns the positions of a thread's steps by name; `seq` is that of the thread's first event. */
  listSteps(seq: number): Map<string, number> {
    const query = `SELECT id, name FROM journal WHERE id BETWEEN ? AND ?`;
    const rows = this.#sql.rows<{ id: number; name: string }>(query, stepId(seq, 0), stepId(seq, MAX_STEPS - 1));
    return new Map(Array.from(rows, ({ id, name }) => [name, id % MAX_STEPS]));
  }

  /**
   * Returns the step at a position, finished or in progress; null if there is none. `seq` is that of the thread's first
   * event.
   */
  getStep(seq: number, position: number): StoredStep | null {
    const query = `SELECT value, since FROM journal WHERE id = ?`;
    return this.#sql.first<StoredStep>(query, stepId(seq, position)) ?? null;
  }

  /** Stores a step at a position; replaces the one there. `seq` is that of the thread's first event. */
  putStep(seq: number, position: number, name: string, { value, since }: StoredStep): void {
    const query = `INSERT OR REPLACE INTO journal (id, name, value, since) VALUES (?, ?, ?, ?)`;
    this.#sql.run(query, stepId(seq, position), name, value, since);
  }

  /** Stores a new, open question. Throws if its id exists. */
  putQuestion(question: ThreadQuestion): void {
    const { request_id, thread_id, task_id, expires_at } = question;
    this.#openQuestions = undefined;
    this.#sql.run(
      `INSERT INTO question (request_id, thread_id, scope, state, body, expires_at) VALUES (?, ?, ?, 'open', ?, ?)`,
      request_id,
      thread_id,
      task_id,
      JSON.stringify(question),
      expires_at,
    );
  }

  /** Returns the open questions, the earliest to expire first. */
  listOpenQuestions(): readonly ThreadQuestion[] {
    const query = `SELECT body FROM question WHERE state = 'open' ORDER BY expires_at, request_id`;
    return (this.#openQuestions ??= this.#sql.bodies(query));
  }

  /** Returns a question by id; null if it does not exist. */
  getQuestion(requestId: string): StoredQuestion | null {
    const query = `SELECT body, state, answer, answer_seq FROM question WHERE request_id = ?`;
    const row = this.#sql.first<QuestionRecord>(query, requestId);
    if (row === undefined) return null;
    const { body, state, answer, answer_seq: answerSeq } = row;
    const question = JSON.parse(body) as ThreadQuestion;
    if (state !== "answered") return { question, state: { state }, answerSeq };
    return { question, state: { state, answer: JSON.parse(answer ?? "") as QuestionAnswer }, answerSeq };
  }

  /** Returns the answers to questions of a thread, in no particular order. */
  listAnswers(threadId: string): readonly QuestionAnswer[] {
    const query = `SELECT answer AS body FROM question WHERE thread_id = ? AND state = 'answered'`;
    return this.#sql.bodies<QuestionAnswer>(query, threadId);
  }

  /** Returns the question that expires last, whatever its state; null if there has been none. */
  getLastQuestion(): ThreadQuestion | null {
    const [last] = this.#sql.bodies<ThreadQuestion>(`SELECT body FROM question ORDER BY expires_at DESC LIMIT 1`);
    return last ?? null;
  }

  /** True if the event with this `seq` is the answer to a question. */
  hasAnswerAt(seq: number): boolean {
    return this.#sql.first(`SELECT 1 FROM question WHERE answer_seq = ?`, seq) !== undefined;
  }

  /** H1. Stores an answer. Throws if the question is not open any more. */
  answerQuestion(requestId: string, answer: QuestionAnswer, seq: number): void {
    this.#openQuestions = undefined;
    const answered = this.#sql.first(
      `UPDATE question SET state = 'answered', answer = ?, answer_seq = ?
       WHERE request_id = ? AND state = 'open' RETURNING 1`,
      JSON.stringify(answer),
      seq,
      requestId,
    );
    if (answered === undefined) throw new Error("Only an open question can be answered");
  }

  /** Sets the state of those questions that are still open; the others do not change. */
  closeQuestions(requestIds: readonly string[], state: "expired" | "cancelled"): void {
    if (requestIds.length > 0) this.#openQuestions = undefined;
    for (const id of requestIds) {
      this.#sql.run(`UPDATE question SET state = ? WHERE request_id = ? AND state = 'open'`, state, id);
    }
  }

  /** Deletes all rows. Keeps the tables, so the conversation can be created again. */
  clear(): void {
    this.#clearCaches();
    this.#sql.transaction(() => {
      for (const table of ["head", "log", "command", "journal", "question"]) this.#sql.run(`DELETE FROM ${table}`);
    });
  }

  /** Runs `work` atomically. If it throws, the caches are dropped. */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T): T {
    try {
      return this.#sql.transaction(work);
    } catch (thrown) {
      this.#clearCaches();
      throw thrown;
    }
  }

  #clearCaches(): void {
    this.#openQuestions = undefined;
    this.#lastCommand = undefined;
    this.#recentRows.clear();
  }
}

function decodeRow({ entries, ...row }: LogRecord): StoredRow {
  return { ...row, entries: JSON.parse(entries) as LogEntry[] };
}
