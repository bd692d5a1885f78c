// The tools of the assistant. All of them are deterministic except `current_time` and `random_number`.

import * as z from "zod";
import { tool, type AgentTool } from "../kit/tools/tool.ts";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { calculate } from "./calculate.ts";
import { toCatalogueLanguage } from "../../language/accept-language.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { describeTime } from "./describe-time.ts";

const MAX_TEXT_CHARS = 100_000;
const text = z.string().max(MAX_TEXT_CHARS);

const currentTime = tool({
  name: "current_time",
  read_only: true,
  description: "The current date and time, in the given time zone or in the person's own.",
  parameters: z.object({
    timezone: z
      .string()
      .max(64)
      .optional()
      .describe("IANA time zone, for example Asia/Shanghai. Leave out for the person's own."),
  }),
  run({ timezone }, { request }) {
    const { metadata } = request;
    const zone = timezone === undefined || timezone === "" ? (metadata.timezone ?? "UTC") : timezone;
    return describeTime(new Date(), zone, detectAnswerLanguage(request));
  },
});

const calculator = tool({
  name: "calculate",
  read_only: true,
  description:
    "Works out an arithmetic expression exactly as written, for example (17 + 4) * 3 / 2, 2^10, sqrt(2), round(10 / 3, 2), 15 mod 4.",
  parameters: z.object({ expression: z.string().describe("The expression, with numbers only.") }),
  run: ({ expression }) => calculate(expression),
});

const randomNumber = tool({
  name: "random_number",
  has_effect: false,
  description: "A random whole number from min to max, both included.",
  parameters: z.object({ min: z.int().describe("The smallest number"), max: z.int().describe("The largest number") }),
  run({ min, max }) {
    if (min > max) throw createFault("unprocessable", "assistant.emptyRange");
    if (max - min >= 2 ** 32) throw createFault("unprocessable", "assistant.rangeTooLarge");
    return String(min + randomBelow(max - min + 1));
  },
});

const textStatistics = tool({
  name: "text_statistics",
  read_only: true,
  description: "Counts the characters, words, sentences and lines of a text, Chinese and Japanese words included.",
  parameters: z.object({ text }),
  run({ text: input }, { request }) {
    const counts = {
      characters: countSegments(input, "grapheme"),
      words: countSegments(input, "word"),
      sentences: countSegments(input, "sentence"),
      lines: input === "" ? 0 : input.split(/\r\n|\r|\n/).length,
    };
    const language = toCatalogueLanguage(detectAnswerLanguage(request)) ?? "en";
    return formatMessage(language, createMessage("assistant.textStatistics", counts));
  },
});

const TRANSFORMS = {
  uppercase: (input: string) => input.toUpperCase(),
  lowercase: (input: string) => input.toLowerCase(),
  titlecase: (input: string) =>
    input.toLowerCase().replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
  reverse: (input: string) => splitSegments(input, "grapheme").toReversed().join(""),
  trim: (input: string) => input.trim().replace(/\s+/g, " "),
  sort_lines: (input: string) =>
    input
      .split("\n")
      .toSorted(new Intl.Collator("zh-CN", { numeric: true }).compare)
      .join("\n"),
  unique_lines: (input: string) => [...new Set(input.split("\n"))].join("\n"),
} as const;
const TRANSFORM_NAMES = Object.keys(TRANSFORMS) as (keyof typeof TRANSFORMS)[];

const transformText = tool({
  name: "transform_text",
  read_only: true,
  description:
    "Rewrites a text letter by letter: changes its case, reverses it, tidies its spaces, sorts its lines or drops repeated ones.",
  parameters: z.object({ text, operation: z.enum(TRANSFORM_NAMES) }),
  run: ({ text: input, operation }) => TRANSFORMS[operation](input),
});

const replaceText = tool({
  name: "replace_text",
  read_only: true,
  description: "Replaces every occurrence of some words in a text, literally.",
  parameters: z.object({ text, find: z.string().min(1).max(1_000), replacement: z.string().max(1_000) }),
  run({ text: input, find, replacement }) {
    const parts = input.split(find);
    if (input.length + (parts.length - 1) * replacement.length > 10 * MAX_TEXT_CHARS) {
      throw createFault("too_large", "assistant.resultTooLong");
    }
    return `${parts.join(replacement)}\n(${parts.length - 1} replaced)`;
  },
});

/** The tools of the assistant, in the order in which the model sees them. */
export const assistantTools: readonly AgentTool[] = [
  currentTime,
  calculator,
  randomNumber,
  textStatistics,
  transformText,
  replaceText,
];

/**
 * Returns the person's language tag, or `zh` for a question in Chinese, unless the tag is Chinese or Japanese
 * already.
 */
function detectAnswerLanguage({ metadata: { language = "en" }, query }: AgentRequest): string {
  return detectLanguage(query, language) === "zh" && !/^(?:zh|ja)/i.test(language) ? "zh" : language;
}

type SegmentUnit = "grapheme" | "word" | "sentence";

function splitSegments(input: string, granularity: SegmentUnit): string[] {
  return Array.from(new Intl.Segmenter("zh-CN", { granularity }).segment(input), ({ segment }) => segment);
}

/** Counts segments; of words only word-like ones, of sentences only non-blank ones. */
function countSegments(input: string, granularity: SegmentUnit): number {
  let total = 0;
  for (const { segment, isWordLike } of new Intl.Segmenter("zh-CN", { granularity }).segment(input)) {
    if (granularity === "word" ? isWordLike === true : granularity === "grapheme" || segment.trim() !== "") total += 1;
  }
  return total;
}

/**
 * Returns a uniformly distributed whole number from 0 to `limit` - 1. Values from the incomplete tail of the range
 * are drawn again.
 */
function randomBelow(limit: number): number {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  const draw = new Uint32Array(1);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(draw);
    if (value < fair) return value % limit;
  }
}
