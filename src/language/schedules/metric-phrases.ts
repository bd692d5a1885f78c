// Detection of recurrences that describe a metric instead of a schedule: 每个月的销售额 · revenue for each month ·
// daily sales.

import { findSpans, maskSpans } from "../text-spans.ts";

const RECURRENCE_ZH =
  "每(?:一|个|一个)?(?:年|月|周|星期|礼拜|天|日|小时|分钟|工作日|周末|(?:周|星期|礼拜)[一二三四五六日天末])";
const METRIC_ZH =
  "(?:[额值]|(?<!质)量|(?<![随机倒])数|(?<!汇)率|单价|均价|均分|总分|金额|收入|支出|利润|成本|费用|开销|总和|总计|合计|成绩|营收|业绩|流水|客流|增长|走势图?|趋势图?|分布图?|占比|比例|排名|排行|对比|比较|变化)";
/** After a metric only a question for its value may follow. */
const VALUE_QUESTION_ZH =
  "(?:最[高低大小多少]的?[^,，。;；!！?？\\n]{0,6})?(?:分别|各)?(?:是|有|为)?(?:多少|几何|怎么样|怎样|如何|什么样)?的?[呢吗]?\\s*(?:$|[,，。;；!！?？、\\n])";
const METRIC_PREFIX_ZH =
  "(?:平均|人均|新增|累计|最[高大低小多少]|销售|订单|交易|成交|营业|访问|浏览|点击|[总毛净销产流单人次]){0,3}";
const UNIT_EN = "(?:hour|day|week|month|year|weekday|weekend)";
const METRIC_EN =
  "(?:revenues?|sales|turnover|amounts?|totals?|sum|counts?|numbers?|averages?|means?|trends?|profits?|income|spending|costs?|expenses|orders|units|scores?|marks|figures|quantit(?:y|ies)|volumes?|growth|rates?|visits|visitors|users|attendance)";
const METRIC_PREFIX_EN = "(?:(?:total|average|mean|net|gross|new|active) ){0,3}";

const METRIC_PATTERNS = [
  new RegExp(
    `${RECURRENCE_ZH}(?=(?:的(?![\\d第最这那早上中下晚凌一二三四五六七八九十月周星礼])[^,，。;；!！?？\\n]{0,12}?${METRIC_ZH}|${METRIC_PREFIX_ZH}${METRIC_ZH}|(?:一共|总共)?[有卖花赚收用进][了出入到过]{0,2}多少[^,，。;；!！?？\\n]{0,6})${VALUE_QUESTION_ZH})`,
    "g",
  ),
  new RegExp(String.raw`(?<=\b${METRIC_EN} (?:for|of|in|by|over|across) )(?:each|every) ${UNIT_EN}\b`, "gi"),
  new RegExp(String.raw`\b(?:each|every) ${UNIT_EN}(?='s ${METRIC_PREFIX_EN}${METRIC_EN}\b)`, "gi"),
  new RegExp(
    String.raw`(?<=^\W{0,5}(?:(?:what|how) (?:is|are|was|were) )?(?:the )?${METRIC_PREFIX_EN}(?:${METRIC_EN} )?${METRIC_EN} (?:of [a-z]{1,20} )?)(?:each|every) ${UNIT_EN}\b`,
    "gi",
  ),
  new RegExp(
    String.raw`\b(?:daily|hourly|nightly)(?= ${METRIC_PREFIX_EN}${METRIC_EN}(?: trends?)?\s*(?:$|[,.;!?]|(?:by|per|for|of|in|across|over|from|this|last)\b))`,
    "gi",
  ),
];

/** Masks the recurrences of metrics. All indexes stay the same. */
export function maskMetricPhrases(text: string): string {
  return maskSpans(
    text,
    METRIC_PATTERNS.flatMap((pattern) => findSpans(text, pattern)),
  );
}

/** True if the text asks to send or remind. The delivery of the metric may then be what recurs. */
export function requestsDelivery(text: string): boolean {
  return /提醒|通知|推送|发[给送到]|寄|定时|定期|自动|\b(?:remind|send|e-?mail|mail|text|message|notify|alert|schedule|post|report|digest|automatically)\b/i.test(
    text,
  );
}
