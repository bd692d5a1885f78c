// The words of an analysis, and those that say nothing. A request is only carried out if each of its words was read:
// ignoring one would answer another question.

export type TimeBucket = "day" | "week" | "month" | "quarter" | "year";
export type AggregateFunction = "count" | "sum" | "mean";
export type AnalysisWords = {
  readonly kind?: "compare" | "trend" | "distribution" | "ranking" | "summary";
  readonly bucket?: TimeBucket;
  readonly aggregate?: AggregateFunction;
  readonly isLowest?: boolean;
  readonly limit?: number;
};

const bucket = (en: string, zh: string): RegExp =>
  new RegExp(`\\b(?:${en})\\b|(?:[按每逐各哪]一?|最[好差高低多少]的一?)个?${zh}`, "gi");

/** In the order of their priority. */
const KEYWORDS: readonly (readonly [AnalysisWords, RegExp])[] = [
  [{ kind: "distribution" }, /\b(?:distribut\w*|histograms?)\b|分布图?|直方图?/gi],
  [{ kind: "trend" }, /\b(?:trends?|over time)\b|趋势图?|走势图?|变化/gi],
  [
    { kind: "ranking", isLowest: true },
    /\b(?:worst|least|fewest|lowest(?: first)?|smallest|bottom)\b|最(?:低|小|少|差)|倒数/gi,
  ],
  [
    { kind: "ranking", isLowest: false },
    /\b(?:rank\w*|top|best|most|highest(?: first)?|largest|biggest|sort(?:ed)?)\b|排名|排行榜?|排序|最[高大多好]|第一|前(?![天年面])/gi,
  ],
  [
    { kind: "compare" },
    /\b(?:compar\w*|versus|vs|differences?|(?:better|worse)(?: than)?)\b|对比|比较|相比|差[异距别]|[更较][好差高低]/gi,
  ],
  [
    { kind: "summary" },
    /\b(?:summar\w*|overview|analy[sz]\w*|analysis|reports?|statistics|performance)\b|总结|汇总|概[况览述括]|分析|统计|报告|情况|表现/gi,
  ],
  [{ aggregate: "mean" }, /\b(?:average|mean|avg)\b|平均[值数分]?|均[值分]/gi],
  [{ aggregate: "count" }, /\b(?:how many|number of|counts?)\b|多少[个条次人笔单名行]|(?:订单|[个条次人笔单行])数/gi],
  [{ aggregate: "sum" }, /\b(?:totals?|sum)\b|总(?!结)[额和计量共]?|合计/gi],
  [{ bucket: "day" }, bucket("daily|days?", "[日天]")],
  [{ bucket: "week" }, bucket("weekly|weeks?", "(?:周|星期)")],
  [{ bucket: "month" }, bucket("monthly|months?", "月份?")],
  [{ bucket: "quarter" }, bucket("quarterly|quarters?", "季度?")],
  [{ bucket: "year" }, bucket("yearly|annual|years?", "年")],
];
const LIMIT = /(?<=\b(?:top|bottom|best|worst|highest|lowest) )\d+(?![\w-])|(?<=前\s*)\d+(?=\s*[名个条位]|\s|$)/i;

export const blankAll = (text: string, words: RegExp): string =>
  text.replace(words, (match) => " ".repeat(match.length));

/** Returns the keywords of a request and the request without them. */
export function parseKeywords(text: string): { readonly words: AnalysisWords; readonly rest: string } {
  const limit = Number(LIMIT.exec(text)?.[0] ?? 0);
  const bare = blankAll(text, LIMIT);
  const found = KEYWORDS.filter(([, pattern]) => bare.search(pattern) >= 0);
  const words = found.reduceRight<AnalysisWords>((all, [word]) => ({ ...all, ...word }), {});
  return {
    words: limit > 0 ? { ...words, limit } : words,
    rest: found.reduce((rest, [, pattern]) => blankAll(rest, pattern), bare),
  };
}

/** Words for the rows of a table, which may be counted or ranked. */
export const ROW_NOUN =
  /\b(?:rows?|records?|entries|items?|requests?|events?|orders?|people|students?)\b|记录|订单|明细|[行条名]|学生|同学|人/gi;
const FILLERS_EN =
  /\b(?:a|an|the|of|in|on|at|for|by|per|each|every|all|both|with|to|from|is|are|was|were|be|do|does|did|doing|have|has|had|how|what|which|who|where|this|that|these|it|its|s|my|our|your|me|i|us|we|please|can|could|you|would|want|need|show|give|tell|make|build|create|draw|list|get|see|let|data|dataset|table|csv|file|columns?|values?|as|between|across|only|just|there|much|instead|now|about|and|chart|graph|page|into|so)\b/gi;
const FILLERS_ZH =
  /的话|的|了|吗|呢|吧|请问?|帮我?|我想?要?|你|给我?|看一?看|一下|上传|是|有|和|与|跟|及|按照?|根据|各|每|个|中|里面?|在|对|把|将|用|做成?|画成?|制作|生成|显示|成|为|出|来|图表?|数据集?|表格?|文件|页面|哪些?|谁|什么|多少|怎么样?|如何|看|要|之间|就|那么?|这|些|一|所有|全部|并|再|也|都|改为?|换|名|位|条|列|几|比/g;

/** Returns the words that mean something and were not read. */
export function findUnreadWords(text: string): string[] {
  const left = blankAll(blankAll(text, FILLERS_EN), ROW_NOUN);
  return (left.match(/[a-z\d][\w.-]*|[\u3400-\u9fff]+/gi) ?? []).filter((word) => word.replace(FILLERS_ZH, "") !== "");
}
