// The provenance of the texts of a turn: which texts the person wrote, and which parts of a query others wrote.
//
// Triage and planner read earlier answers, which may quote tools and agents. A query, a schedule or a start value that
// contains a part of them is not the person's (P1).

import type { Provenance } from "../../protocol/agents/agent.ts";
import type { Approval } from "../../protocol/wire/question.ts";
import { findUntrustedSpans, parseValue, type ValueSpan } from "../../protocol/provenance/find-untrusted.ts";
import type { ReadTexts } from "../../protocol/provenance/examine-arguments.ts";
import { TextIndex } from "../../protocol/provenance/text-index.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import type { TurnContext } from "./turn-context.ts";

/** The sources of text in the messages before a request, as people see them. */
const SOURCES = { assistant: "earlier answers", tool: "tools of the client" } as const;
/** The maximum length of the texts of the person that a request contains. The newest are kept. */
const MAX_PERSON_CHARS = 64_000;

type TurnTexts = Pick<TurnContext, "request" | "history" | "answers">;

/** Returns the texts that triage and planner have read. The instructions of the deployment are not among them. */
export function listTurnTexts(turn: TurnTexts): ReadTexts {
  const messages = [...turn.history(), ...(turn.request.answer?.input ?? [])];
  const untrusted = messages.flatMap(({ role, content }) =>
    (role === "assistant" || role === "tool") && content !== "" ? [{ source: SOURCES[role], text: content }] : [],
  );
  return { person: listPersonTexts(turn), deployment: [], untrusted };
}

/** Returns the provenance of a request with this query. */
export function buildProvenance(turn: TurnTexts, query: string): Provenance {
  const { person, untrusted } = listTurnTexts(turn);
  const spans = person.includes(query) ? [] : findForeignSpans(query, person, untrusted);
  const source = [...new Set(untrusted.map((each) => each.source))].join(", ");
  return {
    query: blankSpans(query, spans),
    person: [...person],
    untrusted: spans.map(({ start, end }) => ({ source, text: query.slice(start, end) })),
  };
}

/** Returns the texts of the person, the newest first, up to the limit. */
function listPersonTexts({ request, history, answers }: TurnTexts): string[] {
  const { history: _, ...context } = request.context ?? {};
  // The message of a request that only brings results of client tools consists of these results.
  const own = request.answer?.input?.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  const earlier = history().flatMap(({ role, content }) => (role === "user" || role === "system" ? [content] : []));
  const replies = answers().flatMap(({ message, arguments: edited }) =>
    edited === undefined ? [message] : [message, JSON.stringify(edited)],
  );
  const texts = [...(own ?? [request.message]), ...replies, JSON.stringify(context), ...earlier.toReversed()];
  let remaining = MAX_PERSON_CHARS;
  return texts.filter((text) => {
    if (text === "" || text === "{}" || text.length > remaining) return false;
    remaining -= text.length;
    return true;
  });
}

function findForeignSpans(query: string, person: readonly string[], untrusted: ReadTexts["untrusted"]): ValueSpan[] {
  if (untrusted.length === 0) return [];
  return findUntrustedSpans(parseValue(query), new TextIndex(untrusted.map(({ text }) => text)), new TextIndex(person));
}

/** Replaces spans by a line break, which no comparison crosses. */
function blankSpans(text: string, spans: readonly ValueSpan[]): string {
  return spans
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}\n\u0001\n${rest.slice(end)}`, text);
}

/**
 * Returns the approval with the `seq` of each origin in place of the agent's id. An agent cannot state a `seq` itself. An
 * id that no event of this conversation shows is removed.
 */
export function resolveOrigins(turn: Pick<TurnContext, "findResultSeq">, task: Task, approval: Approval): Approval {
  const { origins, ...rest } = approval;
  if (origins === undefined) return approval;
  const resolved = origins.map(({ ref, seq: _, ...origin }) => {
    const isDependency = ref !== undefined && task.depends_on.includes(ref);
    const found = ref === undefined ? null : turn.findResultSeq(isDependency ? ref : `${task.task_id}/${ref}`);
    return found === null ? origin : { ...origin, seq: found };
  });
  return { ...rest, origins: resolved };
}
