// Conducts one conversation from its first message to the check of its log: a client sends messages, cancels some of
// them, and disconnects, and the host is killed in between.

import { setTimeout as sleep } from "node:timers/promises";
import type { ClientCommand } from "../src/protocol/wire/commands.ts";
import type { ConversationInfo } from "../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../src/protocol/wire/events.ts";
import { randomBetween } from "../test/support/random.ts";
import { createApiUser } from "../test/support/api-user.ts";
import type { Breach } from "./breach.ts";
import { judge, threadOf } from "./judge.ts";
import type { Lane } from "./lane.ts";
import { historyOf, insist, newConversation } from "./requests.ts";
import { newReader, type Answer, type Reader } from "./reader.ts";
import { scriptOf, type Kind } from "./scripts.ts";
import type { Tally } from "./tally.ts";
import { useTicket } from "./ticket.ts";
import { newTurn, type Turn } from "./turn.ts";
import { withinCalm } from "./within.ts";
import type { World } from "./world.ts";

/** The log of one conversation and the violations that were found in it. */
export type Judged = {
  readonly conversationId: string;
  readonly log: readonly Frame[];
  readonly breaches: readonly Breach[];
};

type Talk = {
  readonly world: World;
  readonly lane: Lane;
  readonly tally: Tally;
  readonly conversationId: string;
  readonly reader: Reader;
  readonly turns: Turn[];
  readonly breaches: Breach[];
};

const WORK_MS = 30_000;
/** Four leases, and time for the work. */
const WALK_MS = 22_000;
/** Two leases. */
const CALM_MS = 12_000;
/** A change that is older than this was not caused by the check itself. */
const NOW_MS = 3_000;
const KINDS: readonly Kind[] = ["answer", "answer", "plan", "plan", "plan", "agent"];
const ALL_KINDS: readonly Kind[] = [...KINDS, "question", "question", "order", "order"];

/**
 * Conducts one conversation of a few rounds and checks it. With probability `walks` the client disconnects after the
 * last message. Rejects if an expected event does not occur in time.
 */
export async function talk(world: World, lane: Lane, tally: Tally, walks: number): Promise<Judged> {
  const conversationId = await newConversation(lane);
  const options = { url: lane.url, conversationId, kills: () => lane.kills };
  const reader = newReader({ ...options, onEvent: lane.noteEvent });
  const it: Talk = { world, lane, tally, conversationId, reader, turns: [], breaches: [] };
  const readers = [reader];
  reader.connect();
  try {
    for (let rounds = randomBetween(lane.random, 2, 5); rounds > 0 && !lane.isOver; rounds--) {
      await round(it);
      if (lane.random() < 0.2) {
        it.breaches.push(...(await useTicket(lane, conversationId)));
        tally.tickets += 1;
      }
      if (readers.length === 1 && lane.random() < 0.3) readers.push(witness(it, options));
    }
    if (lane.random() < walks) await walkAway(it);
    const log = await historyOf(lane, conversationId);
    const last = log.at(-1)?.seq ?? 0;
    await Promise.all(
      readers.map((each) =>
        inTime(
          each.until(({ seq }) => seq >= last),
          it,
          "the last event",
        ),
      ),
    );
    return {
      conversationId,
      log,
      breaches: [...it.breaches, ...judge({ world, lane, log, readers, turns: it.turns, tally })],
    };
  } finally {
    for (const each of readers) each.close();
  }
}

/** Sends one to three messages, cancels some, and waits for the end of all. */
async function round(it: Talk): Promise<void> {
  const { lane } = it;
  const burst = lane.random() < 0.2 ? randomBetween(lane.random, 2, 3) : 1;
  const ends = Array.from({ length: burst }, async () => {
    // A message answers an open question, so a message that may cause a question is sent alone.
    const turn = await say(it, burst === 1 ? ALL_KINDS : KINDS);
    const end = isDone(turn.threadId);
    const { reply } = turn.script;
    const answered = reply === undefined ? undefined : answer(it, turn, reply);
    answered?.catch(() => undefined);
    const fate = lane.random();
    if (fate < 0.15) await cancelThread(it, turn);
    else if (fate < 0.3 && turn.script.pieces.length > 0) await cancelTask(it, turn);
    else if (fate < 0.4) await sayAgain(it, turn);
    await inTime(it.reader.until(end), it, `the done of ${turn.threadId}`);
    await answered;
    turn.endedAt = lane.kills;
    lane.underway.delete(turn);
  });
  await Promise.all(ends);
}

async function say(it: Talk, kinds: readonly Kind[]): Promise<Turn> {
  const { world, lane, turns, tally } = it;
  const script = scriptOf(kinds[randomBetween(lane.random, 0, kinds.length - 1)] ?? "answer", world, lane.random);
  for (const piece of script.pieces) world.teach(piece);
  const commandId = `${it.conversationId}-${turns.length}`;
  const turn = newTurn(script, commandId, lane.kills);
  turns.push(turn);
  lane.underway.add(turn);
  const answer = await command(it, { type: "send", id: commandId, ...script.message });
  if (answer.type === "error") {
    it.breaches.push({ rule: "L3", words: `A message was refused: ${answer.message}`, seqs: [] });
    throw new Error(`A message was refused: ${answer.message}`);
  }
  turn.threadId = answer.thread_id ?? "";
  turn.seq = answer.seq;
  tally.acks += 1;
  return turn;
}

/** Repeats a command like a client that did not receive the acknowledgement. Another message with its id is refused. */
async function sayAgain(it: Talk, turn: Turn): Promise<void> {
  await sleep(randomBetween(it.lane.random, 0, 300));
  const answer = await command(it, { type: "send", id: turn.commandId, ...turn.script.message });
  const other = await command(it, { type: "send", id: turn.commandId, message: "Something else" });
  it.tally.repeats += 1;
  const isSame = answer.type === "ack" && answer.thread_id === turn.threadId && answer.seq === turn.seq;
  if (isSame && other.type === "error" && other.code === "unprocessable") return;
  const words = `The command ${turn.commandId} was acknowledged as ${turn.seq}, and then: ${JSON.stringify([answer, other])}`;
  it.breaches.push({ rule: "T2", words, seqs: [turn.seq] });
}

/** Waits for the question, pauses, and answers it. May then repeat the answer and send a different one. */
async function answer(it: Talk, turn: Turn, reply: string): Promise<void> {
  const { lane, tally } = it;
  const end = isDone(turn.threadId);
  const isAsked = (frame: Frame) => requestIn(frame) !== null && threadOf(frame) === turn.threadId;
  const frame = await inTime(
    it.reader.until((found) => isAsked(found) || end(found)),
    it,
    "the question",
  );
  const requestId = requestIn(frame);
  if (requestId === null) return;
  lane.underway.delete(turn);
  await sleep(randomBetween(lane.random, 0, 250));
  const resume = { type: "resume", message: reply, request_id: requestId } as const;
  const first = await command(it, { ...resume, id: `${turn.commandId}-answer` });
  if (first.type === "error") {
    if (turn.isDisturbed) return;
    it.breaches.push({ rule: "H1 H4", words: `The answer to ${requestId} was refused: ${first.message}`, seqs: [] });
    return;
  }
  tally.acks += 1;
  tally.answers += 1;
  turn.answers.push({ requestId, seq: first.seq });
  if (lane.random() < 0.5) return;
  const again = await command(it, { ...resume, id: `${turn.commandId}-answer` });
  const other = await command(it, { ...resume, id: `${turn.commandId}-other`, message: "Take the first one." });
  tally.repeats += 1;
  const isSame = again.type === "ack" && again.seq === first.seq && again.thread_id === first.thread_id;
  if (isSame && other.type === "error") return;
  const words = `The answer to ${requestId} was acknowledged as ${first.seq}, then ${JSON.stringify(again)}, another one: ${JSON.stringify(other)}`;
  it.breaches.push({ rule: "H1", words, seqs: [first.seq] });
}

/** Returns the id of the question that a frame asks; null if it asks none. */
function requestIn(frame: Frame): string | null {
  const isAsking = frame.event === "plan_require_user_input" || frame.event === "task_waiting";
  return isAsking ? frame.data.payload.request_id : null;
}

async function cancelThread(it: Talk, turn: Turn): Promise<void> {
  await sleep(randomBetween(it.lane.random, 0, 60));
  turn.isDisturbed = true;
  const answer = await command(it, { type: "cancel", id: `${turn.commandId}-stop`, thread_id: turn.threadId });
  noteCancel(it, turn, null, answer);
}

async function cancelTask(it: Talk, turn: Turn): Promise<void> {
  const isStarted = (frame: Frame) => frame.event === "task_started" && frame.data.thread_id === turn.threadId;
  const end = isDone(turn.threadId);
  const frame = await inTime(
    it.reader.until((found) => isStarted(found) || end(found)),
    it,
    "the first task",
  );
  if (frame.event !== "task_started") return;
  await sleep(randomBetween(it.lane.random, 0, 20));
  const { task_id: taskId } = frame.data;
  turn.isDisturbed = true;
  const answer = await command(it, { type: "cancel", id: `${turn.commandId}-stop`, task_id: taskId });
  noteCancel(it, turn, taskId, answer);
}

/** Records a cancellation. It is rejected if it was too late, or executed before a kill lost its acknowledgement. */
function noteCancel({ lane, tally, breaches }: Talk, turn: Turn, taskId: string | null, answer: Answer): void {
  if (answer.type === "ack") {
    tally.acks += 1;
    turn.cancels.push({ taskId, seq: answer.seq, life: lane.kills });
  } else if (answer.code !== "not_found" && answer.code !== "conflict") {
    breaches.push({ rule: "T5", words: `A cancellation was refused: ${answer.message}`, seqs: [] });
  }
}

/** Sends a message and disconnects until the work is done: the conversation must resume by itself. */
async function walkAway(it: Talk): Promise<void> {
  const turn = await say(it, KINDS);
  it.reader.leave();
  it.lane.underway.delete(turn);
  // Each process may be killed too early for progress. Without kills, the work must end.
  const isNoticed = (await leftAlone(it, WALK_MS)) || (await it.lane.calmly(leftAlone(it, CALM_MS)));
  if (!isNoticed) it.breaches.push(await unnoticed(it));
  it.tally.walks += 1;
  it.reader.connect();
  await inTime(it.reader.until(isDone(turn.threadId)), it, `the done of ${turn.threadId}`);
  turn.endedAt = it.lane.kills;
}

/** Waits until the directory shows that the conversation is over. Returns false after `ms` milliseconds. */
async function leftAlone({ world, conversationId }: Talk, ms: number): Promise<boolean> {
  const isActive = (): boolean => world.directory.statusOf(conversationId) === "active";
  const until = performance.now() + ms;
  while (isActive() && performance.now() < until) await sleep(50);
  return !isActive();
}

/**
 * Returns why the directory shows an active conversation: the work is not done (I26), or the directory was not informed
 * (I38).
 */
async function unnoticed({ lane, conversationId }: Talk): Promise<Breach> {
  const path = `/api/v1/conversations/${conversationId}`;
  const { status, updated_at: at } = await insist(
    () => createApiUser(lane.url).get<ConversationInfo>(path),
    lane.abandoned,
  );
  const isDone = status !== "active" && Date.now() - at > NOW_MS;
  return isDone
    ? { rule: "I38", words: `The directory was not told that the work was done`, seqs: [] }
    : {
        rule: "I26",
        words: `Nobody came to look, and the work was not done ${CALM_MS} ms after the last kill`,
        seqs: [],
      };
}

function command(it: Talk, wanted: ClientCommand): Promise<Answer> {
  const { lane } = it;
  if (wanted.type === "cancel" && lane.random() < 0.4) setTimeout(lane.hurry, randomBetween(lane.random, 0, 4));
  return inTime(it.reader.submit(wanted), it, `the answer to ${wanted.id}`);
}

/** Creates a second reader that knows the events of the first up to a random position and continues from there. */
function witness(
  { reader, lane }: Talk,
  options: { url: string; conversationId: string; kills: () => number },
): Reader {
  const known = reader.seen.slice(0, randomBetween(lane.random, 0, reader.seen.length));
  const second = newReader({ ...options, known });
  second.connect();
  return second;
}

export function isDone(threadId: string): (frame: Frame) => boolean {
  return (frame) => frame.event === "done" && frame.data.thread_id === threadId;
}

async function inTime<T>(promise: Promise<T>, it: Talk, what: string): Promise<T> {
  try {
    return await withinCalm(it.lane, WORK_MS, Promise.race([promise, it.reader.broken, it.lane.abandoned]), what);
  } catch (cause) {
    throw new Broken(it, cause);
  }
}

/** The failure of a conversation, with the events that its client received. */
export class Broken extends Error {
  readonly conversationId: string;
  readonly seen: Reader["seen"];

  constructor({ conversationId, reader }: Talk, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.conversationId = conversationId;
    this.seen = reader.seen;
  }
}
