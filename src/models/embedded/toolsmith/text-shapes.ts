// Tools that rewrite text.

import { readReplacement } from "../payload.ts";
import { over } from "./over-text.ts";
import { A_TEXT, integer, string, takes, TEXT, text, type Template } from "./template.ts";
import { POINTER, subject } from "./words.ts";

const PARTS = String.raw`// Lines, or else what commas or spaces separate; and what puts them together again.
function taken(text) {
  if (text.includes("\n")) return [text.split("\n"), "\n"];
  return /[,，、]/.test(text) ? [text.split(/[,，、] */), ", "] : [text.split(" "), " "];
}

`;

export const TEXT_SHAPES: readonly Template[] = [
  text({
    name: "replace_text",
    description: "Replaces every occurrence of some words in a text by others. 替换文本：把某个词换成另一个。",
    parameters: takes({
      text: TEXT,
      find: string("What to look for 查找"),
      replacement: string("What comes instead 替换为"),
    }),
    returns: A_TEXT,
    code: String.raw`function run({ text, find, replacement }) {
  if (find === "") throw new Error("There is nothing to look for. 没有要查找的内容。");
  return text.split(find).join(replacement);
}`,
    asked: /替换|换成|改[成为]|replac|substitut/,
    read(words) {
      const found = readReplacement(words.text);
      if (found === null || /大写|小写|罗马|进制|upper|lower/i.test(found.replacement)) return null;
      return { ...found, text: POINTER.test(found.text) ? (words.lastResult ?? found.text) : found.text };
    },
  }),
  over(
    "sort_lines",
    "Sorts the lines of a text, or words separated by commas, alphabetically. 按字母顺序给文本行、单词排序。",
    A_TEXT,
    String.raw`${PARTS}function run({ text }) {
  const [parts, separator] = taken(text);
  return parts.sort((a, b) => a.localeCompare(b)).join(separator);
}`,
    /\bsort(?:ed)?|alphabetical(?:ly| order)?|(?:按)?(?:字母|拼音)?(?:顺序)?排个?[序列]/,
    { not: /\d/ },
  ),
  over(
    "unique_lines",
    "Drops repeated lines of a text, or repeated words: dedupe, duplicates. 文本去重：去掉重复的行、词。",
    A_TEXT,
    String.raw`${PARTS}function run({ text }) {
  const [parts, separator] = taken(text);
  return [...new Set(parts)].join(separator);
}`,
    /去重|(?:去[掉除])?重复的?(?:行|词|单词|项|内容)|dedup\w*|(?:(?:remove|drop|delete) (?:the |all )?)?(?:duplicates?|repeated)|unique (?:lines|words|items)/,
    { not: /多少|几个|how many/ },
  ),
  over(
    "slugify",
    "Turns a text into a slug for web addresses. 把文本转成 URL slug。",
    A_TEXT,
    String.raw`function run({ text }) {
  const words = text.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f'’]/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-");
}`,
    /\bslug(?:ify)?/,
  ),
  text({
    name: "truncate_text",
    description: "Cuts a text after so many characters. 截断文本：只保留前若干个字符。",
    parameters: takes({ text: TEXT, length: integer("Characters that stay 保留的字符数") }),
    returns: A_TEXT,
    code: String.raw`function run({ text, length }) {
  const letters = [...text];
  return letters.length > length ? letters.slice(0, length).join("") : text;
}`,
    asked: /(?:截[断取短]|truncat|shorten)\w*|前\s*\d+\s*个?字符?|first \d+ (?:characters|chars|letters)/,
    read(words) {
      const length = /\d+(?=\s*(?:个?字|char|letter|个))|(?<=(?:to|到|至|为)\s*)\d+/.exec(words.said)?.[0];
      const found = subject(words, /(?:截[断取短]|truncat\w*|shorten)|前\s*\d+\s*个?字符?|first \d+ \w+/);
      return length !== undefined && found !== null ? { text: found, length: Number(length) } : null;
    },
  }),
  over(
    "reverse_text",
    "Reverses a text, letter by letter: backwards. 反转文本、倒序、倒过来。",
    A_TEXT,
    String.raw`function run({ text }) {
  return [...text].reverse().join("");
}`,
    /\brevers|backwards?|反转|倒序|逆序|颠倒|倒过来|反过来|倒着/,
    { not: /排序|\bsort/ },
  ),
  over(
    "to_title_case",
    "Writes each word of a text with a capital: title case, capitalize. 首字母大写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => word[0].toUpperCase() + word.slice(1));
}`,
    /title ?case|capitali[sz]e|首字母(?:都|全部|变|转|改)?(?:换)?[成为]?大写/,
  ),
  over(
    "to_upper_case",
    "Writes a text in upper case, uppercase: capitals. 把英文转成大写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toUpperCase();
}`,
    /upper ?-?cased?|capitals|capital letters|\bcaps\b|大写(?!金额|数字|人民币)/,
  ),
  over(
    "to_lower_case",
    "Writes a text in lower case, lowercase. 把英文转成小写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toLowerCase();
}`,
    /lower ?-?cased?|small letters|小写/,
  ),
];
