// Selects the agents for a piece of work: the named ones, or the one whose card says that it does such work.

import { normalizeCharacters } from "../../language/text-spans.ts";
import { isAnalysis } from "../analyst/detect-analysis.ts";
import { canWriteTool } from "../toolsmith/read-subtask.ts";
import { readWork, type WorkKind } from "../work/read-work.ts";
import { listWords } from "../work/words.ts";
import { findAddressedAgents, makesPages, makesTools, type PromptCard } from "./cards.ts";

/** The words by which the skills of a card name a kind of work. */
const SKILLS: Readonly<Record<WorkKind, RegExp>> = {
  clock: /\b(?:time|clock|date)\b|时间|时钟|几点/i,
  sum: /\b(?:arithmetic|calculat\w*|math\w*|sums?)\b|计算|算术|数学/i,
  draw: /\b(?:random|dice)\b|随机|骰/i,
  count: /\b(?:count|words?|text)\b|字数|文本/i,
  change: /\b(?:upper ?case|case|reverse|text)\b|大写|反转|文本/i,
};
const KINDS = Object.keys(SKILLS) as readonly WorkKind[];

/** Returns the agents that the work names, or the one that fits; empty if there is none. */
export function selectAgents(work: string, cards: readonly PromptCard[]): readonly PromptCard[] {
  const named = findAddressedAgents(work, cards);
  if (named.kind === "unknown") return [];
  if (named.kind === "known") return named.cards;
  const fitting = findExampleAgent(work, cards) ?? findKindAgent(work, cards);
  if (fitting !== undefined) return [fitting];
  const [maker, pages] = [cards.find(makesTools), cards.find(makesPages)];
  if (pages !== undefined && isAnalysis(work)) return [pages];
  if (maker !== undefined && canWriteTool(work)) return [maker];
  const described = findDescribedAgent(work, cards);
  return described === undefined ? [] : [described];
}

/** True if the text is work for an agent. A name without anything to do is none. */
export function isAssignable(text: string, cards: readonly PromptCard[]): boolean {
  const named = findAddressedAgents(text, cards);
  return named.kind === "known" ? named.rest !== text : selectAgents(text, cards).length > 0;
}

function findExampleAgent(work: string, cards: readonly PromptCard[]): PromptCard | undefined {
  const bare = (text: string) =>
    normalizeCharacters(text)
      .toLowerCase()
      .replace(/[\s\p{P}]+/gu, "");
  return cards.find(({ skills }) =>
    skills.some(({ examples }) => examples.some((example) => bare(example) === bare(work))),
  );
}

/** Returns the agent with a skill for the kind of work; the one with the fewest kinds knows it best. */
function findKindAgent(work: string, cards: readonly PromptCard[]): PromptCard | undefined {
  const kind = readWork(work)?.kind;
  if (kind === undefined) return undefined;
  const able = cards.map((card) => ({ card, kinds: listKinds(card) })).filter(({ kinds }) => kinds.includes(kind));
  return able.toSorted((a, b) => a.kinds.length - b.kinds.length)[0]?.card;
}

function listKinds(card: PromptCard): readonly WorkKind[] {
  if (makesTools(card) || makesPages(card)) return [];
  const skills = card.skills.map(({ id, name, tags }) => [id, name, ...tags].join(" ")).join(" ");
  return KINDS.filter((kind) => SKILLS[kind].test(skills === "" ? card.description : skills));
}

/** The least that the words of a request and of a card must share: a word of its skills, or two of its descriptions. */
const MIN_SCORE = 1;

/** Returns the agent whose card shares most words with the work. Words of the kinds above do not count. */
function findDescribedAgent(work: string, cards: readonly PromptCard[]): PromptCard | undefined {
  const words = [...listWords(work)].filter((word) => !KINDS.some((kind) => SKILLS[kind].test(word)));
  const scored = cards
    .filter((card) => !makesTools(card) && !makesPages(card))
    .map((card) => {
      const named = card.skills.flatMap(({ id, name, tags }) => [id, name, ...tags]);
      const told = card.skills.flatMap(({ description, examples }) => [description, ...examples]);
      const strong = listWords([card.name, card.display_name, ...named].join(" ; "));
      const weak = listWords([card.description, ...told].join(" ; "));
      return { card, score: words.reduce((sum, word) => sum + (strong.has(word) ? 1 : weak.has(word) ? 0.5 : 0), 0) };
    })
    .toSorted((a, b) => b.score - a.score);
  return scored[0] !== undefined && scored[0].score >= MIN_SCORE ? scored[0].card : undefined;
}
