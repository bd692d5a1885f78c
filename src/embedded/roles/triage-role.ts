// Triage: answers in plain text or hands off.

import {
  findAddressedAgents,
  selectAgent,
  parseCards,
  repeatHandoverVerb,
  createWorkPredicate,
  makesPages,
  type PromptCard,
} from "../agent-selection.ts";
import { isPageVariation } from "../analyst/detect-analysis.ts";
import { continuesPage } from "../analyst/analyst-routing.ts";
import { completeFollowUp } from "../follow-up.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { isDeferredOnce } from "../deferred-work.ts";
import * as phrases from "../embedded-messages.ts";
import { parsePieces } from "../request-pieces.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { listEarlierRequests, getLastAnswer, parseListAfter, type PromptContext } from "../prompt-context.ts";
import { parseVerificationRequest } from "../verification-request.ts";
import type { EmbeddedAnswer } from "../chat-completions.ts";

/** How many earlier requests are searched for a page, and how many characters of each. */
const MAX_LOOK_BACK = 10;
const MAX_READ = 500;

type HandoffStrategy = "single_agent" | "multi_agent" | "needs_planning";

export function answerAsTriage(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  const kind = detectSmallTalk(talk.request);
  if (kind === "who") return createTextAnswer(phrases.formatIdentity(language));
  if (kind === "what") return createTextAnswer(phrases.formatAgentList(cards, language));
  if (kind === "last_question")
    return createTextAnswer(phrases.formatLastQuestion(listEarlierRequests(talk)[0], language));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const query = completeFollowUp({ ...talk, request: rest });
  // "Yes" or "again" may be small talk or a follow-up; the conversation decides.
  if (kind !== null && query === talk.request) return createTextAnswer(phrases.formatSmallTalk(kind, language));
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
  const pieces = parsePieces(repeatHandoverVerb(query, cards), createWorkPredicate(cards));
  const whole = findAddressedAgents(query, cards);
  const isScheduled = pieces.some(({ timing }) => timing !== null);
  const off = whole.kind === "known" ? null : findDisabledAgent(query, talk);
  if (off !== null)
    return createTextAnswer(language === "zh" ? `智能体“${off}”已停用。` : `The agent "${off}" is switched off.`);
  if (whole.kind === "unknown") return createTextAnswer(phrases.formatUnknownAgent(whole.name, cards, language));
  const isPlanned = isScheduled || clause !== "";
  if (!isScheduled && isDeferredOnce(query)) return createTextAnswer(phrases.formatDeferredUnsupported(language));
  if (whole.kind === "known" && !isPlanned && (pieces.length === 1 || whole.cards.length > 1)) {
    const names = whole.cards.map(({ name }) => name);
    const strategy = names.length === 1 ? "single_agent" : "multi_agent";
    return createHandoffAnswer(strategy, names, whole.rest, phrases.formatHandoffReason("named", names, language));
  }
  const fitting = pieces.map((piece) => selectAgent(piece.text, cards));
  if (fitting.every((agent, i) => agent === null || isPageVariation(pieces[i]?.text ?? ""))) {
    const maker = findPageAgent(talk, cards);
    if (maker !== null)
      return createHandoffAnswer(
        "single_agent",
        [maker.name],
        query,
        phrases.formatHandoffReason("single", [maker.name], language),
      );
    if (fitting.every((agent) => agent === null)) return createTextAnswer(phrases.formatNotUnderstood(language));
  }
  if (isPlanned || pieces.length > 1) {
    const why = isScheduled ? "scheduled" : clause === "" ? "several" : "verified";
    return createHandoffAnswer("needs_planning", [], query + clause, phrases.formatHandoffReason(why, [], language));
  }
  const names = fitting.flatMap((agent) => (agent === null ? [] : [agent.name]));
  return createHandoffAnswer("single_agent", names, query, phrases.formatHandoffReason("single", names, language));
}

/** Returns the name of a requested agent that is disabled. */
function findDisabledAgent(query: string, { system }: PromptContext): string | null {
  const off = parseCards(parseListAfter("Switched off:", system).map((name) => ({ name })));
  const named = findAddressedAgents(query, off);
  return named.kind === "known" ? (named.cards[0]?.name ?? null) : null;
}

/**
 * Returns the agent for pages if the last fitting request was for it: work that fits no other agent is then about the
 * page, as in "without the table" or "who is ahead?".
 */
function findPageAgent(talk: PromptContext, cards: readonly PromptCard[]): PromptCard | null {
  const asked = talk.earlier.flatMap(({ role }, at) => (role === "user" ? [at] : []));
  for (const at of asked.slice(-MAX_LOOK_BACK).reverse()) {
    const card = findAgentOfTurn(at, talk, cards);
    if (card !== null) return makesPages(card) ? card : null;
  }
  return null;
}

/**
 * Returns the agent of an earlier request. An answered request that fits no card was addressed by name; words that may
 * be about a page are then about the page.
 */
function findAgentOfTurn(at: number, talk: PromptContext, cards: readonly PromptCard[]): PromptCard | null {
  const earlier = talk.earlier.slice(at, at + 2);
  const request = (earlier[0]?.text ?? "").slice(0, MAX_READ);
  if (detectSmallTalk(request) !== null || isPageVariation(request)) return null;
  const fitting = selectAgent(request, cards);
  const isDone = getLastAnswer({ ...talk, earlier }) !== null && findAddressedAgents(request, cards).kind === "nobody";
  return fitting ?? (isDone && continuesPage(talk.request) ? (cards.find(makesPages) ?? null) : null);
}

function createTextAnswer(words: string): EmbeddedAnswer {
  return { kind: "text", text: words };
}

function createHandoffAnswer(
  strategy: HandoffStrategy,
  selected: readonly string[],
  query: string,
  reason: string,
): EmbeddedAnswer {
  const values = { strategy, selected_agents: selected, enriched_query: query, reason };
  return { kind: "calls", calls: [{ name: "handoff_to_planner", arguments: values }] };
}
