// Triage: answers in plain text or hands off.

import { findAddressedAgents, makesPages, parseCards, type PromptCard } from "../agents/cards.ts";
import { isAssignable, selectAgents } from "../agents/select-agents.ts";
import { createCallAnswer, createTextAnswer, type EmbeddedAnswer } from "../chat-completions.ts";
import { formatHelp } from "../format-help.ts";
import { formatSentence, formatSmallTalk, joinList, type MessageName } from "../messages.ts";
import { getLastAnswer, listEarlierRequests, parseListAfter, type PromptContext } from "../prompt-context.ts";
import { parsePieces } from "../request/split-request.ts";
import { parseTimedRequest } from "../request/timed-request.ts";
import { parseVerificationRequest } from "../request/verification-request.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { isScheduleOrder } from "../request/schedule-order.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { collectResultNumbers } from "../work/earlier-results.ts";
import { formatExpression, resolveSum } from "../work/read-sum.ts";
import { readWork } from "../work/read-work.ts";

/** How many earlier requests are searched for a page, and how many characters of each. */
const MAX_LOOK_BACK = 10;
const MAX_READ = 500;

export function answerAsTriage(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  const kind = detectSmallTalk(talk.request);
  if (isScheduleOrder(talk)) return handOffWhole(talk, "reasonOrder", language);
  if (kind === "what") return createTextAnswer(formatHelp(cards, language));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const query = completeSum(rest, talk);
  if (kind !== null) return createTextAnswer(formatSmallTalk(kind, language));
  const off = findDisabledAgent(query, talk);
  if (off !== null) return createTextAnswer(formatSentence("disabledAgent", language, { name: off }));
  return handOff({ query, clause }, talk, cards, language);
}

/** Hands the unchanged request to the planner. */
function handOffWhole({ request }: PromptContext, why: MessageName, language: Language): EmbeddedAnswer {
  const reason = formatSentence(why, language);
  return createCallAnswer("handoff_to_planner", {
    strategy: "needs_planning",
    selected_agents: [],
    enriched_query: request,
    reason,
  });
}

/** Inserts the last answer into a sum that needs it: "and times 2?" after 5950128. */
function completeSum(request: string, talk: PromptContext): string {
  const work = readWork(request);
  const answer = getLastAnswer(talk);
  if (work?.kind !== "sum" || !work.template.includes("$") || answer === null) return request;
  const expression = resolveSum(work.template, collectResultNumbers([{ value: answer, about: "" }]));
  return expression === null ? request : formatExpression(expression);
}

/** `clause` is the wish for verification; the planner parses it again. */
type TriagedRequest = { readonly query: string; readonly clause: string };

function handOff(
  { query, clause }: TriagedRequest,
  talk: PromptContext,
  cards: readonly PromptCard[],
  language: Language,
): EmbeddedAnswer {
  const whole = findAddressedAgents(query, cards);
  if (whole.kind === "unknown") {
    const names = cards.map((card) => card.name);
    const values = { name: whole.name, names: joinList(names, language) };
    return createTextAnswer(formatSentence("unknownAgent", language, values));
  }
  const once = parseTimedRequest(talk);
  const pieces = parsePieces(once?.text ?? query, (text) => isAssignable(text, cards));
  if (once !== null && (once.isReminder || pieces.some(({ first }) => selectAgents(first, cards).length > 0)))
    return handOffWhole(talk, "reasonScheduled", language);
  const isScheduled = pieces.some(({ timing }) => timing !== null);
  const hand = (strategy: string, selected_agents: string[], enriched_query: string, why: MessageName) => {
    const reason = formatSentence(why, language, { names: joinList(selected_agents, language) });
    return createCallAnswer("handoff_to_planner", { strategy, selected_agents, enriched_query, reason });
  };
  const isPlanned = isScheduled || clause !== "";
  if (whole.kind === "known" && !isPlanned && (pieces.length === 1 || whole.cards.length > 1)) {
    const names = whole.cards.map(({ name }) => name);
    return hand(names.length === 1 ? "single_agent" : "multi_agent", names, whole.rest, "reasonNamed");
  }
  const fitting = pieces.map((piece) => selectAgents(piece.first, cards)[0]);
  if (fitting.every((agent) => agent === undefined)) {
    const maker = findPageAgent(talk, cards);
    return maker === null
      ? createTextAnswer(formatSentence("notUnderstood", language))
      : hand("single_agent", [maker.name], query, "reasonSingle");
  }
  if (isPlanned || pieces.length > 1) {
    const why = isScheduled ? "reasonScheduled" : clause === "" ? "reasonSeveral" : "reasonVerified";
    return hand("needs_planning", [], query + clause, why);
  }
  return hand("single_agent", [fitting[0]?.name ?? ""], query, "reasonSingle");
}

/** Returns the name of a requested agent that is disabled. */
function findDisabledAgent(query: string, { system }: PromptContext): string | null {
  const off = parseCards(parseListAfter("Switched off:", system).map((name) => ({ name })));
  const named = findAddressedAgents(query, off);
  return named.kind === "known" ? (named.cards[0]?.name ?? null) : null;
}

/**
 * Returns the agent for pages if the last request with an agent was for it: work that fits no other agent is then about
 * the page, as in "remove the table".
 */
function findPageAgent(talk: PromptContext, cards: readonly PromptCard[]): PromptCard | null {
  const maker = cards.find(makesPages) ?? null;
  const last = listEarlierRequests(talk)
    .slice(0, MAX_LOOK_BACK)
    .flatMap((request) => selectAgents(request.slice(0, MAX_READ), cards)[0] ?? [])[0];
  return last === maker ? maker : null;
}
