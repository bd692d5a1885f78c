// Conducts one conversation as a client of the Responses API: each request continues the previous response and is
// repeated with its key until it is answered. Every answer is compared with the stored response.

import { setTimeout as sleep } from "node:timers/promises";
import type { ResponseObject } from "../src/http/openai/response-object.ts";
import { createApiUser } from "../test/support/api-user.ts";
import { randomBetween } from "../test/support/random.ts";
import type { Breach } from "./breach.ts";
import { judge } from "./judge.ts";
import type { Lane } from "./lane.ts";
import { scriptOf, type Kind } from "./scripts.ts";
import { historyOf, insist } from "./requests.ts";
import type { Judged } from "./talk.ts";
import type { Tally } from "./tally.ts";
import { newTurn, type Turn } from "./turn.ts";
import { withinCalm } from "./within.ts";
import type { World } from "./world.ts";

type Guest = {
  readonly world: World;
  readonly lane: Lane;
  readonly name: string;
  readonly turns: Turn[];
  readonly breaches: Breach[];
  /** The last response; null before the first. */
  previous: string | null;
};

/** How a client receives the response: at once and by polling, when it has ended, or as a stream. */
const WAYS = ["background", "whole", "stream"] as const;
const KINDS: readonly Kind[] = ["answer", "plan", "agent"];
const WORK_MS = 45_000;
const RETRY_MS = 10;
const POLL_MS = 30;
const RESPONSE_ID = /^resp_(\d+)_([0-9a-f]{32})_(.+)$/;
let guests = 0;

/** Rejects if a response does not end in time, or if the runtime rejects a valid request. */
export async function guest(world: World, lane: Lane, tally: Tally): Promise<Judged> {
  const it: Guest = { world, lane, name: `guest-${++guests}`, turns: [], breaches: [], previous: null };
  for (let rounds = randomBetween(lane.random, 1, 3); rounds > 0 && !(lane.isOver && it.turns.length > 0); rounds--) {
    const what = `The response ${it.turns.length} of ${it.name}`;
    await withinCalm(lane, WORK_MS, Promise.race([round(it), lane.abandoned]), what);
    tally.responses += 1;
  }
  const [, , , conversationId = ""] = RESPONSE_ID.exec(it.previous ?? "") ?? [];
  const log = await historyOf(lane, conversationId);
  const breaches = [...it.breaches, ...judge({ world, lane, log, readers: [], turns: it.turns, tally })];
  return { conversationId, log, breaches };
}

async function round(it: Guest): Promise<void> {
  const { world, lane, turns, breaches, previous } = it;
  const script = scriptOf(KINDS[randomBetween(lane.random, 0, KINDS.length - 1)] ?? "answer", world, lane.random);
  for (const piece of script.pieces) world.teach(piece);
  const turn = newTurn(script, `${it.name}-${turns.length}`, lane.kills);
  turns.push(turn);
  lane.underway.add(turn);
  try {
    const answered = await request(it, turn);
    const stored = await ended(it, answered.id);
    note(it, turn, stored.id);
    // Text that was sent cannot be taken back, so the text of an interrupted attempt may precede the answer.
    const isSame = answered.status === stored.status && textOf(answered).endsWith(textOf(stored));
    if (answered.status !== "in_progress" && !isSame)
      breaches.push({
        rule: "L2",
        words: `${stored.id} said ${textOf(answered).slice(-200)}, now ${textOf(stored).slice(-200)}`,
        seqs: [],
      });
    if (lane.random() < 0.3) await repeat(it, turn, previous);
  } finally {
    lane.underway.delete(turn);
  }
}

/** Sends the request until it is answered. All answers must name one response (T2). */
async function request(it: Guest, turn: Turn): Promise<ResponseObject> {
  const { lane, breaches, previous } = it;
  const way = WAYS[randomBetween(lane.random, 0, WAYS.length - 1)] ?? "whole";
  const ids = new Set<string>();
  for (;;) {
    const response = await send(it, turn, previous, way).catch(() => null);
    const told = response === null ? [] : await read(response);
    for (const { id } of told) ids.add(id);
    const words = `${turn.commandId} became ${[...ids].join(" and ")}`;
    if (ids.size > 1) breaches.push({ rule: "T2", words, seqs: [] });
    const last = told.at(-1);
    if (last !== undefined && (way === "background" || last.status !== "in_progress")) return last;
    await Promise.race([sleep(RETRY_MS), lane.abandoned]);
  }
}

function send(
  { lane }: Guest,
  { script, commandId }: Turn,
  previous: string | null,
  way: (typeof WAYS)[number],
  input = script.message.message,
): Promise<Response> {
  const body = {
    model: script.message.agent ?? "orrery",
    input,
    ...(previous === null ? {} : { previous_response_id: previous }),
    ...(way === "background" ? { background: true } : {}),
    ...(way === "stream" ? { stream: true } : {}),
  };
  return createApiUser(lane.url).request("POST", "/v1/responses", body, { "idempotency-key": commandId });
}

/** Returns the states of the response in an answer; none if the host died first. Throws if it was rejected. */
async function read(response: Response): Promise<ResponseObject[]> {
  const text = await response.text().catch(() => "");
  if (response.status >= 400 && response.status < 500)
    throw new Error(`A response was refused with ${response.status}: ${text}`);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const documents = isStream ? text.split("\n").filter((line) => line.startsWith("data: {")) : [`data: ${text}`];
  return documents.flatMap((line) => {
    try {
      const value = JSON.parse(line.slice("data: ".length)) as ResponseObject & { response?: ResponseObject };
      const state = isStream ? value.response : value;
      return state?.object === "response" ? [state] : [];
    } catch {
      return [];
    }
  });
}

async function ended({ lane }: Guest, id: string): Promise<ResponseObject> {
  for (;;) {
    const stored = await insist(
      () => createApiUser(lane.url).get<ResponseObject>(`/v1/responses/${id}`),
      lane.abandoned,
    );
    if (stored.status !== "in_progress") return stored;
    await Promise.race([sleep(POLL_MS), lane.abandoned]);
  }
}

/** Records the thread of a response, which must be in the conversation of the previous one. */
function note(it: Guest, turn: Turn, id: string): void {
  const [, seq, thread, conversation] = RESPONSE_ID.exec(id) ?? [];
  const [, , , before = conversation] = RESPONSE_ID.exec(it.previous ?? "") ?? [];
  if (before !== conversation)
    it.breaches.push({ rule: "T2", words: `${id} does not continue ${it.previous}`, seqs: [] });
  turn.threadId = `th-${thread}`;
  turn.seq = Number(seq);
  turn.endedAt = it.lane.kills;
  it.previous = id;
}

/** Repeats a finished request: it must return the same response, and another input with its key must be refused. */
async function repeat({ breaches, ...it }: Guest, turn: Turn, previous: string | null): Promise<void> {
  const again = await insist(async () => {
    const response = await send({ breaches, ...it }, turn, previous, "background");
    return (await response.json()) as ResponseObject;
  }, it.lane.abandoned);
  if (again.id !== it.previous)
    breaches.push({ rule: "T2", words: `${turn.commandId} became ${it.previous}, then ${again.id}`, seqs: [] });
  const other = await insist(
    () => send({ breaches, ...it }, turn, previous, "background", "Something else"),
    it.lane.abandoned,
  );
  if (other.status !== 422)
    breaches.push({ rule: "T2", words: `Another request as ${turn.commandId}: ${other.status}`, seqs: [] });
}

function textOf({ output }: ResponseObject): string {
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  return parts.map((part) => ("text" in part ? part.text : part.refusal)).join("");
}
