// The messages of clients and the answers of the model. Each answer contains the number of its attempt, so that the
// final log shows which call the value of each finished step is from.

import { setTimeout as sleep } from "node:timers/promises";
import type { SendCommand } from "../src/protocol/wire/commands.ts";
import type { ModelScript, ModelCall, ModelServer } from "../test/support/model-server.ts";
import type { ModelReply } from "../test/support/model-reply.ts";
import { randomBetween } from "../test/support/random.ts";
import { COURIER, obey, REFUSAL } from "./courier.ts";

export const KINDS = ["answer", "plan", "agent", "question", "order"] as const;
export type Kind = (typeof KINDS)[number];

/** A task for an agent: its query contains the mark, its result is `words`. */
export type Piece = { readonly mark: string; readonly agent: string; readonly words: string };

export type Script = {
  readonly kind: Kind;
  /** The mark of the message. `words` is the answer of the model to the user: a direct answer, or a synthesis. */
  readonly mark: string;
  readonly words: string;
  readonly pieces: readonly Piece[];
  readonly message: SendCommand;
  /** The answer of the client to the question of the thread; absent if it asks none. */
  readonly reply?: string;
};

/** The answer of the user to the question of a planner. A planner that receives another answer returns `WRONG`. */
export const ANSWER = "Take the second one.";
const WRONG = "This is no answer to my question.";

/** The length of a text that needs several chunks, rows and parts of the journal. */
const LONG_CHARS = 300_000;
const STEADY_PACE_MS = 2;
const MARK = /⟦[a-z\d]+⟧/;

/** The model server of the scripts, and the share of long texts (0 to 1). */
type Stage = { readonly model: ModelServer; readonly longs: number };

export function scriptOf(kind: Kind, stage: Stage, random: () => number): Script {
  const { model } = stage;
  const words = textOf("w", randomBetween(random, 3, 40), stage, random);
  const paceMs = randomBetween(random, 0, 3);
  switch (kind) {
    case "answer": {
      const reasoning = random() < 0.5 ? wordsOf("r", 6) : "";
      const mark = model.addScript({ triage: (call) => ({ reasoning, text: stamped(words, call), paceMs }) });
      return { kind, mark, words, pieces: [], message: { message: `Answer ${mark}` } };
    }
    case "plan":
      return plan(words, paceMs, stage, random);
    case "question":
      return asking(stage, random, paceMs);
    case "order": {
      const mark = model.addScript({ "agent:courier": (call) => obey(call, stamped(words, call), paceMs) });
      const piece = { mark, agent: COURIER, words };
      return { ...ofAgent(piece), kind, reply: REFUSAL };
    }
    case "agent":
      return ofAgent(pieceOf(stage, random, paceMs));
  }
}

function ofAgent(piece: Piece): Script {
  const message = { message: queryOf(piece), agent: piece.agent };
  return { kind: "agent", mark: "", words: "", pieces: [piece], message };
}

function plan(words: string, paceMs: number, stage: Stage, random: () => number): Script {
  const pieces = [pieceOf(stage, random, paceMs), pieceOf(stage, random, paceMs)];
  const mark = stage.model.addScript(actOfPlan(words, pieces, random() < 0.5, paceMs));
  return { kind: "plan", mark, words, pieces, message: { message: `Plan ${mark}` } };
}

/** Creates an answer that takes long enough for a kill before its end. */
export function scriptOfStall(model: ModelServer): Script {
  const words = wordsOf("s", 60);
  const mark = model.addScript({ triage: (call) => ({ text: stamped(words, call), paceMs: 25 }) });
  return { kind: "answer", mark, words, pieces: [], message: { message: `Answer ${mark}` } };
}

/** Creates a fixed plan of two dependent tasks: the first for a local agent, the second for a remote agent. */
export function scriptOfPoints(model: ModelServer): Script {
  const here = wordsOf("y", 4);
  const mark = model.addScript({ "agent:assistant": (call) => reply(call, here, true, 0) });
  const pieces = [
    { mark, agent: "assistant", words: `${TOOL_WORDS}${here}` },
    { mark: model.addScript({}), agent: "steady", words: wordsOf("z", 3) },
  ];
  const words = wordsOf("w", 5);
  const act = model.addScript(actOfPlan(words, pieces, true, 0));
  return { kind: "plan", mark: act, words, pieces, message: { message: `Plan ${act}` } };
}

function actOfPlan(words: string, pieces: readonly Piece[], isChain: boolean, paceMs: number): ModelScript {
  return {
    triage: (call) => handOff(call, paceMs),
    planner: (call) => proposal(call, pieces, isChain, paceMs),
    synthesis: (call) => ({ text: stamped(words, call), paceMs }),
  };
}

function handOff(call: ModelCall, paceMs: number): ModelReply {
  const decision = { strategy: "needs_planning", selected_agents: [], enriched_query: "", reason: stamped("", call) };
  return { calls: [{ name: "handoff_to_planner", arguments: decision }], paceMs };
}

function proposal(call: ModelCall, pieces: readonly Piece[], isChain: boolean, paceMs: number): ModelReply {
  const tasks = pieces.map((piece, i) => ({
    id: `t${i}`,
    title: `Part ${i}`,
    query: queryOf(piece),
    agent_name: piece.agent,
    depends_on: isChain && i > 0 ? [`t${i - 1}`] : [],
    pattern: "once",
  }));
  return { calls: [{ name: "create_plan", arguments: { tasks, adequate: true, reason: stamped("", call) } }], paceMs };
}

/** Creates a script whose planner asks a question before it creates a plan of one task. */
function asking(stage: Stage, random: () => number, paceMs: number): Script {
  const pieces = [pieceOf(stage, random, paceMs)];
  const mark = stage.model.addScript({
    triage: (call) => handOff(call, paceMs),
    planner: (call) => {
      if (call.round === 0) return QUESTION;
      return isAnswered(call) ? proposal(call, pieces, false, paceMs) : { text: WRONG };
    },
  });
  return { kind: "question", mark, words: "", pieces, message: { message: `Plan ${mark}` }, reply: ANSWER };
}

const QUESTION: ModelReply = {
  calls: [{ name: "ask_user", arguments: { question: "Which one?", options: ["one", "two"] } }],
};

function isAnswered({ request }: ModelCall): boolean {
  return request.messages.at(-1)?.content?.includes(ANSWER) === true;
}

function pieceOf(stage: Stage, random: () => number, paceMs: number): Piece {
  const agent = random() < 0.7 ? "assistant" : "steady";
  const words = textOf("y", randomBetween(random, 2, 20), stage, random);
  const usesTool = random() < 0.5;
  const mark = stage.model.addScript({ "agent:assistant": (call) => reply(call, words, usesTool, paceMs) });
  return { mark, agent, words: agent === "steady" || !usesTool ? words : `${TOOL_WORDS}${words}` };
}

const TOOL_WORDS = "Let me see. ";

/** Creates the reply of an agent. An agent that uses a tool replies twice, and its answer is the text of both. */
function reply(call: ModelCall, words: string, usesTool: boolean, paceMs: number): ModelReply {
  if (!usesTool || call.round > 0) return { text: stamped(words, call), paceMs };
  return { text: TOOL_WORDS, calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs };
}

/** Creates the remote agent. It answers with the words of the piece whose mark it receives, and the attempt number. */
export function steadySpeech(pieces: ReadonlyMap<string, Piece>) {
  const asked = new Map<string, number>();
  return async function* (query: string, stop: AbortSignal): AsyncGenerator<string> {
    const mark = markIn(query);
    const attempt = (asked.get(mark) ?? 0) + 1;
    asked.set(mark, attempt);
    for (const word of (pieces.get(mark)?.words ?? "").split(/(?<= )/)) {
      await sleep(STEADY_PACE_MS);
      if (stop.aborted) return;
      yield word;
    }
    yield `⟪${attempt}⟫`;
  };
}

export function queryOf({ mark }: Piece): string {
  return `Work ${mark}`;
}

export function markIn(text: string): string {
  return MARK.exec(text)?.[0] ?? "";
}

/** Returns the attempt number in a text; null if it contains none. */
export function attemptIn(text: string): number | null {
  const found = /⟪(\d+)⟫/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** Removes the attempt number from a text, so that texts of different attempts are equal. */
export function withoutAttempt(text: string): string {
  return text.replaceAll(/⟪\d+⟫/g, "");
}

export function wordsOf(letter: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${letter}${i} `).join("");
}

/** Returns `count` words, or one that is very long. */
function textOf(letter: string, count: number, { longs }: Stage, random: () => number): string {
  return random() < longs ? `${letter.repeat(LONG_CHARS)} ` : wordsOf(letter, count);
}

function stamped(words: string, { attempt }: ModelCall): string {
  return `${words}⟪${attempt + 1}⟫`;
}
