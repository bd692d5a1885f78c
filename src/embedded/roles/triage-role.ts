// Triage: answers in plain text or hands off.

import { findAddressedAgents, makesPages, parseCards, type PromptCard } from "../agents/cards.ts";
import { isAssignable, selectAgent } from "../agents/select-agents.ts";
import { isPageVariation } from "../analyst/detect-analysis.ts";
import { continuesPage } from "../analyst/analyst-routing.ts";
import type { EmbeddedAnswer } from "../chat-completions.ts";
import { formatHelp } from "../format-help.ts";
import { formatLastQuestion, formatSentence, formatSmallTalk, type MessageName } from "../messages.ts";
import { getLastAnswer, listEarlierRequests, parseListAfter, type PromptContext } from "../prompt-context.ts";
import { completeFollowUp } from "../request/complete-follow-up.ts";
import { isDeferredOnce } from "../request/request-timing.ts";
import { parsePieces } from "../request/split-request.ts";
import { parseVerificationRequest } from "../request/verification-request.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { detectSmallTalk } from "../small-talk.ts";

/** How many earlier requests are searched for a page, and how many characters of each. */
const MAX_LOOK_BACK = 10;
const MAX_READ = 500;

type HandoffStrategy = "single_agent" | "multi_agent" | "needs_planning";

export function answerAsTriage(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  const kind = detectSmallTalk(talk.request);
  if (kind === "what") return createTextAnswer(formatHelp(cards, language));
  if (kind === "last_question") return createTextAnswer(formatLastQuestion(listEarlierRequests(talk)[0], language));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const query = completeFollowUp({ ...talk, request: rest });
  // "Again" may be small talk or a follow-up; the conversation decides.
  if (kind !== null && query === talk.request) return createTextAnswer(formatSmallTalk(kind, language));
  const off = findDisabledAgent(query, talk);
  if (off !== null) return createTextAnswer(formatSentence("disabledAgent", language, { name: off }));
  return handOff({ query, clause }, talk, cards, language);
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
    const names = cards.map(({ name }) => name).join(language === "zh" ? "、" : ", ");
    return createTextAnswer(formatSentence("unknownAgent", language, { name: whole.name, names }));
  }
  const pieces = parsePieces(query, (text) => isAssignable(text, cards));
  const isScheduled = pieces.some(({ timing }) => timing !== null);
  if (!isScheduled && isDeferredOnce(query)) return createTextAnswer(formatSentence("deferred", language));
  const hand = (strategy: HandoffStrategy, selected: readonly string[], enriched: string, why: MessageName) =>
    createHandoffAnswer(
      strategy,
      selected,
      enriched,
      formatSentence(why, language, { names: selected.join(language === "zh" ? "、" : ", ") }),
    );
  const isPlanned = isScheduled || clause !== "";
  if (whole.kind === "known" && !isPlanned && (pieces.length === 1 || whole.cards.length > 1)) {
    const names = whole.cards.map(({ name }) => name);
    return hand(names.length === 1 ? "single_agent" : "multi_agent", names, whole.rest, "reasonNamed");
  }
  const fitting = pieces.map((piece) => selectAgent(piece.text, cards));
  if (fitting.every((agent, i) => agent === null || isPageVariation(pieces[i]?.text ?? ""))) {
    const maker = findPageAgent(talk, cards);
    if (maker !== null) return hand("single_agent", [maker.name], query, "reasonSingle");
    if (fitting.every((agent) => agent === null)) return createTextAnswer(formatSentence("notUnderstood", language));
  }
  if (isPlanned || pieces.length > 1)
    return hand(
      "needs_planning",
      [],
      query + clause,
      isScheduled ? "reasonScheduled" : clause === "" ? "reasonSeveral" : "reasonVerified",
    );
  return hand(
    "single_agent",
    fitting.flatMap((agent) => agent?.name ?? []),
    query,
    "reasonSingle",
  );
}

/** Returns the name of a requested agent that is disabled. */
function findDisabledAgent(query: string, { system }: PromptContext): string | null {
  const off = parseCards(parseListAfter("Switched off:", system).map((name) => ({ name })));
  const named = findAddressedAgents(query, off);
  return named.kind === "known" ? (named.cards[0]?.name ?? null) : null;
}

/**
 * Returns the agent for pages if the last request with an agent was for it: work that fits no other agent is then about
 * the page, as in "without the table". A request that fits no card was addressed by name; words that may be about a page
 * are then about its page.
 */
function findPageAgent(talk: PromptContext, cards: readonly PromptCard[]): PromptCard | null {
  const maker = cards.find(makesPages) ?? null;
  for (const request of listEarlierRequests(talk)
    .slice(0, MAX_LOOK_BACK)
    .map((text) => text.slice(0, MAX_READ))) {
    if (detectSmallTalk(request) !== null || isPageVariation(request)) continue;
    const agent = selectAgent(request, cards);
    if (agent !== null) return agent === maker ? maker : null;
    const isUnnamed = findAddressedAgents(request, cards).kind === "nobody";
    if (isUnnamed && continuesPage(talk.request) && getLastAnswer(talk) !== null) return maker;
  }
  return null;
}

const createTextAnswer = (text: string): EmbeddedAnswer => ({ kind: "text", text });

function createHandoffAnswer(
  strategy: HandoffStrategy,
  selected: readonly string[],
  query: string,
  reason: string,
): EmbeddedAnswer {
  const values = { strategy, selected_agents: selected, enriched_query: query, reason };
  return { kind: "calls", calls: [{ name: "handoff_to_planner", arguments: values }] };
}
