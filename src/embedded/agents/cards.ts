// The cards of the agents in a prompt, and the agents that a request names.

import * as z from "zod";
import { maskSpans, normalizeCharacters, trimPunctuation, findQuotations } from "../../language/text-spans.ts";
import { splitIdentifier } from "../work/words.ts";

const texts = z.array(z.string()).catch([]);
const skillSchema = z.object({
  id: z.string().catch(""),
  name: z.string().catch(""),
  description: z.string().catch(""),
  tags: texts,
  examples: texts,
});
const cardSchema = z.object({
  name: z.string(),
  display_name: z.string().catch(""),
  description: z.string().catch(""),
  skills: z.array(skillSchema).catch([]),
});
export type PromptCard = z.infer<typeof cardSchema>;

const MAX_CARDS = 200;

/** Parses the agent list of a prompt; invalid entries are dropped. */
export function parseCards(list: readonly unknown[]): PromptCard[] {
  return list.slice(0, MAX_CARDS).flatMap((entry) => cardSchema.safeParse(entry).data ?? []);
}

export function getCardTitle({ name, display_name: title }: PromptCard): string {
  return title === "" ? name : title;
}

/** True for an agent that writes tools: it can do everything for which the stand-in model has a template. */
export function makesTools({ description }: PromptCard): boolean {
  return /\bwrites? (?:\w+ )?tools\b/i.test(description);
}

/** True for an agent that analyses data and shows pages. */
export function makesPages({ skills }: PromptCard): boolean {
  return skills.some(({ tags }) => tags.includes("page"));
}

type AddressedAgents =
  | { readonly kind: "nobody" }
  /** `rest` is the request without the words that name the agents. */
  | { readonly kind: "known"; readonly cards: readonly PromptCard[]; readonly rest: string }
  | { readonly kind: "unknown"; readonly name: string };

const ROLE = String.raw`(?:\s*(?:agents?|bot|智能体|代理|助手))?`;
const OPENING_EN =
  "(?:please |can you |could you )?(?:ask|tell|let|have|get|use|call|via|with|run|start)(?: both)?(?: the)?(?: (?:plan|process|workflow))?";
const OPENING_ZH = "(?:请|帮我|麻烦)?(?:让|叫|请|用|找|问问?|由|交给|运行|启动|@)(?:一下)?(?:计划|流程)?";
const AFTER = String.raw`(?:\s*(?:to|for|about|if|whether|both|:|,|，|：|来|去|帮我|给我|都|一下|分别)(?![a-z]))*\s*`;

/** Finds the agents that the request names, outside quotations. */
export function findAddressedAgents(text: string, cards: readonly PromptCard[]): AddressedAgents {
  const folded = normalizeCharacters(text);
  const said = maskSpans(folded, findQuotations(folded));
  const spellings = listSpellings(cards);
  if (spellings.length > 0) {
    const any = `(?:@?(?:${spellings.map(({ form }) => escapePattern(form)).join("|")})(?![a-z\\d]))${ROLE}`;
    const several = `${any}(?:(?:\\s*(?:,|、|and|和|与|跟|,\\s*and)(?: the)?\\s*|\\s+(?=@))${any})*`;
    const patterns = [
      `(?<![a-z])${OPENING_EN} (${several})${AFTER}`,
      `${OPENING_ZH}\\s*(${several})${AFTER}`,
      `(?<![\\w.])(@${several})${AFTER}`,
      `^\\s*(${any})\\s*[:,]\\s*`,
      `^\\s*(?:the )?(${any})\\s+(?:to|for)\\s+`,
    ];
    for (const pattern of patterns) {
      const match = new RegExp(pattern, "i").exec(said);
      if (match === null) continue;
      const rest = trimPunctuation(text.slice(0, match.index) + text.slice(match.index + match[0].length));
      return { kind: "known", cards: findNamedCards(match[1] ?? "", spellings), rest: rest === "" ? text : rest };
    }
  }
  const unknown =
    /(?<![\w.])@([\w-]{2,40})|\b(?:ask|use|let|have) the ([a-z][\w -]{1,40}?) agent\b|(?:让|叫|用|找|问)\s*([\w\u3400-\u9fff-]{1,20}?)\s*(?:智能体|代理)/i.exec(
      said,
    );
  const name = unknown?.[1] ?? unknown?.[2] ?? unknown?.[3];
  return name === undefined ? { kind: "nobody" } : { kind: "unknown", name };
}

type CardSpelling = { readonly card: PromptCard; readonly form: string };

/** Returns all spellings of the names, longest first: research_agent, research agent, Research. */
function listSpellings(cards: readonly PromptCard[]): CardSpelling[] {
  return cards
    .flatMap((card) => {
      // A bilingual description begins its second half with the Chinese name: … 工具匠：没有现成工具时…
      const [, chinese = ""] = /[.!?]\s+([\u4e00-\u9fff]{2,6})：/.exec(card.description) ?? [];
      const names = [card.name, splitIdentifier(card.name).replaceAll("-", " "), card.display_name, chinese];
      const short = names.map((name) => name.replace(/[\s_-]*(?:agent|bot|智能体|代理)$/i, ""));
      const forms = new Set([...names, ...short].filter((form) => form.length > 1));
      return [...forms].map((form) => ({ card, form }));
    })
    .sort((a, b) => b.form.length - a.form.length);
}

/** Returns the cards that a phrase names, in its order. If one name contains another, the longer one counts. */
function findNamedCards(phrase: string, spellings: readonly CardSpelling[]): PromptCard[] {
  const forms = spellings.map(({ form }) => escapePattern(form)).join("|");
  const found = [...phrase.matchAll(new RegExp(`(?<![a-z\\d_-])(?:${forms})(?![a-z\\d_-])`, "gi"))];
  const named = found.map(([said]) => spellings.find(({ form }) => form.toLowerCase() === said.toLowerCase())?.card);
  return [...new Set(named)].filter((card) => card !== undefined);
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
