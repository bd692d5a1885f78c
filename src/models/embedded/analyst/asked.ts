// Whether words ask for an analysis, whatever the data is called: no card of an agent can name a person's tables.

const ANALYSE =
  /\bcompare\b|\btrends?\b|\bdistributions?\b|\bhistogram\b|\brank\b|\bcorrelat\w*|\banaly[sz]e\b|\bdashboard\b|对比|^比较|比较一下|趋势|走势|分布|排名|排行|分析|相关性/i;
/** A class, and something about it. */
const CLASS = /(?<![\w-])\d{1,2}[A-Z](?!\w)/;
const PERFORMED =
  /\bhow (?:did|do|does|is|are|was|were)\b|\b(?:summar\w*|overview|scores?|average|mean|best|better|worst)\b|怎么样|如何|表现|成绩|平均|概况|总结|更?[好差]/i;
/** Something to be worked on stands in the words themselves. */
const PAYLOAD = /[:："“”「」\n]/;

export function isAnalysis(text: string): boolean {
  const words = text.trim();
  if (PAYLOAD.test(words.replace(/\d:\d/g, ""))) return false;
  return ANALYSE.test(words) || (CLASS.test(words) && PERFORMED.test(words));
}
