// Detects requests for an analysis. Agent cards cannot name a person's tables, so this works on the words alone.

/** Words of an analysis. */
const ANALYSE =
  /\b(?:compare|trends?|distribut\w*|histogram|rank|correlat\w*|analy[sz]e|dashboard)\b|对比|^比较|比较一下|趋势|走势|分布|排[名行]|分析|相关性/i;
/** A class code such as 1A. */
const CLASS = /(?<![\w-])\d{1,2}[A-Z](?!\w)/;
const PERFORMED =
  /\bhow (?:did|do|does|is|are|was|were)\b|\b(?:summar\w*|overview|scores?|average|mean|best|better|worst)\b|怎么样|如何|表现|成绩|平均|概况|总结|更?[好差]/i;
/** An aggregate of many rows; `APART` matches its grouping. */
const FIGURE =
  /\b(?:average|mean|total|most|fewest|highest|lowest|number of|how many|counts?|revenue|sales)\b|平均|均分|最[高低大小多少好差]|总(?=[共和计数量金额分价])|多少|[人单数额]/i;
const APART = /\b(?:by|per|each|every|which) [a-z]|各|每|按|哪/i;
/** Unit questions such as "how many minutes" are not about a table. */
const CALENDAR = /\bhow many (?:second|minute|hour|day|week|month)s\b/i;
/** The request itself contains the text or the numbers to work on. */
const OPERANDS = /[:："“”「」\n]|\d/;

export function isAnalysis(text: string): boolean {
  if (CLASS.test(text) && PERFORMED.test(text)) return true;
  if (ANALYSE.test(text)) return !/[:："“”「」\n]/.test(text.replace(/\d:\d/g, ""));
  return FIGURE.test(text) && APART.test(text) && !CALENDAR.test(text) && !OPERANDS.test(text);
}
