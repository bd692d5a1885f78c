// An agent with tools: calls the tools that the request needs, waits for results that later parts use, and reports
// them. Its state is reconstructed from the messages on each call. A configured agent (workflow app) and the
// verification of a task differ only in the tools and the known values that the prompt gives them.

import { createCallAnswer, createTextAnswer, type EmbeddedAnswer, type OfferedTool } from "../chat-completions.ts";
import { formatSentence, formatSmallTalk, joinList } from "../messages.ts";
import {
  listEarlierResults,
  parseKnownValues,
  type CallOutcome,
  type KnownValues,
  type PromptContext,
} from "../prompt-context.ts";
import { parsePieces, type WorkPiece } from "../request/split-request.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { formatOutcome, parseOutcome } from "../tools/format-outcomes.ts";
import { findKnownValue, parseStatedValues } from "../tools/known-values.ts";
import { planCalls, planLookup, type CallPlan, type PlannedCall } from "../tools/plan-calls.ts";
import { toSchema } from "../tools/tool-parameters.ts";
import type { EarlierResult } from "../work/earlier-results.ts";

/** The rules never ask: an answer would not help them. */
const ASKING = "ask_user";
/** The tools that end a task as failed: of the assistant, and of a configured agent. */
const GIVING_UP = "give_up";
const REPORTING = "report_failure";
/** The tool that starts a workflow. */
const STARTING = "start_plan";
/** The tool that must say how the work can be checked before anything changes. */
const STATING = "state_criterion";
const VERIFYING = "verify_task_completion";

/** The rules know no criterion: before the first calls they state that there is none. */
export function answerAsToolAgent(talk: PromptContext, offered: readonly OfferedTool[]): EmbeddedAnswer {
  if (!offered.some(({ name }) => name === STATING)) return answerWithTools(talk, offered);
  const outcomes = talk.outcomes.filter(({ call }) => call.name !== STATING);
  const answer = answerWithTools(
    { ...talk, outcomes },
    offered.filter(({ name }) => name !== STATING),
  );
  if (answer.kind !== "calls" || outcomes.length < talk.outcomes.length) return answer;
  const none = { name: STATING, arguments: { none: "These rules know no criterion." } };
  return { ...answer, calls: [none, ...answer.calls] };
}

function answerWithTools(talk: PromptContext, offered: readonly OfferedTool[]): EmbeddedAnswer {
  const facts = parseKnownValues(talk);
  const language = detectLanguage(talk.request, talk.language);
  const start = offered.find(({ name }) => name === STARTING);
  if (start !== undefined) return startWorkflow(talk.request, facts, start);
  const tools = offered.filter(({ name }) => ![ASKING, GIVING_UP, REPORTING].includes(name));
  const isApp = offered.some(({ name }) => name === REPORTING);
  const plan: WorkPlanner = (text, results) =>
    planCalls({ text, results, timezone: talk.timezone, facts, isApp }, tools);
  if (facts.get("action") === VERIFYING) return verifyWork(talk, facts, plan, tools, language);
  const kind = isApp ? null : detectSmallTalk(talk.request);
  if (kind === "what") {
    const lines = tools.map(({ name, description }) => `- ${name}: ${description}`);
    return createTextAnswer(formatSentence("tools", language, { tools: lines.join("\n") }));
  }
  if (kind !== null) return createTextAnswer(formatSmallTalk(kind, language));
  const pieces = isApp
    ? [createPiece(talk.request)]
    : parsePieces(talk.request, (text) => plan(text, []).calls.length > 0);
  if (pieces.length === 0) return createTextAnswer(formatSentence("notUnderstood", language));
  const { open, done, undone } = replayWork(pieces, talk, plan);
  return open.length > 0 ? { kind: "calls", calls: open } : concludeWork(done, undone, offered, language);
}

const createPiece = (text: string): WorkPiece => ({ text, first: text, after: [], isBound: false, timing: null });

/** Plans the calls for a piece of work, with the results that it may refer to. */
type WorkPlanner = (text: string, results: readonly EarlierResult[]) => CallPlan;

type ReplayState = {
  /** The next calls. */
  readonly open: readonly PlannedCall[];
  readonly done: readonly CallOutcome[];
  /** The pieces that no tool fits, with the missing value if only one is missing. */
  readonly undone: readonly { readonly text: string; readonly plan: CallPlan }[];
};

/**
 * Replays the work in waves: a piece is ready when its dependencies are done. The outcomes so far are consumed in the
 * order of the calls.
 */
function replayWork(pieces: readonly WorkPiece[], talk: PromptContext, plan: WorkPlanner): ReplayState {
  const given = listEarlierResults(talk);
  const results = new Map<number, readonly EarlierResult[]>();
  const undone: { text: string; plan: CallPlan }[] = [];
  let consumed = 0;
  while (results.size < pieces.length) {
    const ready = [...pieces.entries()].filter(
      ([i, { after }]) => !results.has(i) && after.every((needed) => results.has(needed)),
    );
    const wave = ready.map(([i, piece]) => {
      const own = piece.after.flatMap((needed) => results.get(needed) ?? []);
      return { i, piece, planned: plan(piece.text, own.length > 0 ? own : given) };
    });
    const open = wave.flatMap(({ planned }) => planned.calls);
    if (consumed + open.length > talk.outcomes.length)
      return { open: consumed === talk.outcomes.length ? open : [], done: talk.outcomes, undone };
    for (const { i, piece, planned } of wave) {
      const outcomes = talk.outcomes.slice(consumed, consumed + planned.calls.length);
      consumed += planned.calls.length;
      if (planned.calls.length === 0) undone.push({ text: piece.text, plan: planned });
      const values = outcomes
        .filter(({ isRejected }) => !isRejected)
        .map((outcome) => ({ value: parseOutcome(outcome).value, about: piece.text }));
      results.set(i, values);
    }
  }
  return { open: [], done: talk.outcomes, undone };
}

/** Reports the results. If nothing could be done, ends the task as failed where that is possible. */
function concludeWork(
  done: readonly CallOutcome[],
  undone: ReplayState["undone"],
  offered: readonly OfferedTool[],
  language: Language,
): EmbeddedAnswer {
  const missing = undone.flatMap(({ plan }) => plan.missing ?? []);
  const parts = undone.map(({ text }) => text.replace(/[\s.?!。？！]+$/, ""));
  const lines = [
    ...done.map((outcome) => formatOutcome(outcome, language)),
    ...(undone.length === 0 ? [] : [formatSentence("cannotDo", language, { parts: joinList(parts, language) })]),
  ];
  const giveUp = offered.find(({ name }) => name === GIVING_UP || name === REPORTING);
  const isLost = done.every((outcome) => !outcome.isRejected && parseOutcome(outcome).failed);
  const text = lines.join("\n");
  if (!isLost || giveUp === undefined) return createTextAnswer(text);
  const failures = done.map((outcome) => parseOutcome(outcome).value);
  const gaps = missing.map(({ tool, name }) => formatSentence("missingValue", language, { tool, name }));
  const reason = [...new Set([...failures, ...gaps])].join(" ") || formatSentence("noTool", language);
  return {
    kind: "calls",
    text: giveUp.name === REPORTING ? "" : text,
    calls: [{ name: giveUp.name, arguments: { reason } }],
  };
}

/** Reads the values of the subject of a workflow from the facts and from the words. */
function startWorkflow(request: string, facts: KnownValues, { parameters }: OfferedTool): EmbeddedAnswer {
  const names = Object.keys(getProperties(getProperties(parameters)["context"]));
  const stated = parseStatedValues(
    request,
    names.filter((name) => findKnownValue(name, facts) === undefined),
  );
  const values = names
    .map((name) => [name, findKnownValue(name, facts) ?? stated[name]] as const)
    .filter(([, value]) => value !== undefined);
  return createCallAnswer(STARTING, { context: Object.fromEntries(values) });
}

const getProperties = (schema: unknown) => toSchema(toSchema(schema)["properties"]);

/**
 * Verifies work with read-only tools: repeats it if the tools fit the original request, and compares the values with the
 * answer; otherwise looks the subject up with its known values.
 */
function verifyWork(
  talk: PromptContext,
  facts: KnownValues,
  plan: WorkPlanner,
  tools: readonly OfferedTool[],
  language: Language,
): EmbeddedAnswer {
  const [query = "", answer = "", name = ""] = ["task_query", "task_result", "task_name"].map((fact) =>
    String(facts.get(fact) ?? ""),
  );
  const repeated = query === "" ? [] : parsePieces(query);
  const isRepeated = repeated.some(({ text }) => plan(text, []).calls.length > 0);
  const subject = createPiece(name === "" ? talk.request : name);
  const look: WorkPlanner = (text) =>
    planLookup({ text, results: [], timezone: talk.timezone, facts, isApp: false }, tools);
  const { open, done, undone } = isRepeated ? replayWork(repeated, talk, plan) : replayWork([subject], talk, look);
  if (open.length > 0) return { kind: "calls", calls: open };
  const [gap] = undone.flatMap((one) => one.plan.missing ?? []);
  if (done.length === 0)
    return createTextAnswer(
      gap === undefined ? formatSentence("noTool", language) : formatSentence("missingValue", language, gap),
    );
  const isWell = done.every((outcome) => !isNegative(outcome) && (!isRepeated || hasSameValue(outcome, answer)));
  const verdict = formatSentence(isWell ? "verified" : "notVerified", language);
  return createTextAnswer([...done.map((outcome) => formatOutcome(outcome, language)), verdict].join("\n"));
}

/** True for a result that reports a failure or that nothing was found. */
function isNegative({ content }: CallOutcome): boolean {
  return /^\W*error\b|"(?:success|ok|found|exists|verified)"\s*:\s*false|"isError"\s*:\s*true/i.test(content);
}

/** True if the answer contains the number; other values may change. */
function hasSameValue(outcome: CallOutcome, answer: string): boolean {
  const { value } = parseOutcome(outcome);
  return !/^-?\d+(?:\.\d+)?$/.test(value) || answer.endsWith("…") || answer.includes(value);
}
