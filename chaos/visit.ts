// Conducts one task from its message to its end as an A2A client: sends, subscribes, reconnects after every loss,
// answers questions, and receives push notifications.

import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "../src/protocol/wire/events.ts";
import { randomBetween } from "../test/support/random.ts";
import {
  ASKS,
  BLANK,
  call,
  isEnd,
  NOT_CANCELABLE,
  readable,
  screenOf,
  shown,
  stream,
  UNSUPPORTED,
  type Answer,
  type Screen,
  type Task,
  type Told,
} from "./a2a.ts";
import type { Breach } from "./breach.ts";
import { judge } from "./judge.ts";
import type { Lane } from "./lane.ts";
import type { Receiver } from "./receiver.ts";
import { ANSWER, scriptOf, type Kind } from "./scripts.ts";
import { historyOf, insist } from "./requests.ts";
import type { Judged } from "./talk.ts";
import type { Tally } from "./tally.ts";
import { newTurn, type Turn } from "./turn.ts";
import { withinCalm } from "./within.ts";
import type { World } from "./world.ts";

/** The push notifications that must arrive: the states of a task that cause them. */
export type Awaited = {
  readonly conversationId: string;
  readonly path: string;
  readonly taskId: string;
  readonly states: readonly string[];
};

export type Visited = Judged & { readonly awaited: Awaited };

type Visit = {
  readonly world: World;
  readonly lane: Lane;
  readonly door: string;
  readonly messageId: string;
  readonly turn: Turn;
  readonly breaches: Breach[];
  /** All task ids under which the message was accepted. */
  readonly ids: Set<string>;
  screen: Screen;
  isCancelled: boolean;
};

const KINDS: readonly Kind[] = ["answer", "plan", "plan", "agent", "question", "question"];
const WORK_MS = 45_000;
const RETRY_MS = 10;
let visits = 0;

/** Rejects if the task does not end in time, or if the runtime rejects a valid request. */
export async function visit(world: World, lane: Lane, tally: Tally): Promise<Visited> {
  const script = scriptOf(KINDS[randomBetween(lane.random, 0, KINDS.length - 1)] ?? "answer", world, lane.random);
  for (const piece of script.pieces) world.teach(piece);
  const messageId = `visit-${++visits}`;
  const { agent } = script.message;
  const it: Visit = {
    world,
    lane,
    door: `${lane.url}/a2a${agent === undefined ? "" : `/${agent}`}`,
    messageId,
    turn: newTurn(script, messageId, lane.kills),
    breaches: [],
    ids: new Set(),
    screen: BLANK,
    isCancelled: false,
  };
  lane.underway.add(it.turn);
  try {
    await withinCalm(lane, WORK_MS, Promise.race([stay(it), lane.abandoned]), "The end of the task");
    return await leave(it, tally);
  } catch (thrown) {
    const words = `${[...it.ids].join() || messageId}, which is ${it.screen.state}: ${String(thrown)}`;
    throw new Error(words, { cause: thrown });
  } finally {
    lane.underway.delete(it.turn);
  }
}

/** Sends the message and follows the task to its end. */
async function stay(it: Visit): Promise<void> {
  const { lane } = it;
  await say(it);
  const isToCancel = lane.random() < 0.15;
  const cancelled = isToCancel ? cancel(it) : undefined;
  cancelled?.catch(() => undefined);
  while (!isEnd(it.screen.state)) {
    if (it.screen.state === ASKS) await answer(it);
    if (lane.random() < 0.5) await sleep(randomBetween(lane.random, 0, 60));
    await listen(it, "SubscribeToTask", { id: taskId(it) });
  }
  await cancelled;
  // The notification is being sent now.
  if (lane.random() < 0.4) setTimeout(lane.hurry, randomBetween(lane.random, 0, 40));
}

/** Sends the message until it is accepted: with an immediate, final or streamed response, or twice at the same time. */
async function say(it: Visit): Promise<void> {
  const { world, lane, turn } = it;
  const message = { messageId: it.messageId, role: "ROLE_USER", parts: [{ text: turn.script.message.message }] };
  // The id of the configuration is optional.
  const named = lane.random() < 0.5 ? { id: "hook" } : {};
  const taskPushNotificationConfig = { ...named, url: world.receiver.url + pathOf(it) };
  const paramsOf = (returnImmediately: boolean) => ({
    message,
    configuration: { returnImmediately, taskPushNotificationConfig },
  });
  const way = randomBetween(lane.random, 0, 3);
  if (way === 3) {
    while (it.ids.size === 0) await listen(it, "SendStreamingMessage", paramsOf(false));
    return;
  }
  const once = async (): Promise<void> => {
    const { task } = accepted(it, await ask<{ task: Task }>(it, "SendMessage", paramsOf(way !== 0)));
    it.ids.add(task.id);
    it.screen = screenOf(task);
    // Everything that belongs to the message must be stored by now.
    if (lane.random() < 0.25) setTimeout(lane.hurry, randomBetween(lane.random, 0, 15));
  };
  await Promise.all(way === 2 ? [once(), once()] : [once()]);
}

/** Follows a stream until it ends or breaks off. */
async function listen(it: Visit, method: string, params: object): Promise<void> {
  try {
    for await (const told of stream(it.door, method, params)) {
      if (told.error?.code === UNSUPPORTED) return await look(it);
      hear(it, accepted(it, told));
      // No event follows before the answer, and the stream may stay open until then.
      if (it.screen.state === ASKS) return;
    }
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    await Promise.race([sleep(RETRY_MS), it.lane.abandoned]);
  }
}

function hear(it: Visit, told: Told): void {
  if (told.task !== undefined) it.ids.add(told.task.id);
  it.screen = shown(it.screen, told);
}

async function look(it: Visit): Promise<void> {
  it.screen = screenOf(accepted(it, await ask<Task>(it, "GetTask", { id: taskId(it) })));
}

/** Pauses, then answers the question. */
async function answer(it: Visit): Promise<void> {
  const { lane, turn } = it;
  lane.underway.delete(turn);
  await sleep(randomBetween(lane.random, 0, 250));
  const message = {
    messageId: `${it.messageId}-answer`,
    role: "ROLE_USER",
    parts: [{ text: ANSWER }],
    taskId: taskId(it),
  };
  const params = { message, configuration: { returnImmediately: true } };
  const answered = await ask<{ task: Task }>(it, "SendMessage", params);
  // The task was cancelled meanwhile.
  if (answered.error !== undefined && turn.isDisturbed) return look(it);
  it.screen = screenOf(accepted(it, answered).task);
  lane.underway.add(turn);
}

async function cancel(it: Visit): Promise<void> {
  await sleep(randomBetween(it.lane.random, 0, 60));
  it.turn.isDisturbed = true;
  const answered = await ask<Task>(it, "CancelTask", { id: taskId(it) });
  // The task has ended, or it was cancelled before a kill lost the response.
  if (answered.error?.code === NOT_CANCELABLE) return;
  accepted(it, answered);
  it.isCancelled = true;
}

/** Reads the final state and the log, and checks the received events against them. */
async function leave(it: Visit, tally: Tally): Promise<Visited> {
  const { world, lane, turn, breaches } = it;
  const id = taskId(it);
  turn.endedAt = lane.kills;
  const last = screenOf(accepted(it, await ask<Task>(it, "GetTask", { id })));
  const [conversationId = "", threadId = ""] = id.split(".");
  const log = await historyOf(lane, conversationId);
  turn.threadId = threadId;
  turn.seq = log.find((frame) => frame.event === "thread_started")?.seq ?? 0;
  if (it.ids.size > 1) breaches.push({ rule: "T2", words: `One message is ${[...it.ids].join(" and ")}`, seqs: [] });
  if (readable(it.screen) !== readable(last))
    breaches.push({ rule: "L2", words: `A2A told ${readable(it.screen)} and then shows ${readable(last)}`, seqs: [] });
  if (it.isCancelled && last.state !== "TASK_STATE_CANCELED")
    breaches.push({ rule: "I17", words: `${id} was cancelled and is ${last.state}`, seqs: [] });
  tally.visits += 1;
  const states = log.flatMap((frame) => stateIn(frame, last.state));
  return {
    conversationId,
    log,
    breaches: [...breaches, ...judge({ world, lane, log, readers: [], turns: [turn], tally })],
    awaited: { conversationId, path: pathOf(it), taskId: id, states },
  };
}

/** Returns the state of the notification that a frame causes; empty if it causes none. */
function stateIn({ event }: Frame, end: string): string[] {
  if (event === "done") return [end];
  return event === "plan_require_user_input" || event === "task_waiting" ? [ASKS] : [];
}

/** Returns true if as many notifications were confirmed as are expected. */
export function isNotified({ path, states }: Awaited, receiver: Receiver): boolean {
  return new Set(receiver.confirmed(path).map(({ id }) => id)).size >= states.length;
}

/** P1: each expected notification arrives at least once, repetitions contain the same state, and no other arrives. */
export function noticeBreaches({ path, taskId, states }: Awaited, receiver: Receiver): Breach[] {
  const stateOf = (body: string): string => {
    const { statusUpdate: update } = JSON.parse(body) as Told;
    return update?.taskId === taskId ? update.status.state : "another task";
  };
  const told = new Set(receiver.confirmed(path).map(({ id, body }) => `${stateOf(body)} as ${id}`));
  const got = [...told].map((each) => each.split(" as ")[0] ?? "");
  if (got.toSorted().join() === states.toSorted().join()) return [];
  const words = `Of ${taskId} was to be told ${states.join()}, and was ${[...told].join()}`;
  return [{ rule: "P1", words, seqs: [] }];
}

function pathOf({ messageId }: Visit): string {
  return `/${messageId}`;
}

function taskId({ ids }: Visit): string {
  const [id] = ids;
  if (id === undefined) throw new Error("There is no task.");
  return id;
}

class Refusal extends Error {}

/** Returns the result. Throws a `Refusal` if the request was rejected. */
function accepted<T>({ messageId }: Visit, answered: Answer<T>): T {
  if (answered.error === undefined) return answered.result;
  throw new Refusal(`${messageId} was refused: ${JSON.stringify(answered.error)}`);
}

function ask<T>({ door, lane }: Visit, method: string, params: object): Promise<Answer<T>> {
  return insist(() => call<T>(door, method, params), lane.abandoned);
}
