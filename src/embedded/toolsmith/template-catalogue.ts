// All tool templates, and those that fit a sub-task.

import { ARITHMETIC } from "./arithmetic-templates.ts";
import { CALENDAR_TEMPLATES } from "./calendar-templates.ts";
import { RANDOM_TEMPLATES } from "./random-templates.ts";
import { DATE_TEMPLATES } from "./date-templates.ts";
import { COUNTDOWN_TEMPLATES } from "./countdown-templates.ts";
import { NUMERAL_TEMPLATES } from "./numeral-templates.ts";
import { PERCENTAGE_TEMPLATES } from "./percentage-templates.ts";
import { STATISTICS_TEMPLATES } from "./statistics-templates.ts";
import type { TemplateArgs, ToolTemplate } from "./tool-template.ts";
import { TEXT_COUNT_TEMPLATES } from "./text-count-templates.ts";
import { TEXT_SEARCH_TEMPLATES } from "./text-search-templates.ts";
import { TEXT_REWRITE_TEMPLATES } from "./text-rewrite-templates.ts";
import { TIME_TEMPLATES } from "./time-templates.ts";
import { CONVERSION_TEMPLATES } from "./unit-templates.ts";
import { INTEGER_TEMPLATES } from "./integer-templates.ts";
import { asksForOtherVariant } from "../tool-mismatch.ts";
import type { SubtaskWords } from "./subtask-words.ts";

/** In order of priority: special templates first. */
export const ALL_TEMPLATES: readonly ToolTemplate[] = [
  ...CONVERSION_TEMPLATES,
  ...TEXT_COUNT_TEMPLATES,
  ...TEXT_SEARCH_TEMPLATES,
  ...TEXT_REWRITE_TEMPLATES,
  ...TIME_TEMPLATES,
  ...DATE_TEMPLATES,
  ...COUNTDOWN_TEMPLATES,
  ...CALENDAR_TEMPLATES,
  ...RANDOM_TEMPLATES,
  ...PERCENTAGE_TEMPLATES,
  ...NUMERAL_TEMPLATES,
  ...INTEGER_TEMPLATES,
  ...STATISTICS_TEMPLATES,
  ...ARITHMETIC,
];

/** A template and the arguments for it. */
export type FittingTemplate = { readonly template: ToolTemplate; readonly args: TemplateArgs };

/** Words that ask for more than the template does. */
const BEYOND =
  /(?<![a-z])(?:if today|poems?|essays?|story|stories|jokes?|explain|why|translate|translation|recommend|suggest|remind|book|buy|paint|send|opinion|weather|forecast|news|stocks?|recipe|website|who (?:is|was|wrote|invented)|define|summari[sz]e|search|google|solve|equation|derivative|integral|prove|proof|engineer)(?![a-z])|(?<![大小改填缩书么])写(?![成为作出])|(?:如果|假如|要是)今天|诗|作文|故事|笑话|解释|为什么|翻译|译成|推荐|提醒|预订|预约|购买|画[一个张幅]|发(?:送|邮件|给)|天气|气温|新闻|股票|菜谱|网站|谁是|是谁|总结|摘要|搜索|方程|导数|积分|证明/;

/** The maximum length of a sub-task. */
export const MAX_SUBTASK_LENGTH = 2_000;

/** Returns the templates that fit, best first; empty if none does. */
export function findFittingTemplates(words: SubtaskWords): FittingTemplate[] {
  const fitting = ALL_TEMPLATES.flatMap((template) => readTemplate(template, words));
  const [best] = fitting;
  if (best === undefined || asksForOtherVariant(words.text, best.template.description)) return [];
  // Every sum also fits the general expression. Any other second match is accidental.
  const isSum = ARITHMETIC.includes(best.template);
  return fitting.filter((one) => one === best || (isSum && one.template.name === "evaluate_expression"));
}

/** Returns all templates that apply to one text or list: the mean and the median. */
export function findTitledTemplates(words: SubtaskWords): FittingTemplate[] {
  return ALL_TEMPLATES.flatMap((template) => (template.title === undefined ? [] : readTemplate(template, words)));
}

function readTemplate(template: ToolTemplate, words: SubtaskWords): FittingTemplate[] {
  const args = template.requestPattern?.test(words.said) === false ? null : template.parseArgs(words);
  if (args === null) return [];
  // Ignore the payload, which is only processed.
  const rest = Object.values(args).reduce<string>(
    (said, value) => (typeof value === "string" && value !== "" ? said.replace(value.toLowerCase(), "") : said),
    words.said,
  );
  return BEYOND.test(rest) ? [] : [{ template, args }];
}
