// Tools that find something in text.

import { createTextTemplate } from "./text-template.ts";
import { FLAG_RESULT, LIST_RESULT, TEXT_RESULT, type ToolTemplate } from "./tool-template.ts";

export const TEXT_SEARCH_TEMPLATES: readonly ToolTemplate[] = [
  createTextTemplate(
    "is_palindrome",
    "Whether a text reads the same backwards: palindrome. 判断是不是回文。",
    FLAG_RESULT,
    String.raw`function run({ text }) {
  const letters = [...text.toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return letters.join("") === letters.reverse().join("");
}`,
    /回文|palindrome/,
  ),
  createTextTemplate(
    "extract_emails",
    "Finds the e-mail addresses in a text. 提取文本中的邮箱地址、电子邮件。",
    LIST_RESULT,
    String.raw`function run({ text }) {
  return text.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? [];
}`,
    /(?:extract|find|get|list|pull).*e-?mails?|(?:提取|找出|抽取|列出).*(?:邮箱|邮件)|邮箱.*(?:提取|找出)/,
  ),
  createTextTemplate(
    "extract_numbers",
    "Finds the numbers in a text. 提取文本中的数字。",
    LIST_RESULT,
    String.raw`function run({ text }) {
  return (text.match(/-?\d+\.?\d*/g) ?? []).map(Number);
}`,
    /(?:extract|find|get|list|pull out)(?: me)?(?: all)?(?: of)?(?: the)? (?:numbers|digits)|(?:提取|找出|抽取).*数字|数字.*提取/,
  ),
  createTextTemplate(
    "initials",
    "The initials of the words of a name or text. 取姓名或短语的首字母缩写。",
    TEXT_RESULT,
    String.raw`function run({ text }) {
  return (text.match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) => word[0].toUpperCase()).join("");
}`,
    /\binitials\b|acronym|首字母缩写|(?:提取|取|的)(?:每个(?:单?词)的?)?首字母(?!大写)/,
  ),
];
