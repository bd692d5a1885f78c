// Tools that rewrite text.

import { parseReplacement } from "../text-payload.ts";
import { createTextTemplate } from "./text-template.ts";
import {
  TEXT_RESULT,
  integerSchema,
  stringSchema,
  createParameters,
  TEXT_SCHEMA,
  createTextToolTemplate,
  type ToolTemplate,
} from "./tool-template.ts";
import { POINTER, findSubjectText } from "./subtask-words.ts";

const PARTS_CODE = String.raw`// Lines, or else what commas or spaces separate; and what puts them together again.
function taken(text) {
  if (text.includes("\n")) return [text.split("\n"), "\n"];
  return /[,，、]/.test(text) ? [text.split(/[,，、] */), ", "] : [text.split(" "), " "];
}

`;

export const TEXT_REWRITE_TEMPLATES: readonly ToolTemplate[] = [
  createTextToolTemplate({
    name: "replace_text",
    description: "Replaces every occurrence of some words in a text by others. 替换文本：把某个词换成另一个。",
    parameters: createParameters({
      text: TEXT_SCHEMA,
      find: stringSchema("What to look for 查找"),
      replacement: stringSchema("What comes instead 替换为"),
    }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ text, find, replacement }) {
  if (find === "") throw new Error("There is nothing to look for. 没有要查找的内容。");
  return text.split(find).join(replacement);
}`,
    requestPattern: /替换|换成|改[成为]|replac|substitut/,
    parseArgs(words) {
      const found = parseReplacement(words.text);
      if (found === null || /大写|小写|罗马|进制|upper|lower/i.test(found.replacement)) return null;
      return { ...found, text: POINTER.test(found.text) ? (words.lastResult ?? found.text) : found.text };
    },
  }),
  createTextTemplate(
    "sort_lines",
    "Sorts the lines of a text, or words separated by commas, alphabetically. 按字母顺序给文本行、单词排序。",
    TEXT_RESULT,
    String.raw`${PARTS_CODE}function run({ text }) {
  const [parts, separator] = taken(text);
  return parts.sort((a, b) => a.localeCompare(b)).join(separator);
}`,
    /\bsort(?:ed)?|alphabetical(?:ly| order)?|(?:按)?(?:字母|拼音)?(?:顺序)?排个?[序列]/,
    { not: /\d/ },
  ),
  createTextTemplate(
    "unique_lines",
    "Drops repeated lines of a text, or repeated words: dedupe, duplicates. 文本去重：去掉重复的行、词。",
    TEXT_RESULT,
    String.raw`${PARTS_CODE}function run({ text }) {
  const [parts, separator] = taken(text);
  return [...new Set(parts)].join(separator);
}`,
    /去重|(?:去[掉除])?重复的?(?:行|词|单词|项|内容)|dedup\w*|(?:(?:remove|drop|delete) (?:the |all )?)?(?:duplicates?|repeated)|unique (?:lines|words|items)/,
    { not: /多少|几个|how many/ },
  ),
  createTextTemplate(
    "slugify",
    "Turns a text into a slug for web addresses. 把文本转成 URL slug。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  const words = text.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f'’]/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-");
}`,
    /\bslug(?:ify)?/,
  ),
  createTextToolTemplate({
    name: "truncate_text",
    description: "Cuts a text after so many characters. 截断文本：只保留前若干个字符。",
    parameters: createParameters({ text: TEXT_SCHEMA, length: integerSchema("Characters that stay 保留的字符数") }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ text, length }) {
  const letters = [...text];
  return letters.length > length ? letters.slice(0, length).join("") : text;
}`,
    requestPattern: /(?:截[断取短]|truncat|shorten)\w*|前\s*\d+\s*个?字符?|first \d+ (?:characters|chars|letters)/,
    parseArgs(words) {
      const length = /\d+(?=\s*(?:个?字|char|letter|个))|(?<=(?:to|到|至|为)\s*)\d+/.exec(words.said)?.[0];
      const found = findSubjectText(words, /(?:截[断取短]|truncat\w*|shorten)|前\s*\d+\s*个?字符?|first \d+ \w+/);
      return length !== undefined && found !== null ? { text: found, length: Number(length) } : null;
    },
  }),
  createTextTemplate(
    "reverse_text",
    "Reverses a text, letter by letter: backwards. 反转文本、倒序、倒过来。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  return [...text].reverse().join("");
}`,
    /\brevers|backwards?|反转|倒序|逆序|颠倒|倒过来|反过来|倒着/,
    { not: /排序|\bsort/ },
  ),
  createTextTemplate(
    "to_title_case",
    "Writes each word of a text with a capital: title case, capitalize. 首字母大写。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => word[0].toUpperCase() + word.slice(1));
}`,
    /title ?case|capitali[sz]e|首字母(?:都|全部|变|转|改)?(?:换)?[成为]?大写/,
  ),
  createTextTemplate(
    "to_upper_case",
    "Writes a text in upper case, uppercase: capitals. 把英文转成大写。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  return text.toUpperCase();
}`,
    /upper ?-?cased?|capitals|capital letters|\bcaps\b|大写(?!金额|数字|人民币)/,
  ),
  createTextTemplate(
    "to_lower_case",
    "Writes a text in lower case, lowercase. 把英文转成小写。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  return text.toLowerCase();
}`,
    /lower ?-?cased?|small letters|小写/,
  ),
];
