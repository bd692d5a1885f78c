// All tool templates, and those that fit a sub-task.

import { ARITHMETIC } from "./arithmetic.ts";
import { CALENDAR } from "./calendar.ts";
import { CHANCE } from "./chance.ts";
import { DAYS } from "./days.ts";
import { COUNTDOWNS } from "./festivals.ts";
import { NUMERALS } from "./numerals.ts";
import { PERCENTAGES } from "./percentages.ts";
import { STATISTICS } from "./statistics.ts";
import type { Args, Template } from "./template.ts";
import { TEXT_COUNTS } from "./text-counts.ts";
import { TEXT_FINDINGS } from "./text-findings.ts";
import { TEXT_SHAPES } from "./text-shapes.ts";
import { TIME } from "./time.ts";
import { CONVERSIONS } from "./units.ts";
import { WHOLE } from "./whole.ts";
import { isAnotherKind } from "../unlike.ts";
import type { Words } from "./words.ts";

/** In order of priority: special templates first. */
export const CATALOGUE: readonly Template[] = [
  ...CONVERSIONS,
  ...TEXT_COUNTS,
  ...TEXT_FINDINGS,
  ...TEXT_SHAPES,
  ...TIME,
  ...DAYS,
  ...COUNTDOWNS,
  ...CALENDAR,
  ...CHANCE,
  ...PERCENTAGES,
  ...NUMERALS,
  ...WHOLE,
  ...STATISTICS,
  ...ARITHMETIC,
];

/** A template and the arguments for it. */
export type Fitting = { readonly template: Template; readonly args: Args };

/** Words that ask for more than the template does. */
const BEYOND =
  /(?<![a-z])(?:if today|poems?|essays?|story|stories|jokes?|explain|why|translate|translation|recommend|suggest|remind|book|buy|paint|send|opinion|weather|forecast|news|stocks?|recipe|website|who (?:is|was|wrote|invented)|define|summari[sz]e|search|google|solve|equation|derivative|integral|prove|proof|engineer)(?![a-z])|(?<![大小改填缩书么])写(?![成为作出])|(?:如果|假如|要是)今天|诗|作文|故事|笑话|解释|为什么|翻译|译成|推荐|提醒|预订|预约|购买|画[一个张幅]|发(?:送|邮件|给)|天气|气温|新闻|股票|菜谱|网站|谁是|是谁|总结|摘要|搜索|方程|导数|积分|证明/;

/** The maximum length of a sub-task. */
export const MAX_CHARS = 2_000;

/** Returns the templates that fit, best first; empty if none does. */
export function fittingFor(words: Words): Fitting[] {
  const fitting = CATALOGUE.flatMap((template) => read(template, words));
  const [best] = fitting;
  if (best === undefined || isAnotherKind(words.text, best.template.description)) return [];
  // Every sum also fits the general expression. Any other second match is accidental.
  const isSum = ARITHMETIC.includes(best.template);
  return fitting.filter((one) => one === best || (isSum && one.template.name === "evaluate_expression"));
}

/** Returns all templates that apply to one text or list: the mean and the median. */
export function titledFor(words: Words): Fitting[] {
  return CATALOGUE.flatMap((template) => (template.title === undefined ? [] : read(template, words)));
}

function read(template: Template, words: Words): Fitting[] {
  const args = template.asked?.test(words.said) === false ? null : template.read(words);
  if (args === null) return [];
  // Ignore the payload, which is only processed.
  const rest = Object.values(args).reduce<string>(
    (said, value) => (typeof value === "string" && value !== "" ? said.replace(value.toLowerCase(), "") : said),
    words.said,
  );
  return BEYOND.test(rest) ? [] : [{ template, args }];
}
