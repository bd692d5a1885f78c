// Triage: answers in plain text or hands off.

import { addressed, agentFor, cardsFrom, eachAddressed, knowsWork, makesPages, type Card } from "../agents.ts";
import { isPutOtherwise } from "../analyst/asked.ts";
import { goesOn } from "../analyst/route.ts";
import { enrich } from "../follow-up.ts";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import { isOnceLater } from "../later.ts";
import * as phrases from "../phrases.ts";
import { readPieces } from "../request.ts";
import { readTalk } from "../small-talk.ts";
import { earlierRequests, lastAnswer, listAfter, type Talk } from "../talk.ts";
import { readWish } from "../verification.ts";
import type { Answer } from "../wire.ts";

/** How many earlier requests are searched for a page, and how many characters of each. */
const MAX_LOOK_BACK = 10;
const MAX_READ = 500;

type Strategy = "single_agent" | "multi_agent" | "needs_planning";

export function triage(talk: Talk): Answer {
  const language = languageOf(talk.request, talk.language);
  const cards = cardsFrom(listAfter("Agents:", talk.system));
  const kind = readTalk(talk.request);
  if (kind === "who") return text(phrases.whoAmI(language));
  if (kind === "what") return text(phrases.whatWeDo(cards, language));
  if (kind === "last_question") return text(phrases.lastQuestion(earlierRequests(talk)[0], language));
  const { rest, clause } = readWish(talk.request);
  const query = enrich({ ...talk, request: rest });
  // "Yes" or "again" may be small talk or a follow-up; the conversation decides.
  if (kind !== null && query === talk.request) return text(phrases.smallTalk(kind, language));
  return handoff({ query, clause }, talk, cards, language);
}

/** `clause` is the wish for verification; the planner parses it again. */
type Asked = { readonly query: string; readonly clause: string };

function handoff({ query, clause }: Asked, talk: Talk, cards: readonly Card[], language: Language): Answer {
  const pieces = readPieces(eachAddressed(query, cards), knowsWork(cards));
  const whole = addressed(query, cards);
  const isScheduled = pieces.some(({ timing }) => timing !== null);
  const off = whole.kind === "known" ? null : switchedOff(query, talk);
  if (off !== null) return text(language === "zh" ? `智能体“${off}”已停用。` : `The agent "${off}" is switched off.`);
  if (whole.kind === "unknown") return text(phrases.noSuchAgent(whole.name, cards, language));
  const isPlanned = isScheduled || clause !== "";
  if (!isScheduled && isOnceLater(query)) return text(phrases.onceLater(language));
  if (whole.kind === "known" && !isPlanned && (pieces.length === 1 || whole.cards.length > 1)) {
    const names = whole.cards.map(({ name }) => name);
    const strategy = names.length === 1 ? "single_agent" : "multi_agent";
    return call(strategy, names, whole.rest, phrases.handoffReason("named", names, language));
  }
  const fitting = pieces.map((piece) => agentFor(piece.text, cards));
  if (fitting.every((agent, i) => agent === null || isPutOtherwise(pieces[i]?.text ?? ""))) {
    const maker = pageMaker(talk, cards);
    if (maker !== null)
      return call("single_agent", [maker.name], query, phrases.handoffReason("single", [maker.name], language));
    if (fitting.every((agent) => agent === null)) return text(phrases.beyond(language));
  }
  if (isPlanned || pieces.length > 1) {
    const why = isScheduled ? "scheduled" : clause === "" ? "several" : "verified";
    return call("needs_planning", [], query + clause, phrases.handoffReason(why, [], language));
  }
  const names = fitting.flatMap((agent) => (agent === null ? [] : [agent.name]));
  return call("single_agent", names, query, phrases.handoffReason("single", names, language));
}

/** Returns the name of a requested agent that is disabled. */
function switchedOff(query: string, { system }: Talk): string | null {
  const off = cardsFrom(listAfter("Switched off:", system).map((name) => ({ name })));
  const named = addressed(query, off);
  return named.kind === "known" ? (named.cards[0]?.name ?? null) : null;
}

/**
 * Returns the agent for pages if the last fitting request was for it: work that fits no other agent is then about the
 * page, as in "without the table" or "who is ahead?".
 */
function pageMaker(talk: Talk, cards: readonly Card[]): Card | null {
  const asked = talk.earlier.flatMap(({ role }, at) => (role === "user" ? [at] : []));
  for (const at of asked.slice(-MAX_LOOK_BACK).reverse()) {
    const card = doneBy(at, talk, cards);
    if (card !== null) return makesPages(card) ? card : null;
  }
  return null;
}

/**
 * Returns the agent of an earlier request. An answered request that fits no card was addressed by name; words that may
 * be about a page are then about the page.
 */
function doneBy(at: number, talk: Talk, cards: readonly Card[]): Card | null {
  const earlier = talk.earlier.slice(at, at + 2);
  const request = (earlier[0]?.text ?? "").slice(0, MAX_READ);
  if (readTalk(request) !== null || isPutOtherwise(request)) return null;
  const fitting = agentFor(request, cards);
  const isDone = lastAnswer({ ...talk, earlier }) !== null && addressed(request, cards).kind === "nobody";
  return fitting ?? (isDone && goesOn(talk.request) ? (cards.find(makesPages) ?? null) : null);
}

function text(words: string): Answer {
  return { kind: "text", text: words };
}

function call(strategy: Strategy, selected: readonly string[], query: string, reason: string): Answer {
  const values = { strategy, selected_agents: selected, enriched_query: query, reason };
  return { kind: "calls", calls: [{ name: "handoff_to_planner", arguments: values }] };
}
