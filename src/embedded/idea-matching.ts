// Scores how well a request fits an agent or a tool: shared ideas first, rare words second.

import { readArithmetic } from "./read-arithmetic.ts";
import { isConversion } from "./toolsmith/unit-templates.ts";
import { getFamily, findAskedIdeas, findDescribedIdeas, splitIdentifier, type Idea } from "./idea-glossary.ts";
import { findTextPayload } from "./text-payload.ts";
import { findPlaces } from "../language/place-time-zones.ts";
import { maskSpans, normalizeCharacters, findQuotations } from "../language/text-spans.ts";

export type ProfileField = {
  readonly text: string;
  readonly weight: number;
  /** Worded like a request. */ readonly isExample?: boolean;
};

export type MatchProfile = {
  readonly ideas: ReadonlyMap<Idea, number>;
  readonly words: ReadonlyMap<string, number>;
  readonly examples: ReadonlySet<string>;
};

export function buildProfile(fields: readonly ProfileField[]): MatchProfile {
  const ideas = new Map<Idea, number>();
  const words = new Map<string, number>();
  for (const { text, weight, isExample = false } of fields) {
    const found = isExample ? findRequestedIdeas(text) : findDescribedIdeas(text);
    for (const idea of found) ideas.set(idea, Math.max(weight, ideas.get(idea) ?? 0));
    // Ignore the payload of an example: Turn hello world into upper case.
    const said = isExample ? text.replace(findTextPayload(text) ?? "", " ") : text;
    for (const word of listWords(splitIdentifier(said))) words.set(word, Math.max(weight, words.get(word) ?? 0));
  }
  return {
    ideas,
    words,
    examples: new Set(fields.filter(({ isExample }) => isExample).map(({ text }) => normalizeText(text))),
  };
}

/** Returns the ideas of a request; a sum is arithmetic even if no word says so. */
export function findRequestedIdeas(text: string): Set<Idea> {
  const ideas = findAskedIdeas(text);
  const folded = normalizeCharacters(text);
  const words = maskSpans(folded, findQuotations(folded));
  // In a conversion, "equals how many" and "change into" are about units.
  if (isConversion(words)) return new Set(["units"]);
  const sums = readArithmetic(words);
  // "Multiply the random number by 2" asks for no new number.
  if (sums.some(({ refersBack }) => refersBack)) ideas.delete("random");
  // In "random between 1-6" the dash is not a minus.
  if (!ideas.has("random") && sums.length > 0) ideas.add("arithmetic");
  return ideas;
}

/** Families that occur in many requests without being their subject. */
const LOOSE = new Set(["text", "tool", "verify"]);
const IDEA = 2;
const MAX_WORDS = 3;

/** Returns the score of each profile; 1 or more is a fit. */
export function scoreProfiles(text: string, profiles: readonly MatchProfile[]): number[] {
  const ideas = findRequestedIdeas(text);
  const words = listWords(maskPlaces(text));
  const isRare = (word: string) =>
    profiles.length < 3 || profiles.filter((profile) => profile.words.has(word)).length <= profiles.length / 2;
  return profiles.map((profile) => {
    let score = profile.examples.has(normalizeText(text)) ? 5 : 0;
    for (const idea of ideas) score += scoreIdea(idea, profile);
    let shared = 0;
    for (const word of words)
      shared += (profile.words.get(word) ?? 0) * (isRare(word) ? 1 : 0.4) * (word.length <= 2 ? 0.5 : 1);
    return score + Math.min(MAX_WORDS, shared) * (ideas.size > 0 ? 0.4 : 0.9);
  });
}

/** True if the text shares an idea or a word with the profile. */
export function sharesIdeaOrWord(text: string, profile: MatchProfile): boolean {
  const words = [...listWords(maskPlaces(text))].some((word) => profile.words.has(word));
  return words || [...findRequestedIdeas(text)].some((idea) => scoreIdea(idea, profile) > 0);
}

function scoreIdea(idea: Idea, { ideas }: MatchProfile): number {
  const weight = ideas.get(idea);
  if (weight !== undefined) return IDEA * weight;
  const family = getFamily(idea);
  const near = [...ideas].filter(([other]) => getFamily(other) === family).map(([, other]) => other);
  if (near.length > 0) return Math.max(...near);
  return LOOSE.has(family) ? 0 : -1.5;
}

const STOP = new Set(
  (
    "the and for with that this what who how when where why which are was were you your can could would will " +
    "does did has have had please tell give show get want need help about from into any all some one two use using used " +
    "agent agents tool tools assistant answer answers question questions request requests user users person people thing things " +
    "make makes let know like result results just now then than there here its not but out more most other such only own same may able me my our their them they " +
    "告诉 请问 帮我 一下 什么 怎么 这个 那个 一个 现在 可以 如何 需要 我们 你们 是什 么是 多少 关于 进行 提供 用户 请求 问题 回答 智能 能体 根据 以及 等等"
  ).split(" "),
);

/** Returns stemmed English words and pairs of Chinese characters. */
function listWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z][a-z\d]{2,}/g)) if (!STOP.has(word)) found.add(stemWord(word));
  for (const [run] of text.matchAll(/[\u3400-\u9fff]{2,}/g)) {
    for (let i = 0; i + 2 <= run.length && i < 400; i++) {
      const pair = run.slice(i, i + 2);
      if (!STOP.has(pair) && !/[的了吗呢是我你他它在和与把给请]/.test(pair)) found.add(pair);
    }
  }
  return found;
}

function stemWord(word: string): string {
  if (word.length <= 4) return word.replace(/s$/, "");
  return word.replace(/(?:ations?|ings?|ers?|ed|es|e|s)$/, "");
}

/** Places do not tell agents apart. */
function maskPlaces(text: string): string {
  return maskSpans(text, findPlaces(text));
}

function normalizeText(text: string): string {
  return normalizeCharacters(text)
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, "");
}
