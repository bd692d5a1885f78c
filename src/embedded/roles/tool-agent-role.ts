// An agent with tools: calls the tools that the request needs, waits for results that later parts use, and reports
// them. Its state is reconstructed from the messages on each call.

import type { EarlierResult } from "../tool-arguments.ts";
import { selectToolCalls, type PlannedCall } from "../select-tool-calls.ts";
import { parseCards } from "../agent-selection.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import * as phrases from "../embedded-messages.ts";
import { parsePieces, type WorkPiece } from "../request-pieces.ts";
import { parseOutcome, formatOutcomes } from "../format-outcomes.ts";
import { detectSmallTalk } from "../small-talk.ts";
import {
  listEarlierRequests,
  isCallRejected,
  parseListAfter,
  listEarlierResults,
  type CallOutcome,
  type PromptContext,
} from "../prompt-context.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";
import { answerAsApp, isAppRequest, isNegativeResult, formatVerdict, getWorkToVerify } from "./app-role.ts";
import { answerAsWorkflow, START_PLAN } from "./workflow-role.ts";

/** The rules never ask: an answer would not help them. */
const ASKING = "ask_user";
/** Ends a task as failed, if the tool is offered. */
const GIVING_UP = "give_up";

export function answerAsToolAgent(talk: PromptContext, offered: readonly OfferedTool[]): EmbeddedAnswer {
  if (isAppRequest(talk, offered)) return verifyByRepeating(talk, offered) ?? answerAsApp(talk, offered);
  const start = offered.find(({ name }) => name === START_PLAN);
  if (start !== undefined) return answerAsWorkflow(talk, start);
  const tools = offered.filter(({ name }) => name !== ASKING && name !== GIVING_UP);
  const language = detectLanguage(talk.request, talk.language);
  const kind = detectSmallTalk(talk.request);
  if (kind !== null) return { kind: "text", text: formatChatAnswer(kind, talk, tools, language) };
  const pieces = parsePieces(talk.request);
  const { open, done, undone } = replayWork(pieces, talk, tools);
  if (open.length > 0) return { kind: "calls", calls: open };
  if (pieces.length === 0) return { kind: "text", text: phrases.formatRulesOnly(language) };
  const lines = formatOutcomes(done, language);
  const text = [...lines, ...(undone.length === 0 ? [] : [phrases.formatCannotDo(undone, language)])].join("\n");
  const isLost = done.every((outcome) => !isCallRejected(outcome) && parseOutcome(outcome).failed);
  if (!isLost || !offered.some(({ name }) => name === GIVING_UP)) return { kind: "text", text };
  const reason =
    [...new Set(done.map((outcome) => parseOutcome(outcome).value))].join(" ") || phrases.formatNoTool(language);
  return { kind: "calls", text, calls: [{ name: GIVING_UP, arguments: { reason } }] };
}

/**
 * Verifies read-only work by repeating it: the values must equal the answer. Null if the tools do not fit this work.
 */
function verifyByRepeating(talk: PromptContext, tools: readonly OfferedTool[]): EmbeddedAnswer | null {
  const work = getWorkToVerify(talk);
  if (work === null) return null;
  const language = detectLanguage(talk.request, talk.language);
  const pieces = parsePieces(work.query);
  const again = { ...talk, request: work.query };
  if (replayWork(pieces, { ...again, outcomes: [] }, tools).open.length === 0) return null;
  const { open, done } = replayWork(pieces, again, tools);
  if (open.length > 0) return { kind: "calls", calls: open };
  const isSame = (outcome: CallOutcome): boolean => {
    const { value } = parseOutcome(outcome);
    return !/^-?\d+(?:\.\d+)?$/.test(value) || work.result.endsWith("…") || work.result.includes(value);
  };
  const isWell = done.every((outcome) => !isNegativeResult(outcome.content) && isSame(outcome));
  return { kind: "text", text: [...formatOutcomes(done, language), formatVerdict(isWell, language)].join("\n") };
}

function formatChatAnswer(
  kind: NonNullable<ReturnType<typeof detectSmallTalk>>,
  talk: PromptContext,
  tools: readonly OfferedTool[],
  language: Language,
): string {
  if (kind === "who") return phrases.formatIdentity(language);
  if (kind === "last_question") return phrases.formatLastQuestion(listEarlierRequests(talk)[0], language);
  if (kind !== "what") return phrases.formatSmallTalk(kind, language);
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  return tools.length > 0 ? phrases.formatToolList(tools, language) : phrases.formatAgentList(cards, language);
}

type ReplayState = {
  /** The next calls. */
  readonly open: readonly PlannedCall[];
  readonly done: readonly CallOutcome[];
  /** The pieces that no tool fits. */
  readonly undone: readonly string[];
};

/**
 * Replays the work in waves: a piece is ready when its dependencies are done. The outcomes so far are consumed in the
 * order of the calls.
 */
function replayWork(pieces: readonly WorkPiece[], talk: PromptContext, tools: readonly OfferedTool[]): ReplayState {
  const given = listEarlierResults(talk);
  const results = new Map<number, readonly EarlierResult[]>();
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
        calls: selectToolCalls({ text: piece.text, results: earlier, now: talk.now, timezone: talk.timezone }, tools),
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
          .filter((outcome) => !isCallRejected(outcome))
          .map((outcome) => ({ value: parseOutcome(outcome).value, about: piece.text })),
      );
    }
  }
  return { open: [], done: talk.outcomes, undone };
}
