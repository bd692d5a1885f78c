// Finds the text that a request works on: count the words in "…" · 把 hello 转成大写 · 统计字数：…

import { findSpans, normalizeCharacters, removePolitePrefixes, findQuotations } from "../language/text-spans.ts";

export { findLiteralSpans, parseReplacement } from "./work/literal-text.ts";

const AFTER_COLON =
  /(?:text|sentence|string|phrase|paragraph|words?|characters?|letters?|uppercase|lowercase|case|reversed?|trim|translate|count|summari[sz]e|sort|lines?|of|in|following|(?:uppercase|lowercase|capitali[sz]e|reverse|trim|sort|count|translate|repeat) (?:this|these)|文字|文本|句子|字符串|字数|段话|句话|内容|字|词|行|大写|小写|反转|倒序|翻译|统计|总结|排序|去重|英文|中文)\s*:(?=\s*\S)/gi;

const THING_EN = String.raw`(?:(?:(?:the|this|following|a) )*(?:text|sentence|phrase|string|words?|paragraph|following)\b:? ?)?`;
const THING_ZH = "(?:(?:这[个句段]?|下面的?|以下)?(?:话|文字|文本|字符串|句子|内容|词|单词))?";
const UNITS_ZH = "(?:字符|单词|字母|字|词|行)";
const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `^(?:把|将|对|给)\\s*(.+?)\\s*${THING_ZH}(?:全部|都|给我)?(?:转换?[成为]?|变[成为]?|改[成为]|换[成为]|反转|倒[序过]|逆序|颠倒|反过来|大写|小写|翻译|译成|去[除掉]?|统计|进行|首字母|编码|解码|总结|的?首尾|(?:[从按].{1,6})?排个?[序列])`,
    "di",
  ),
  new RegExp(
    `^(?:统计|数一?数|数一下|计算|算一?下|查一下)(?:一下)?\\s*${THING_ZH}\\s*(.+?)\\s*${THING_ZH}(?:的|里面?|中|有|一共|共)*(?:多少|几)?个?${UNITS_ZH}(?:数|长)?`,
    "di",
  ),
  new RegExp(`^(.+?)\\s*${THING_ZH}(?:里面?|中|有|一共|共|的)+(?:多少|几)个?${UNITS_ZH}`, "di"),
  new RegExp(
    `^(.+?)\\s*${THING_ZH}(?:全部|都)?(?:[转变换改]换?[成为]?(?:全部)?(?:大写|小写)|倒过来|反过来|反转)`,
    "di",
  ),
  new RegExp(`^(.+?)\\s*${THING_ZH}的(?:字数|字符数|词数|单词数|行数|长度|大写|小写|倒序)`, "di"),
  /^用?(?:全部)?(?:大写|小写)(?:字母)?(?:写出?|显示|输出|表示|说|打印)(?:一下)?\s*(.+)$/di,
  new RegExp(`^(?:反转|倒序|翻译|复述|重复|大写|小写|总结|转成大写|转成小写)(?:一下)?\\s*${THING_ZH}\\s*(.+)$`, "di"),
  new RegExp(
    `(?:words|characters|chars|letters|lines|sentences|length|spaces)(?: are| are there| there are)* (?:in|of|from) ${THING_EN}(.+)$`,
    "di",
  ),
  new RegExp(`^how long is ${THING_EN}(.+)$`, "di"),
  new RegExp(
    `^(?:convert|change|turn|make|transform|put|render|write|say|show|print|spell) ${THING_EN}(.+?) (?:to |into |in |as )?(?:all )?(?:upper|lower|title|capital|caps|reverse|backward)`,
    "di",
  ),
  new RegExp(
    `^(?:uppercase|upper case|lowercase|lower case|capitali[sz]e|reverse|trim|sort|translate|echo|repeat|title ?case|summari[sz]e|count(?! to\\b))(?: (?:the|each|every|all)(?: the)? (?:words?|characters|letters?|lines?)(?: in| of)?)? ${THING_EN}(.+?)(?: (?:to|into|in) \\w+| backwards?)?$`,
    "di",
  ),
  /^(.+?) (?:in|to) (?:all )?(?:upper ?case|lower ?case|title ?case|caps|capitals|reverse)/di,
  /^(.+?) backwards?$/di,
];
const POINTER =
  /^(?:it|its|that|this(?: (?:sentence|text|message|question))?|them|those|these|再|然后|接着|the (?:result|text|output|answer|sentence|string|words|characters|letters|lines)|its .*|结果|它|这个?|那个?|其|上面的?|上述|刚才的?|这段|这句)(?:结果|内容|文字|文本|话)?$/i;

/** Returns the text to work on; null if there is none or it is only a reference. */
export function findTextPayload(text: string): string | null {
  const folded = normalizeCharacters(text);
  const quoted = findQuotations(text);
  const [first, ...more] = quoted;
  const [colon] = findSpans(folded, AFTER_COLON);
  const isInside = colon !== undefined && first !== undefined && more.length > 0 && colon.end <= first.start;
  if (first !== undefined && !isInside) return first.inner;
  if (colon !== undefined) return text.slice(colon.end).trim();
  const words = removePolitePrefixes(text).replace(/[?？。]+$/, "");
  for (const pattern of PATTERNS) {
    const [start, end] = pattern.exec(normalizeCharacters(words))?.indices?.[1] ?? [0, 0];
    const found = words.slice(start, end).trim();
    if (found === "") continue;
    return POINTER.test(normalizeCharacters(found)) ? null : found;
  }
  return null;
}
