// Selects the agent for a piece of work: the named agent, or the agent whose card scores best.

import * as z from "zod";
import { hasOperands, isAnalysis } from "./analyst/detect-analysis.ts";
import {
  findRequestedIdeas,
  buildProfile,
  scoreProfiles,
  type ProfileField,
  type MatchProfile,
} from "./idea-matching.ts";
import { getFamily, splitIdentifier, type Idea } from "./idea-glossary.ts";
import { findLiteralSpans } from "./text-payload.ts";
import { startsWork, type WorkPredicate } from "./split-request.ts";
import { FIXED_CLOCK, canWriteTool } from "./toolsmith/split-subtasks.ts";
import { asksForOtherVariant, asksForOtherMoment } from "./tool-mismatch.ts";
import { maskSpans, normalizeCharacters, trimPunctuation } from "../language/text-spans.ts";

const texts = z.array(z.string()).catch([]);
const cardSchema = z.object({
  name: z.string(),
  display_name: z.string().optional().catch(undefined),
  description: z.string().catch(""),
  skills: z
    .array(
      z
        .object({
          id: z.string().catch(""),
          name: z.string().catch(""),
          description: z.string().catch(""),
          tags: texts,
          examples: texts,
        })
        .catch({ id: "", name: "", description: "", tags: [], examples: [] }),
    )
    .catch([]),
});
export type PromptCard = z.infer<typeof cardSchema>;

const MAX_CARDS = 200;

/** Parses the agent list of a prompt; invalid entries are dropped. */
export function parseCards(list: readonly unknown[]): PromptCard[] {
  return list.slice(0, MAX_CARDS).flatMap((entry) => {
    const card = cardSchema.safeParse(entry);
    return card.success ? [card.data] : [];
  });
}

export function getCardTitle({ name, display_name: title }: PromptCard): string {
  return title === undefined || title === "" ? name : title;
}

const MIN_AGENT_SCORE = 1;

/**
 * Returns the agent whose card scores best; null if none fits. Equal scores prefer the card with fewer ideas. An agent
 * for pages never gets a mere sum; a calculator never gets a request about data that only mentions maths.
 */
function findBestAgent(text: string, cards: readonly PromptCard[]): PromptCard | null {
  const profiles = getProfiles(cards);
  const wanted = [...findRequestedIdeas(text)];
  const isData = isAnalysis(text) && !hasOperands(text);
  const isSum = !isData && wanted.length === 1 && wanted[0] === "arithmetic";
  const isUnfit = (card: PromptCard, ideas: MatchProfile["ideas"]) =>
    makesPages(card)
      ? isSum
      : isData && ideas.has("arithmetic") && wanted.every((idea) => idea === "arithmetic" || !ideas.has(idea));
  const points = scoreProfiles(text, profiles);
  const ranked = cards
    .map((card, i) => ({ score: points[i] ?? 0, ideas: profiles[i]?.ideas ?? new Map<Idea, number>(), card }))
    .filter(({ score, ideas, card }) => score >= MIN_AGENT_SCORE && !isUnfit(card, ideas))
    .sort((a, b) => (Math.abs(a.score - b.score) < 0.3 ? a.ideas.size - b.ideas.size : b.score - a.score));
  return ranked[0]?.card ?? null;
}

/** Cache: each piece of a request is compared with the same cards. */
const profilesByCards = new WeakMap<readonly PromptCard[], readonly MatchProfile[]>();

function getProfiles(cards: readonly PromptCard[]): readonly MatchProfile[] {
  const known = profilesByCards.get(cards) ?? cards.map((card) => buildProfile(listCardFields(card)));
  profilesByCards.set(cards, known);
  return known;
}

function listCardFields(card: PromptCard): ProfileField[] {
  return [
    { text: `${card.name} ${card.display_name ?? ""}`, weight: 1.3 },
    { text: card.description, weight: 0.8 },
    ...card.skills.flatMap((skill): ProfileField[] => [
      { text: `${skill.id} ${skill.name} ${skill.tags.join(" ")}`, weight: 1.1 },
      { text: skill.description, weight: 0.8 },
      ...skill.examples.map((text) => ({ text, weight: 1, isExample: true })),
    ]),
  ];
}

export type AddressedAgents =
  | { readonly kind: "nobody" }
  /** `rest` is the request without the words that name the agents. */
  | { readonly kind: "known"; readonly cards: readonly PromptCard[]; readonly rest: string }
  | { readonly kind: "unknown"; readonly name: string };

const ROLE = String.raw`(?:\s*(?:agents?|bot|智能体|代理|助手))?`;
const OPENING_EN = String.raw`(?:please |can you |could you )?(?:ask|tell|let|have|get|use|using|call|via|with|through|hand (?:this|it) to|send (?:this|it) to|run|start|execute|launch)(?: both)?(?: the)?(?: (?:plan|process|workflow))?`;
const OPENING_ZH =
  "(?:请|帮我|麻烦)?(?:让|叫|请|用|找|问问?|使用|通过|由|调用|交给|派|运行|启动|执行|@)(?:一下)?(?:计划|流程)?";
const AFTER = String.raw`(?:\s*(?:to|for|about|if|whether|both|:|,|，|：|来|去|帮我|帮忙|给我|都|一下|分别)(?![a-z]))*\s*`;

/** Finds the agents that the request names. */
export function findAddressedAgents(text: string, cards: readonly PromptCard[]): AddressedAgents {
  const folded = normalizeCharacters(text);
  const named = listCardSpellings(cards);
  if (named.length > 0) {
    const any = buildNamePattern(named);
    const several = `${any}(?:(?:\\s*(?:,|、|and|和|与|跟|,\\s*and)(?: the)?\\s*|\\s+(?=@))${any})*`;
    const patterns = [
      new RegExp(String.raw`(?<![a-z])${OPENING_EN} (${several})${AFTER}`, "i"),
      new RegExp(`${OPENING_ZH}\\s*(${several})${AFTER}`, "i"),
      new RegExp(`(?<![\\w.])(@${several})${AFTER}`, "i"),
      new RegExp(`^\\s*(${any})\\s*[:,]\\s*`, "i"),
    ];
    for (const pattern of patterns) {
      const match = pattern.exec(folded);
      if (match === null) continue;
      const phrase = (match[1] ?? "").toLowerCase();
      const found = findNamedCards(phrase, named);
      const rest = trimPunctuation(text.slice(0, match.index) + text.slice(match.index + match[0].length));
      return { kind: "known", cards: found, rest: rest === "" ? text : rest };
    }
  }
  const unknown =
    /(?<![\w.])@([\w-]{2,40})|\b(?:ask|use|let|have) the ([a-z][\w -]{1,40}?) agent\b|(?:让|叫|用|找|问)\s*([\w\u3400-\u9fff-]{1,20}?)\s*(?:智能体|代理)/i.exec(
      folded,
    );
  const name = unknown?.[1] ?? unknown?.[2] ?? unknown?.[3];
  return name === undefined ? { kind: "nobody" } : { kind: "unknown", name };
}

/**
 * Repeats the handing-over verb before each further agent name: `ask the assistant to …, and the toolsmith to …`. Each
 * part then names its own agent.
 */
export function repeatHandoverVerb(text: string, cards: readonly PromptCard[]): string {
  const first = findAddressedAgents(text, cards);
  if (first.kind !== "known" || first.cards.length > 1) return text;
  const folded = normalizeCharacters(text);
  const said = maskSpans(folded, findLiteralSpans(folded));
  const joint = String.raw`(?:[,;，；、]|(?<![a-z])(?:and|then|while)|然后|并且?|同时|而|再)\s*`;
  const other = new RegExp(
    String.raw`(?<=${joint})(?:the )?${buildNamePattern(listCardSpellings(cards))}${AFTER}`,
    "gi",
  );
  const found = [...said.matchAll(other)].filter(({ index, 0: name }) => startsWork(text.slice(index + name.length)));
  const verb = /[\u3400-\u9fff]/.test(said) ? "让" : "ask ";
  return found.toReversed().reduce((so, { index }) => so.slice(0, index) + verb + so.slice(index), text);
}

/** Returns the agents that the work names, or the one that fits best. */
export function selectAgents(work: string, cards: readonly PromptCard[]): readonly PromptCard[] {
  const named = findAddressedAgents(work, cards);
  if (named.kind === "unknown") return [];
  if (named.kind === "known") return named.cards;
  const best = findBestAgent(work, cards);
  const maker = cards.find(makesTools);
  if (maker !== undefined && maker !== best && lacksFittingAgent(work, best) && canWriteTool(work)) return [maker];
  // If no tool can be written for a text task, prefer another agent that has tools for texts.
  const isLeft = best !== null && best === maker && isTextWork(work) && !canWriteTool(work);
  const second = isLeft
    ? findBestAgent(
        work,
        cards.filter((card) => card !== maker),
      )
    : null;
  const chosen = second ?? best ?? (isAnalysis(work) ? cards.find(makesPages) : undefined);
  return chosen === undefined ? [] : [chosen];
}

/** True if no agent fits the work, or the best one only does something similar. */
function lacksFittingAgent(work: string, best: PromptCard | null): boolean {
  if (best === null) return !isAnalysis(work);
  return asksForOtherVariant(work) || asksForOtherMoment({ text: work, results: [], ...FIXED_CLOCK });
}

function isTextWork(work: string): boolean {
  return [...findRequestedIdeas(work)].every((idea) => getFamily(idea) === "text");
}

/** Returns a predicate that is true for text that an agent can carry out, or for which a tool can be written. */
export function createWorkPredicate(cards: readonly PromptCard[]): WorkPredicate {
  return (text) => selectAgent(text, cards) !== null;
}

/** An agent that writes tools can do everything that the embedded model has a template for. */
function makesTools({ description }: PromptCard): boolean {
  return /\bwrites? (?:\w+ )?tools\b/i.test(description);
}

/** Returns the first of the selected agents. */
export function selectAgent(work: string, cards: readonly PromptCard[]): PromptCard | null {
  return selectAgents(work, cards)[0] ?? null;
}

export function makesPages({ skills }: PromptCard): boolean {
  return skills.some(({ tags }) => tags.includes("page"));
}

type CardSpelling = { readonly card: PromptCard; readonly form: string };

/** Returns all spellings of the names, longest first. */
function listCardSpellings(cards: readonly PromptCard[]): CardSpelling[] {
  return cards
    .flatMap((card) => listNameForms(card).map((form) => ({ card, form })))
    .sort((a, b) => b.form.length - a.form.length);
}

function buildNamePattern(named: readonly CardSpelling[]): string {
  return `(?:@?(?:${named.map(({ form }) => escapePattern(form)).join("|")})(?![a-z\\d]))${ROLE}`;
}

/** Returns the spellings of a card's name: research_agent, research agent, Research. */
function listNameForms({ name, display_name: title = "", description }: PromptCard): string[] {
  // A bilingual description begins its second half with the Chinese name: … 工具匠：没有现成工具时…
  const [, other = ""] = /[.!?]\s+([\u4e00-\u9fff]{2,6})：/.exec(description) ?? [];
  const forms = [name, title, other].flatMap((form) => [
    form,
    splitIdentifier(form),
    splitIdentifier(form).replaceAll("-", " "),
  ]);
  const short = forms.map((form) => form.replace(/[\s_-]*(?:agent|bot|智能体|代理)$/i, ""));
  return [...new Set([...forms, ...short].map((form) => form.trim()).filter((form) => form.length > 1))];
}

/** Returns the cards that a phrase names, in its order. If one name contains another, the longer one counts. */
function findNamedCards(phrase: string, named: readonly CardSpelling[]): PromptCard[] {
  const places = new Map<PromptCard, number>();
  let rest = phrase;
  for (const { card, form } of named) {
    const at = rest.search(new RegExp(`(?<![a-z\\d_-])${escapePattern(form)}(?![a-z\\d_-])`, "i"));
    if (at < 0) continue;
    rest = maskSpans(rest, [{ start: at, end: at + form.length }]);
    places.set(card, Math.min(at, places.get(card) ?? at));
  }
  return [...places].sort(([, a], [, b]) => a - b).map(([card]) => card);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
