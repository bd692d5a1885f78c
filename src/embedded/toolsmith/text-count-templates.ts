// Tools that count in text.

import { removePolitePrefixes } from "../../language/text-spans.ts";
import { createTextTemplate } from "./text-template.ts";
import {
  NUMBER_RESULT,
  TEXT_RESULT,
  stringSchema,
  createParameters,
  TEXT_SCHEMA,
  createTextToolTemplate,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { POINTER, type SubtaskWords } from "./subtask-words.ts";

const PART = String.raw`["“'‘「]?(?<part>[^\s"”'’」“‘「]+)["”'’」]?`;
const WHOLE = String.raw`["“'‘「]?(?<whole>.+?)["”'’」]?`;
const IN = String.raw` (?:are |is )?(?:there )?(?:in|appear in|occur in) (?:the (?:word|text|string|sentence) )?`;
const COUNT_ZH = "^(?:统计|计算|数一?数|数一下|查一下)?(?:一下)?(?:在)?";
const KIND_ZH = "(?:字母|字符|单词|词语?|汉字|字)?";
const OCCURRENCES: readonly RegExp[] = [
  `(?:how many times|how often) (?:does|do|is|did) (?:the )?(?:word |letter |character )?${PART} (?:occur|appear|used|come up|show up)s? in (?:the (?:word|text|string|sentence) )?${WHOLE}$`,
  `(?:occurrences? of|how many|number of|count)(?: the)? (?:times|words?|letters?|characters?|occurrences? of(?: the)?(?: word| letter| character)?) ${PART}(?:'s|s)?${IN}${WHOLE}$`,
  `(?:occurrences? of|how many|number of|count)(?: the)? ["“']?(?<part>(?<=["“'])[^"”']+|[a-z])["”']?(?:'s|s)?${IN}${WHOLE}$`,
  `${COUNT_ZH}${KIND_ZH}${PART}在${WHOLE}(?:里面?|中)(?:一?共)?(?:出现|有)(?:了?(?:多少|几)[次个]|的?次数)`,
  `${COUNT_ZH}${WHOLE}(?:里面?|中)(?:一?共)?有?(?:多少|几)个${KIND_ZH}${PART}$`,
  `${COUNT_ZH}${WHOLE}(?:里面?|中)的?(?:一?共)?${KIND_ZH}${PART}(?:一?共)?出现(?:了?(?:多少|几)[次个]|的?次数)`,
].map((pattern) => new RegExp(pattern, "is"));
/** Units that other tools count. */
const UNIT =
  /^(?:字|词|字符|字母|单词|行|汉字|句子?|words?|letters?|characters?|chars?|lines?|sentences?|vowels?|numbers?|digits?|spaces?|e-?mails?|are|is|there|the|in|of)$/i;

/** Returns the part to count and the text: strawberry中有几个r · how many times does "a" occur in "banana". */
function parseOccurrences({ text: said, quoted, lastResult }: SubtaskWords): TemplateArgs | null {
  const words = removePolitePrefixes(said).replace(/[?？。]+$/, "");
  for (const pattern of OCCURRENCES) {
    const { part, whole } = pattern.exec(words)?.groups ?? {};
    if (part === undefined || whole === undefined || UNIT.test(part)) continue;
    const source = POINTER.test(whole) ? lastResult : whole;
    if (source !== null) return { part, text: source };
  }
  const [a, b] = quoted;
  const isAsked = /出现.{0,4}次|how many times|occurrences|how often/i.test(said);
  if (!isAsked || a === undefined || b === undefined) return null;
  return a.length <= b.length ? { part: a, text: b } : { part: b, text: a };
}

export const TEXT_COUNT_TEMPLATES: readonly ToolTemplate[] = [
  createTextToolTemplate({
    name: "count_occurrences",
    description:
      "Counts how often a letter, word or phrase occurs in a text: how many times. 统计字母、词语在文本中出现的次数：有几个、出现几次。",
    parameters: createParameters({ text: TEXT_SCHEMA, part: stringSchema("What is counted 要统计的字词") }),
    returns: NUMBER_RESULT,
    code: String.raw`function run({ text, part }) {
  if (part === "") throw new Error("There is nothing to count. 没有要统计的内容。");
  return text.toLowerCase().split(part.toLowerCase()).length - 1;
}`,
    equivalentPattern: /occurr|how often|出现.*次/,
    parseArgs: (words) => parseOccurrences(words),
  }),
  createTextTemplate(
    "word_frequency",
    "How often each word of a text occurs. 统计每个词、字出现的频率：词频。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  const counts = new Map();
  // Chinese without spaces is counted by characters.
  const pattern = /[\s,，、]/.test(text) ? /[\p{L}\p{N}'’-]+/gu : /[\u3400-\u9fff]|[\p{L}\p{N}'’-]+/gu;
  for (const word of text.toLowerCase().match(pattern) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  return ranked.map(([word, count]) => word + ": " + count).join(", ");
}`,
    /词频|每个(?:单?词|字|字母).{0,6}(?:次|频)|word frequenc|frequenc\w+ of (?:each |the |every )?(?:word|letter)|how often (?:does )?(?:each|every) word|occurrences of each word/,
  ),
  createTextTemplate(
    "count_words",
    "Counts the words of a text; each Chinese character is one. 统计单词数、词数：有多少个单词。",
    NUMBER_RESULT,
    String.raw`function run({ text }) {
  return (text.match(/[\u3400-\u9fff]|[\p{L}\p{N}'’-]+/gu) ?? []).length;
}`,
    /(?:多少|几)个?(?:英文)?(?:单词|词)|(?:单词|词)(?:的?(?:个数|数量?))|how many words|(?:count|number of)(?: the| its| all)*(?: \w+)? words|word count|words? (?:and|or) (?:char|letter|line)|(?:characters?|letters?|lines?) and words/,
    {
      title: { zh: "单词数", en: "number of words" },
    },
  ),
  createTextTemplate(
    "count_lines",
    "Counts the lines of a text. 统计行数：有多少行。",
    NUMBER_RESULT,
    String.raw`function run({ text }) {
  return text === "" ? 0 : text.split("\n").length;
}`,
    /(?:多少|几)行|行数|how many lines|(?:count|number of)(?: the| its)* lines|line count|(?:words|characters) and lines/,
    {
      title: { zh: "行数", en: "number of lines" },
    },
  ),
  createTextTemplate(
    "count_characters",
    "Counts the characters of a text: length, letters. 统计字数、字符数、长度：有多少个字。",
    NUMBER_RESULT,
    String.raw`function run({ text }) {
  return [...text].length;
}`,
    /(?:多少|几)个?(?:字符|字母|汉字|字)(?!节)|字母?数|字符数|长度|how many (?:characters|letters|chars)|(?:count|number of)(?: the| its)* (?:characters|letters|chars)|\blength\b|how long is (?:the (?:text|string|word|sentence)|["'▢])|character count|words and (?:characters|letters)/,
    {
      title: { zh: "字符数", en: "number of characters" },
    },
  ),
];
