// Maps words of requests, cards and tools to shared ideas, in both languages. An idea found on both sides connects
// them.

import { findLiteralSpans } from "./text-payload.ts";
import { maskSpans, normalizeCharacters } from "../language/text-spans.ts";

export type Idea = string;

type GlossaryEntry = {
  readonly idea: Idea;
  /** Ideas of one family are related: time and date, counting and reversing words. */
  readonly family: string;
  readonly described: RegExp;
  readonly asked: RegExp;
};

const r = String.raw;

/**
 * `idea/family`, English and Chinese words of descriptions; then the words of requests, if those of descriptions are
 * too common there ("time", "day", "数").
 */
const TABLE: readonly (readonly [
  name: string,
  english: string,
  chinese?: string,
  askedEnglish?: string,
  askedChinese?: string,
])[] = [
  [
    "time/clock",
    "times? ?zones?|time|clocks?|o'?clock",
    "时间|几点|时刻|时区|时钟|报时",
    "(?:what(?:'s| is)?|the|me|show|get|check|tell|query|fetch|current|local|exact|know|now)(?: the)?(?: current| local| exact)* (?:time|clock)(?! (?:to|travel|machine|management|of|i|you|we))|time (?:is it|it is|now|in|at|please)|(?:current |local )?time$|time ?zones?|o'?clock$",
    "几点(?!建议|意见|想法)|(?:现在|当前|目前|本地|当地|准确|的|查|查询|获取|显示|告诉我|看|看下|看看|报)(?:一下|一次|下)?时间(?!表|管理)|现在.{0,3}时间|时间(?:是|怎么)?(?:多少|什么)|时间(?=和|与|及)|告诉我.{0,8}时间|(?<!多少|多长|长|段|些|花|费|要)时间$|时区|报时|钟点|什么时候了",
  ],
  [
    "date/clock",
    "dates?|days?|weekdays?|calendars?",
    "日期|星期|周几|几号|日历|年份",
    "(?:what|which|today's|current|the) (?:date|day|weekday|month|year)|what(?:'s| is) today|is (?:it|today|tomorrow)(?: an?)? \\w+day|day of the week|date|weekday|days (?:until|till|between|from|since|to)|leap year",
    "日期|几号|星期几|周几|礼拜几|(?:星期|周|礼拜)[一二三四五六日天末]吗|几月|哪一?天|哪一?年|多少天|几天|闰年|日历",
  ],
  ["calendar/clock", "calendars?", "月历", "calendars? (?:of|for)", "月历"],
  ["prime", "primes?", "[质素]数"],
  [
    "statistics",
    "medians?|standard deviations?|variances?",
    "中位数|标准差|方差",
    r`(?:median|standard deviation|variance) (?:of|for):? ?-?\d`,
    r`\d[^。]*(?:中位数|标准差|方差)`,
  ],
  [
    "arithmetic/math",
    r`calculat\w*|comput(?:e|es|ing|ation)|arithmetic\w*|math\w*|expressions?|equations?|percent\w*`,
    "计算|运算|算术|数学|算式|表达式|加减乘除|四则",
    r`calculat\w*|comput(?:e|es|ing|ation)|arithmetic|math|equation`,
    "计算|算(?:一下|出|算)|等于(?:多少|几)|数学|得多少",
  ],
  ["units/convert", r`units?|conver(?:t|sion)\w*`, "单位|换算", r`conver(?:t|sion)\w* units?`, "单位换算"],
  [
    "random/chance",
    r`random\w*|dice|die|lotter\w*|lucky|chance`,
    "随机|骰子|抽签|摇号",
    r`random\w*|dice|die|\d*d\d+|lottery|lucky number|(?:pick|generate|choose) a number`,
    "随机|骰子|色子|抽(?:一个|个)?(?:.{0,12}的)?(?:签|数|奖)|幸运数字|随便.{0,4}数字?|摇(?:一个|个)?号",
  ],
  [
    "count/text",
    "counts?|counting|words?|characters?|length|lines?",
    "字数|字符|词数|单词|统计|计数|长度|行数",
    "count|how many (?:words|characters|letters|lines|sentences|chars)|how long is|word count|length of",
    "(?:多少|几)个?(?:字|单?词|字符|行|字母)|字数|字符数|词数|单词数|行数|长度|统计|数(?:一下|一数|数)",
  ],
  [
    "upper/text",
    r`upper ?case\w*|(?:its|change\w*|letter) case|capitali[sz]\w*|transform\w*`,
    "大写",
    "upper ?cased?|capitals|capital letters|(?:all )?caps",
    "(?<!首字母)大写",
  ],
  [
    "lower/text",
    r`lower ?case\w*|(?:its|change\w*|letter) case|transform\w*`,
    "小写",
    "lower ?(?:cased?|letters)",
    "小写",
  ],
  ["title/text", r`title ?case\w*|capitali[sz]\w*`, "首字母", "title ?case|capitali[sz]e", "首字母大写"],
  [
    "reverse/text",
    r`revers\w*|backwards?|transform\w*`,
    "反转|倒序|逆序|颠倒",
    r`revers\w*|backwards?`,
    "反转|倒序|逆序|颠倒|倒过来|反过来",
  ],
  [
    "trim/text",
    r`trim\w*|whitespace`,
    "空格|空白",
    "trim|(?:strip|remove)(?: the| extra| all)* (?:white)?spaces?",
    "去(?:掉|除)?(?:首尾|两端|前后|多余的?)*空[格白]",
  ],
  ["replace/text", r`replac\w*|substitut\w*`, "替换", "replace|substitute", "替换|换成(?!大写|小写|.{0,3}图)"],
  ["sort/text", r`sort\w*`, "排序", r`sort(?:ed)?(?! of)`, "排个?序"],
  ["unique/text", r`unique|dedup\w*|duplicat\w*`, "去重", r`dedup\w*|duplicates?|unique lines`, "去重|重复的?行"],
  ["text/text", "texts?|strings?|sentences?", "文本|文字|字符串|句子|文本|字符串"],
  ["weather", r`weather|forecasts?|temperature|rain\w*`, "天气|气温|预报|下雨"],
  ["news", "news|headlines?", "新闻|头条|资讯"],
  ["translate", r`translat\w*`, "翻译|译成"],
  ["email", "e-?mails?|inbox", "邮件|邮箱"],
  ["stock", "stocks?|shares?|market", "股票|股价|行情|股市"],
  ["research", r`research\w*|filings?|reports?`, "研究|财报|报告|研报"],
  ["search", r`search\w*|look up|google`, "搜索|检索|搜一下"],
  [
    "page",
    r`web ?pages?|dashboards?|charts?|visuali[sz]\w*|graphs?`,
    "页面|网页|图表|[饼柱线条形状达]图|看板|仪表盘|可视化",
  ],
  [
    "analysis",
    "trends?|distributions?|rankings?|datasets?",
    "趋势|分布|排名|数据集",
    r`trends?|distributions?|histograms?|rank(?:ing)?s?|datasets?|top \d+|(?:by|per|each) (?:week|month|quarter|year)|monthly`,
    "趋势|走势|分布|排名|排行|数据集|[按每各]个?(?:月|周|季度)",
  ],
  ["code", "cod(?:e|ing)|programs?|scripts?", "代码|程序|脚本|编程"],
  ["reminder", r`remind\w*|alarms?`, "提醒|闹钟"],
  ["summary", r`summar\w*`, "总结|摘要|概括"],
  ["write", "essays?|poems?|story|stories", "作文|诗|故事"],
  ["travel", r`flights?|hotels?|trips?|travel\w*`, "航班|机票|酒店|旅行|旅游"],
  ["grades", "grades?|students?|class(?:es|room)?|scores?", "成绩|学生|班级|考试|分数"],
  ["employee", r`employees?|onboard\w*|profiles?|staff`, "员工|入职|档案|人事"],
  ["access", "access|permissions?|badges?", "门禁|权限"],
  ["shipping", r`shipping|outbound|shipments?|deliver\w*|inventory`, "出库|发货|物流|库存"],
  ["verify", r`verif\w*|confirm\w*|validat\w*`, "核实|验证|核对|确认"],
];

const ENTRIES: readonly GlossaryEntry[] = TABLE.map(([name, english, chinese, askedEnglish, askedChinese]) => {
  const [idea = "", family = idea] = name.split("/");
  const described = buildWordPattern(english, chinese);
  const asked = askedEnglish === undefined ? described : buildWordPattern(askedEnglish, askedChinese);
  return { idea, family, described, asked };
});

/** Returns the ideas in the description of a card or tool. */
export function findDescribedIdeas(text: string): Set<Idea> {
  const words = splitIdentifier(text);
  return new Set(ENTRIES.filter(({ described }) => described.test(words)).map(({ idea }) => idea));
}

/** Returns the ideas that a request asks for, without quoted text. */
export function findAskedIdeas(text: string): Set<Idea> {
  const folded = normalizeCharacters(text);
  const words = maskSpans(folded, findLiteralSpans(folded)).replace(/[\s?!.。,，]+$/, "");
  return new Set(ENTRIES.filter(({ asked }) => asked.test(words)).map(({ idea }) => idea));
}

const FAMILIES = new Map(ENTRIES.map(({ idea, family }) => [idea, family]));

export function getFamily(idea: Idea): string {
  return FAMILIES.get(idea) ?? idea;
}

/** Splits `current_time` and `currentTime` into words. */
export function splitIdentifier(text: string): string {
  return normalizeCharacters(text)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ");
}

function buildWordPattern(english: string, chinese: string | undefined): RegExp {
  const bounded = `(?<![a-z])(?:${english})(?![a-z])`;
  return new RegExp(chinese === undefined ? bounded : `${bounded}|${chinese}`, "i");
}
