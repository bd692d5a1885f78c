// Parser of requests about schedules that exist: "what is scheduled?" · "stop the daily report" · 取消每天的报告.

import { normalizeCharacters, removePolitePrefixes, trimPunctuation } from "../text-spans.ts";

/** The actions of orders about schedules. `change` sets other times. */
export const ORDER_ACTIONS = ["show", "change", "pause", "resume", "end"] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

export type ScheduleCommand = {
  readonly action: OrderAction;
  /** The words that name the schedules: "the daily report", 每天的报告. They may be a pronoun, or empty. */
  readonly object: string;
  /** True if the words name all schedules. */
  readonly isAll: boolean;
  /** False if the object may be anything, as in "stop it": only the conversation tells whether it is a schedule. */
  readonly isCertain: boolean;
  /** The words of the new times of the action `change`; "" for other actions. */
  readonly times: string;
};

const NOUN_EN =
  "(?:schedules?|scheduled|reminders?|(?:recurring|repeating|repeated|timed) (?:task|job|report|run|thing)s?)";
const NOUN_ZH = "(?:定时|周期性?|重复|提醒|计划任务|日程)";
const NOUN = new RegExp(`\\b${NOUN_EN}\\b|${NOUN_ZH}`, "i");
const RECURRENCE_EN =
  /\b(?:daily|hourly|nightly|weekly|monthly|yearly|annual|every|each|weekdays?|morning|evening)\b|\b(?:remind|tell|send|giv)(?:ing)? me\b/i;
const RECURRENCE_ZH = /每|天天|工作日|周末|定时|提醒|周报|日报|月报/;

const SHOW_EN = new RegExp(
  String.raw`^(?:(?:what|which|when|how many|where)\b.*\b${NOUN_EN}\b.*|(?:list|show|see|view|display|get)\b(?: me)?.*\b${NOUN_EN}.*|(?:do i have|have i got|are there)\b.*\b${NOUN_EN}.*|(?:my|all|all my) (?:schedules|reminders|scheduled tasks))$`,
  "i",
);
const SHOW_ZH = new RegExp(
  `^(?:我|现在|目前|都|还|一共|总共)*(?:(?:有|设了|安排了|设置了)(?:哪些|什么|几个|多少个?|没有)|列出|列一下|显示|查看|查一下|看看?|看一下)[^并然再]{0,12}?${NOUN_ZH}(?:任务|事项|安排)?$|^(?:我的?|全部|所有)*的?${NOUN_ZH}(?:任务)?(?:有哪些|有什么|有几个|列表|清单|是什么|在哪里?)$|^(?:哪些|什么)(?:任务|事情)?(?:是|会)?${NOUN_ZH}.{0,4}$`,
);

const VERBS_EN: readonly (readonly [OrderAction, string])[] = [
  [
    "end",
    "cancel|stop|end|delete|remove|disable|drop|unsubscribe from|unschedule|turn off|get rid of|no more|(?:don't|do not) (?=remind|tell|send|give)",
  ],
  ["pause", "pause|suspend|hold"],
  ["resume", "resume|unpause|continue|reactivate|re-?enable|restart|turn on"],
];
const VERBS_ZH: readonly (readonly [OrderAction, string])[] = [
  ["pause", "暂停|先停一下|停一下|挂起"],
  ["resume", "恢复|继续|重新启用|重新开启|启用|接着"],
  ["end", "取消|停止|停掉|停了|删除|删掉|删了|关闭|关掉|结束|终止|不要再|不用再|别再|不再"],
];
const CHANGE_EN =
  /^(?:change|move|reschedule|shift|set|switch|postpone|delay) (.+?)(?: (?:to|until|till|at|from \S+ to)(?: run)?|(?<=\b(?:it|that|this|them)\b)) (.+)$/i;
const CHANGE_ZH =
  /^(?:把|将)?(.*?)(?:的?(?:时间|执行时间))?(?:改成|改为|改到|改在|改至|换成|换到|调整?到|调成|调整为|调整成|挪到|推迟到|提前到|延到)(?:在)?(.+)$/;

const ALL = /^(?:all|everything|every(?=thing| one)|each of|both)\b|\ball\b|所有|全部|一切|都|统统/i;
/** A full clause with its own work behind: the request is more than a command. */
const FURTHER_WORK = /[.。;；]\s*\S|\b(?:and then|then)\b|然后|接着再/i;
const MAX_CHARS = 200;

/**
 * Parses a request about existing schedules. Returns null for any other text, such as a request for a new schedule.
 * "every day at 9 stop the music" begins with its times and is new work; "stop the daily report" is a command.
 */
export function parseScheduleCommand(text: string): ScheduleCommand | null {
  if (text.length > MAX_CHARS) return null;
  const plain = removePolitePrefixes(normalizeCharacters(text)).replace(/[\s?!.。？！吗呢吧啊了]+$/u, "");
  const words = trimPunctuation(plain)
    .replace(/\s+/g, " ")
    .replace(/(?: please|,? thanks?(?: you)?)$/i, "");
  if (words === "" || FURTHER_WORK.test(words)) return null;
  if (
    SHOW_EN.test(words) ||
    SHOW_ZH.test(words) ||
    /^what(?:'s| is| are)(?: all)? (?:currently )?scheduled\b/i.test(words)
  )
    return { action: "show", object: "", isAll: true, isCertain: true, times: "" };
  return parseVerbCommand(words) ?? parseChangeCommand(words);
}

function parseVerbCommand(words: string): ScheduleCommand | null {
  for (const [action, verbs] of VERBS_EN) {
    const object = new RegExp(`^(?:${verbs})\\s*\\b(.*)$`, "i").exec(words)?.[1];
    if (object !== undefined) return createCommand(action, object.replace(/(?: any ?more| again| for now)$/i, ""));
  }
  if (!/[\u4e00-\u9fff]/.test(words)) return null;
  for (const [action, verbs] of VERBS_ZH) {
    const led = new RegExp(`^(?:先|都|全部|现在|再)*(?:${verbs})(?:掉|一下|了)?(.*)$`).exec(words)?.[1];
    const framed = new RegExp(`^(?:把|将|给我把)(.+?)(?:都|全部?|先|给)*(?:${verbs})(?:掉|一下|了)?$`).exec(words)?.[1];
    const object = led ?? framed;
    if (object === undefined) continue;
    const command = createCommand(action, object);
    return /都|全/.test(words) ? { ...command, isAll: true } : command;
  }
  return null;
}

function createCommand(action: OrderAction, words: string): ScheduleCommand {
  const object = trimPunctuation(words);
  const isCertain = NOUN.test(object) || RECURRENCE_EN.test(object) || RECURRENCE_ZH.test(object);
  return { action, object, isAll: ALL.test(object), isCertain, times: "" };
}

const TIME_WORDS =
  /\d|\b(?:noon|midnight|morning|evening|afternoon|night|daily|hourly|weekly|monthly|every|each|weekdays?|tomorrow|today|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|[点每]|工作日|早|晚|中午|下午|明天|今天|后天|分钟|小时/i;

function parseChangeCommand(words: string): ScheduleCommand | null {
  const [, object, times] = CHANGE_ZH.exec(words) ?? CHANGE_EN.exec(words) ?? [];
  if (object === undefined || times === undefined || !TIME_WORDS.test(times)) return null;
  return { ...createCommand("change", object), times: trimPunctuation(times) };
}
