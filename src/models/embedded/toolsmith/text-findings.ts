// Tools that find something in text.

import { inside, insideChinese, over } from "./over-text.ts";
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
    {
      subject: [
        /^(?:is|check (?:if|whether)|whether|test (?:if|whether)|determine (?:if|whether)) (?:the )?(?:word |text |phrase |string )?(.+?) (?:is )?(?:an? )?palindrom/is,
        /^(?:判断|检查|看看?)?(?:一下)?\s*(.+?)\s*(?:是不是|是否|是)(?:为|一个)*回文/s,
      ],
    },
  ),
  over(
    "extract_emails",
    "Finds the e-mail addresses in a text. 提取文本中的邮箱地址、电子邮件。",
    A_LIST,
    String.raw`function run({ text }) {
  return text.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? [];
}`,
    /(?:extract|find|get|list|pull).*e-?mails?|(?:提取|找出|抽取|列出).*(?:邮箱|邮件)|邮箱.*(?:提取|找出)/,
    {
      means: /extract.*e-?mail|提取.*邮/,
      subject: [inside("e-?mails?(?: addresses| address)?"), insideChinese("邮箱|电子邮件|邮件")],
    },
  ),
  over(
    "extract_numbers",
    "Finds the numbers in a text. 提取文本中的数字。",
    A_LIST,
    String.raw`function run({ text }) {
  return (text.match(/-?\d+\.?\d*/g) ?? []).map(Number);
}`,
    /(?:extract|find|get|list|pull out)(?: me)?(?: all)?(?: of)?(?: the)? (?:numbers|digits)|(?:提取|找出|抽取).*数字|数字.*提取/,
    { means: /extract.*number|提取.*数字/, subject: [inside("numbers|digits"), insideChinese("数字")] },
  ),
  over(
    "initials",
    "The initials of the words of a name or text. 取姓名或短语的首字母缩写。",
    A_TEXT,
    String.raw`function run({ text }) {
  return (text.match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) => word[0].toUpperCase()).join("");
}`,
    /\binitials\b|acronym|首字母缩写|(?:提取|取|的)(?:每个(?:单?词)的?)?首字母(?!大写)/,
    {
      subject: [
        /(?:initials|acronym) (?:of|for|from) (.+)$/is,
        /^(?:提取|取|给出|求)?\s*(.+?)\s*的?(?:每个单?词的?)?首字母/s,
      ],
    },
  ),
];
