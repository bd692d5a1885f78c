// Detects requests for an analysis. Agent cards cannot name a person's tables, so this works on the words alone.

import { findNumbers } from "../../language/numerals.ts";
import { canWriteTool } from "../toolsmith/split-subtasks.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";
import { readWork } from "../work/read-work.ts";

const ANALYSE =
  /\b(?:compare|trends?|distributions?|histogram|rank|correlat\w*|analy[sz]e|dashboard)\b|对比|^比较|比较一下|趋势|走势|分布|排[名行]|分析|相关性|\b(?:best|worst) (?:day|week|month|quarter|year)\b/i;
/** A class code such as 1A. */
const CLASS = /(?<![\w-])\d{1,2}[A-Z](?!\w)/;
const PERFORMED =
  /\bhow (?:did|do|does|is|are|was|were)\b|\b(?:summar\w*|overview|scores?|average|mean|best|better|worst)\b|怎么样|如何|表现|成绩|平均|概况|总结|更?[好差]/i;
/** An aggregate of many rows; `APART` matches its grouping. */
const FIGURE =
  /\b(?:average|mean|total|most|fewest|highest|lowest|max(?:imum)?|min(?:imum)?|number of|how many)\b|平均|均分|最[高低大小多少好差贵]|总(?=[共和计数量金额分价])|多少|[人单]数/i;
const APART = /\b(?:by|per|each|every|which) [a-z]|各|每|按|哪/i;
/** Business data; `ASKED` matches a question about it. */
const TRADE =
  /\b(?:sales|sold|sells?|revenue|profits?|orders|customers)\b|销售额?|销量|营业?额|营收|利润|卖[得了出]|订单|客户/i;
const ASKED =
  /\b(?:which|where|how (?:much|many)|total|best|worst|most|least|what (?:is|was|are|were|sold|sells|do|did) )|哪|多少|几|总|最|统计|[做画]成?.{0,4}图/i;
/** Unit questions such as "how many minutes" are not about a table. */
const CALENDAR = /\bhow many (?:second|minute|hour|day|week|month)s\b/i;
/** An aggregate of something named: `英语最高分`. */
const OF_NAMED = /^[^\s,，]{2,60}?(?:平均|最[高低]|总)[分价金额量]/;
const OPENING = /^(?:请问?|帮我|什么[是叫]|计?算(?:一?下|出)?|求出?|[这那]些?(?:数字?)?|它们|的)+/;
/** Numbers that identify something instead of being operands: `三班`, `in 2025`. */
const WHICH =
  /(?<=\b(?:in|of|for|during|since) )(?:19|20)\d{2}\b|(?:19|20)\d{2}(?=年)|第?[\d一二两三四五六七八九十]{1,3}(?=[班年组队届])|(?<![\w-])\d{1,2}(?=[A-Z](?!\w))/g;

/** The request itself contains the text to work on. */
const PAYLOAD = /[:："“”「」\n]/;

export function isAnalysis(text: string): boolean {
  const words = text.trim();
  if (PAYLOAD.test(words.replace(/\d:\d/g, ""))) return false;
  if (ANALYSE.test(words) || (CLASS.test(words) && PERFORMED.test(words))) return true;
  const isApart = APART.test(words);
  const isFigure = (FIGURE.test(words) && isApart) || (TRADE.test(words) && (ASKED.test(words) || isApart));
  const hasOperands = findNumbers(normalizeCharacters(words.replace(WHICH, " "))).length > 0;
  return (isFigure || OF_NAMED.test(words.replace(OPENING, ""))) && !CALENDAR.test(words) && !hasOperands;
}

const VARIATION = /(?:换|改[成为])(?!.*[大小]写)|\b(?:replace|change|sort|use)\b|排序/i;

/** True for changes such as `换成英语` that contain no text to work on: after a page they are about that page. */
export function isPageVariation(text: string): boolean {
  return VARIATION.test(text) && !PAYLOAD.test(text) && readWork(text)?.kind !== "change" && !canWriteTool(text);
}
