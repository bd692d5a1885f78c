// Keywords of an analysis: kind, time bucket, aggregate, limit.

export type AnalysisKind = "compare" | "trend" | "distribution" | "ranking" | "summary" | "correlation";
const BUCKETS = ["day", "week", "month", "quarter", "year"] as const;
export type TimeBucket = (typeof BUCKETS)[number];
export type AggregateFunction = "count" | "sum" | "mean" | "median" | "min" | "max";

/** The keywords of a line, independent of any data. */
export type AnalysisKeywords = {
  readonly kind?: AnalysisKind;
  readonly bucket?: TimeBucket;
  readonly reckoning?: AggregateFunction;
  readonly year?: string;
  readonly limit?: number;
  readonly isLowest?: boolean;
};

const KIND_WORDS: readonly (readonly [AnalysisKind, RegExp])[] = [
  ["correlation", /\bcorrelat\w*|\brelat(?:ion(?:ship)?|ed)\b|相关|(?:之间|和.{1,20}|与.{1,20})的?关系/i],
  ["distribution", /\bdistribut\w*|\bhistogram\b|\bspread\b|\bst(?:andard|d)\.? dev\w*|分布|直方|标准差/i],
  [
    "trend",
    /\btrends?\b|\bover time\b|\bdevelop(?:s|ed|ment)?\b|\b(?:daily|weekly|monthly|quarterly|yearly)\b|\bprogress\b|\b(?:by|per|each|every) (?:day|week|month|quarter|year)\b|趋势|走势|变化|进步|[按每各](?:日|天|周|月|季度?|年)/i,
  ],
  [
    "ranking",
    /\brank\w*|\btop\b|\bbottom\b|\bhighest\b|\blowest\b|\bbest\b|\bworst\b|\bmost\b|\bleast\b|\bcheapest\b|\bsort(?:ed)?\b|排名|排行|排序|排一下|前\s*[\d一二三五十]+|最[高低好差多少大小贵]|便宜|名次/i,
  ],
  [
    "compare",
    /\bcompar\w*|\bversus\b|\bvs\b|\bdifferences?\b|\bbetter\b|\bworse\b|对比|比较|相比|差异|差距|哪个班|比一比/i,
  ],
  [
    "summary",
    /\bsummar\w*|\boverview\b|\banaly[sz]\w*|\breports?\b|\bstat(?:s|istics)\b|\bdescribe\b|\bhow (?:did|do|does|is|are|was|were)\b|\bperformance\b|总结|汇总|概[况览述括]|分析|统计|报告|情况|表现|怎么样|如何/i,
  ],
];

/** Matches `by`, `each` and superlatives before a unit of time. */
const buildBucketPattern = (words: string, en: string, zh: string): RegExp =>
  new RegExp(
    `\\b(?:${words}|(?:by|per|each|every|which|what|best|worst|busiest|slowest) ${en}s?)\\b|(?:[按每逐各]|哪一?|最[^,，。\\s]{1,3}的[一二两三\\d]?)个?${zh}`,
    "i",
  );

const BUCKET_WORDS: Readonly<Record<TimeBucket, RegExp>> = {
  day: buildBucketPattern("daily", "day", "[日天]"),
  week: buildBucketPattern("weekly", "week", "(?:周|星期)"),
  month: buildBucketPattern("monthly", "month", "月"),
  quarter: buildBucketPattern("quarterly", "quarter", "季"),
  year: buildBucketPattern("yearly|annual(?:ly)?", "year", "年(?!级)"),
};

const AGGREGATE_WORDS: readonly (readonly [AggregateFunction, RegExp])[] = [
  ["median", /\bmedian\b|中位/i],
  ["mean", /\b(?:average|mean|avg)\b|平均|均值|均分/i],
  [
    "count",
    /\bhow many\b|\bnumber of\b|\bcounts?\b|\b(?:most|fewest|least) (?:orders|students|pupils|people|rows|records|entries)\b|数量|多少[个条次人笔]|[个条次人笔单]数/i,
  ],
  ["sum", /\b(?:total|sum)\b|总(?!结)[额和计量]?|合计/i],
  ["max", /\bmax(?:imum)?\b|最大值/i],
  ["min", /\bmin(?:imum)?\b|最小值/i],
];

const COUNTED = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const HAN = "零一二三四五六七八九十";
/** A row limit. */
export const ROW_LIMIT =
  /\b(?:top|bottom|first|best|worst|highest|lowest)\s+(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b|\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:most|least|best|worst|highest|lowest|largest|smallest|cheapest)\b|[前后]\s*(\d{1,3}|[一二两三四五六七八九十](?!月))|最[^,，。\s]{1,3}的\s*(\d{1,3}|[两三四五六七八九十])/i;
export const YEAR = /(?<![\d-])((?:19|20)\d{2})(?![\d-])/;

/** Parses the keywords of a line. */
export function parseKeywords(line: string): AnalysisKeywords {
  const kind = KIND_WORDS.find(([, words]) => words.test(line))?.[0];
  const bucket = BUCKETS.find((one) => BUCKET_WORDS[one].test(line));
  const reckoning = AGGREGATE_WORDS.find(([, words]) => words.test(line))?.[0];
  const top =
    ROW_LIMIT.exec(line)
      ?.slice(1)
      .find((one) => one !== undefined)
      ?.toLowerCase()
      .replace("两", "二") ?? "0";
  const limit = COUNTED.includes(top) ? COUNTED.indexOf(top) : HAN.includes(top) ? HAN.indexOf(top) : Number(top);
  const year = YEAR.exec(line)?.[1];
  const isLowest =
    /\b(?:lowest|worst|bottom|least|fewest|cheapest|ascending)\b|最[低差少小]|便宜|倒数|后\s*\d|升序/i.test(line);
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(reckoning === undefined ? {} : { reckoning }),
    ...(limit > 0 ? { limit } : {}),
    ...(year === undefined ? {} : { year }),
    ...(isLowest ? { isLowest } : kind === "ranking" ? { isLowest: false } : {}),
  };
}
