// Tools that rewrite text.

import { readReplacement } from "../payload.ts";
import { over } from "./over-text.ts";
import { A_TEXT, integer, string, takes, TEXT, text, type Template } from "./template.ts";
import { POINTER, subject } from "./words.ts";

const REPLACED = /替换|换成|改[成为]|replac|substitut/;

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
    means: /replac|substitut|替换/,
    read(words) {
      const found = REPLACED.test(words.said) ? readReplacement(words.text) : null;
      if (found === null || /大写|小写|罗马|进制|upper|lower/i.test(found.replacement)) return null;
      return { ...found, text: POINTER.test(found.text) ? (words.lastResult ?? found.text) : found.text };
    },
  }),
  over(
    "sort_lines",
    "Sorts the lines of a text, or words separated by commas, alphabetically. 按字母顺序给文本行、单词排序。",
    A_TEXT,
    String.raw`function run({ text }) {
  const separator = text.includes("\n") ? "\n" : /[,，、]/.test(text) ? ", " : " ";
  const parts = text.split(separator === "\n" ? "\n" : separator === " " ? " " : /[,，、] */);
  return parts.sort((a, b) => a.localeCompare(b)).join(separator);
}`,
    /\bsort|alphabetical|排序|字母顺序/,
    {
      subject: [
        /^(?:sort|order|arrange)(?: the| these| this)?(?: lines| words| names| list| items)?(?: alphabetically| in alphabetical order)?:? (.+?)(?: alphabetically| in alphabetical order)?$/is,
        /^(?:把|将|给|对)?\s*(.+?)\s*(?:按|进行|从)?(?:字母|拼音)?(?:顺序)?(?:排序|排列)/s,
      ],
      not: /\d/,
    },
  ),
  over(
    "unique_lines",
    "Drops repeated lines of a text, or repeated words. 文本去重：去掉重复的行、词。",
    A_TEXT,
    String.raw`function run({ text }) {
  const separator = text.includes("\n") ? "\n" : /[,，、]/.test(text) ? ", " : " ";
  const parts = text.split(separator === "\n" ? "\n" : separator === " " ? " " : /[,，、] */);
  return [...new Set(parts)].join(separator);
}`,
    /去重|重复的?(?:行|词|单词|项|内容|元素)|dedup|duplicate|unique (?:lines|words|items)|repeated (?:lines|words)/,
    {
      subject: [
        /^(?:remove|drop|delete)(?: the| all)? (?:duplicates?|repeated)(?: lines| words| items)? (?:in|from|of)(?: the (?:list|text))?:? (.+)$/is,
        /^dedup\w*:? (.+)$/is,
        /^(?:把|将|给|对)?\s*(.+?)\s*(?:进行)?(?:去重|去掉重复)/s,
      ],
      not: /多少|几个|how many/,
    },
  ),
  over(
    "slugify",
    "Turns a text into a slug for web addresses. 把文本转成 URL slug。",
    A_TEXT,
    String.raw`function run({ text }) {
  const words = text.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f'’]/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-");
}`,
    /\bslug/,
    {
      subject: [
        /(?:slug (?:for|of|from)|slugify)(?: the (?:text|title))?:? (.+)$/is,
        /^(?:convert|turn|make|change) (.+?) (?:in)?to (?:an? )?(?:url )?slug/is,
        /^(?:把|将|给)?\s*(.+?)\s*(?:转换?|变|生成|改)[成为]?(?:一个)?\s*(?:url\s*)?slug/is,
      ],
    },
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
    means: /truncat|shorten|截断|截取/,
    read(words) {
      const isAsked =
        /截断|截取|截短|truncat|shorten|cut .* (?:after|to)|前\s*\d+\s*个?字|first \d+ (?:characters|chars|letters)/.test(
          words.said,
        );
      const length =
        /(\d+)\s*(?:个?字符?|characters|chars|letters|个)/.exec(words.said)?.[1] ??
        /(?:to|到|至|为)\s*(\d+)/.exec(words.said)?.[1];
      const found = subject(
        words,
        /^(?:truncate|shorten|cut) (.+?) (?:to|after|at) \d/is,
        /(?:characters|chars|letters) (?:of|from|in) (.+)$/is,
        /^(?:把|将)?\s*(.+?)\s*(?:截断|截取|截短)/s,
        /^(?:取|显示|保留)?\s*(.+?)\s*的?前\s*\d+/s,
      );
      return isAsked && length !== undefined && found !== null ? { text: found, length: Number(length) } : null;
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
    { subject: [/^(?:倒着写|倒序输出|反转字符串)\s*(.+)$/s], not: /排序|\bsort/ },
  ),
  over(
    "to_title_case",
    "Writes each word of a text with a capital: title case, capitalize. 首字母大写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => word[0].toUpperCase() + word.slice(1));
}`,
    /title ?case|capitali[sz]e|首字母(?:都|全部|变|转|改)?(?:换)?[成为]?大写/,
    { subject: [/^(?:把|将)?\s*(.+?)\s*(?:的)?(?:每个)?(?:单?词)?的?首字母/s] },
  ),
  over(
    "to_upper_case",
    "Writes a text in upper case: capitals. 把英文转成大写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toUpperCase();
}`,
    /upper ?-?cased?|capitals|capital letters|\bcaps\b|大写(?!金额|数字|人民币)/,
  ),
  over(
    "to_lower_case",
    "Writes a text in lower case. 把英文转成小写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.toLowerCase();
}`,
    /lower ?-?cased?|small letters|小写/,
  ),
  over(
    "trim_text",
    "Takes needless spaces out of a text: trim. 去掉首尾和多余的空格。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.trim().replace(/\s+/g, " ");
}`,
    /\btrim|extra (?:white)?spaces?|去[掉除]?(?:首尾|两端|前后|多余)的?(?:的|多余)*空[格白]/,
    { subject: [/(?:spaces?|whitespace) (?:from|in|of) (.+)$/is] },
  ),
  over(
    "remove_spaces",
    "Takes all spaces out of a text. 去掉文本中的所有空格。",
    A_TEXT,
    String.raw`function run({ text }) {
  return text.replace(/\s+/g, "");
}`,
    /(?:remove|strip|delete)(?: all)?(?: the)? (?:white)?spaces|去[掉除][^。]{0,99}空[格白]/,
    { subject: [/(?:spaces?|whitespace) (?:from|in|of) (.+)$/is] },
  ),
];
