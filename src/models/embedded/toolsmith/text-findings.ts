// Tools that find something in text.

import { over } from "./over-text.ts";
import { A_FLAG, A_LIST, A_TEXT, type Template } from "./template.ts";

export const TEXT_FINDINGS: readonly Template[] = [
  over(
    "is_palindrome",
    "Whether a text reads the same backwards: palindrome. 判断是不是回文。",
    A_FLAG,
    String.raw`function run({ text }) {
  const letters = [...text.toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return letters.join("") === letters.reverse().join("");
}`,
    /回文|palindrome/,
  ),
  over(
    "extract_emails",
    "Finds the e-mail addresses in a text. 提取文本中的邮箱地址、电子邮件。",
    A_LIST,
    String.raw`function run({ text }) {
  return text.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? [];
}`,
    /(?:extract|find|get|list|pull).*e-?mails?|(?:提取|找出|抽取|列出).*(?:邮箱|邮件)|邮箱.*(?:提取|找出)/,
  ),
  over(
    "extract_numbers",
    "Finds the numbers in a text. 提取文本中的数字。",
    A_LIST,
    String.raw`function run({ text }) {
  return (text.match(/-?\d+\.?\d*/g) ?? []).map(Number);
}`,
    /(?:extract|find|get|list|pull out)(?: me)?(?: all)?(?: of)?(?: the)? (?:numbers|digits)|(?:提取|找出|抽取).*数字|数字.*提取/,
  ),
  over(
    "initials",
    "The initials of the words of a name or text. 取姓名或短语的首字母缩写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return (text.match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) => word[0].toUpperCase()).join("");
}`,
    /\binitials\b|acronym|首字母缩写|(?:提取|取|的)(?:每个(?:单?词)的?)?首字母(?!大写)/,
  ),
];
