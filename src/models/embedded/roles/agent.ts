// An agent with tools: calls the tools that the request needs, waits for results that later parts use, and reports
// them. Its state is reconstructed from the messages on each call.

import type { Result } from "../arguments.ts";
import { callsFor, type PlannedCall } from "../tools.ts";
import { cardsFrom } from "../agents.ts";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import * as phrases from "../phrases.ts";
import { readPieces, type Piece } from "../request.ts";
import { readOutcome, worded } from "../results.ts";
import { readTalk } from "../small-talk.ts";
import { earlierRequests, isRefused, listAfter, resultsSoFar, type Outcome, type Talk } from "../talk.ts";
import type { Answer, Tool } from "../wire.ts";
import { app, isApp, isNo, verdict, workToVerify } from "./app.ts";
import { plan, START_PLAN } from "./plan.ts";

/** The rules never ask: an answer would not help them. */
const ASKING = "ask_user";
/** Ends a task as failed, if the tool is offered. */
const GIVING_UP = "give_up";

export function agent(talk: Talk, offered: readonly Tool[]): Answer {
  if (isApp(talk, offered)) return verifyAgain(talk, offered) ?? app(talk, offered);
  const start = offered.find(({ name }) => name === START_PLAN);
  if (start !== undefined) return plan(talk, start);
  const tools = offered.filter(({ name }) => name !== ASKING && name !== GIVING_UP);
  const language = languageOf(talk.request, talk.language);
  const kind = readTalk(talk.request);
  if (kind !== null) return { kind: "text", text: chat(kind, talk, tools, language) };
  const pieces = readPieces(talk.request);
  const { open, done, undone } = replay(pieces, talk, tools);
  if (open.length > 0) return { kind: "calls", calls: open };
  if (pieces.length === 0) return { kind: "text", text: phrases.onlyRules(language) };
  const lines = worded(done, language);
  const text = [...lines, ...(undone.length === 0 ? [] : [phrases.cannotDo(undone, language)])].join("\n");
  const isLost = done.every((outcome) => !isRefused(outcome) && readOutcome(outcome).failed);
  if (!isLost || !offered.some(({ name }) => name === GIVING_UP)) return { kind: "text", text };
  const reason = [...new Set(done.map((outcome) => readOutcome(outcome).value))].join(" ") || phrases.noTool(language);
  return { kind: "calls", text, calls: [{ name: GIVING_UP, arguments: { reason } }] };
}

/**
 * Verifies read-only work by repeating it: the values must equal the answer. Null if the tools do not fit this work.
 */
function verifyAgain(talk: Talk, tools: readonly Tool[]): Answer | null {
  const work = workToVerify(talk);
  if (work === null) return null;
  const language = languageOf(talk.request, talk.language);
  const pieces = readPieces(work.query);
  const again = { ...talk, request: work.query };
  if (replay(pieces, { ...again, outcomes: [] }, tools).open.length === 0) return null;
  const { open, done } = replay(pieces, again, tools);
  if (open.length > 0) return { kind: "calls", calls: open };
  const isSame = (outcome: Outcome): boolean => {
    const { value } = readOutcome(outcome);
    return !/^-?\d+(?:\.\d+)?$/.test(value) || work.result.endsWith("…") || work.result.includes(value);
  };
  const isWell = done.every((outcome) => !isNo(outcome.content) && isSame(outcome));
  return { kind: "text", text: [...worded(done, language), verdict(isWell, language)].join("\n") };
}

function chat(
  kind: NonNullable<ReturnType<typeof readTalk>>,
  talk: Talk,
  tools: readonly Tool[],
  language: Language,
): string {
  if (kind === "who") return phrases.whoAmI(language);
  if (kind === "last_question") return phrases.lastQuestion(earlierRequests(talk)[0], language);
  if (kind !== "what") return phrases.smallTalk(kind, language);
  const cards = cardsFrom(listAfter("Agents:", talk.system));
  return tools.length > 0 ? phrases.whatToolsDo(tools, language) : phrases.whatWeDo(cards, language);
}

type Replay = {
  /** The next calls. */
  readonly open: readonly PlannedCall[];
  readonly done: readonly Outcome[];
  /** The pieces that no tool fits. */
  readonly undone: readonly string[];
};

/**
 * Replays the work in waves: a piece is ready when its dependencies are done. The outcomes so far are consumed in the
 * order of the calls.
 */
function replay(pieces: readonly Piece[], talk: Talk, tools: readonly Tool[]): Replay {
  const given = resultsSoFar(talk);
  const results = new Map<number, readonly Result[]>();
  const undone: string[] = [];
  let consumed = 0;
  while (results.size < pieces.length) {
    const ready = [...pieces.entries()].filter(
      ([i, { after }]) => !results.has(i) && after.every((needed) => results.has(needed)),
    );
    const wave = ready.map(([i, piece]) => {
      const own = piece.after.flatMap((needed) => results.get(needed) ?? []);
      const earlier = own.length > 0 ? own : given;
      return {
        i,
        piece,
        calls: callsFor({ text: piece.text, results: earlier, now: talk.now, timezone: talk.timezone }, tools),
      };
    });
    const open = wave.flatMap(({ calls }) => calls);
    const isMade = consumed + open.length <= talk.outcomes.length;
    if (!isMade && consumed === talk.outcomes.length) return { open, done: [], undone };
    if (!isMade) break;
    for (const { i, piece, calls } of wave) {
      const outcomes = talk.outcomes.slice(consumed, consumed + calls.length);
      consumed += calls.length;
      if (calls.length === 0) undone.push(piece.text);
      results.set(
        i,
        outcomes
          .filter((outcome) => !isRefused(outcome))
          .map((outcome) => ({ value: readOutcome(outcome).value, about: piece.text })),
      );
    }
  }
  return { open: [], done: talk.outcomes, undone };
}
