// All sentences of the stand-in model, in both languages.

import type { Language, LocalizedText } from "../language/detect-language.ts";
import type { SmallTalkKind } from "./small-talk.ts";

const SMALL_TALK: Readonly<Record<Exclude<SmallTalkKind, "what">, LocalizedText>> = {
  who: {
    zh: "我是 Orrery 内置的规则模型（orrery-embedded）。现在没有配置 OPENAI_API_KEY，所以由我按规则理解简单的中文和英文请求，再交给合适的智能体去完成；设置 OPENAI_API_KEY 后就会换成完整的语言模型。",
    en: "I am Orrery's built-in rule-based model (orrery-embedded). No OPENAI_API_KEY is set, so I read plain requests in English and Chinese by rules and hand them to the agents that can do them. With an OPENAI_API_KEY a full language model takes over.",
  },
  greeting: { zh: "你好！有什么可以帮你的吗？", en: "Hello! What can I do for you?" },
  thanks: { zh: "不客气！", en: "You're welcome!" },
  farewell: { zh: "再见！", en: "Goodbye!" },
  remark: {
    zh: "好的。需要什么就告诉我；说“帮助”可以看到我能做什么。",
    en: "All right. Tell me what you need, or say “help” to see what I can do.",
  },
};

const MESSAGES = {
  help: {
    zh: "我是内置的规则模型，没有 API key。我能做这些：\n{abilities}\n\n这些智能体可以为你工作：\n{agents}\n\n可以一次提出几件事，例如“先……然后……”。设置 OPENAI_API_KEY 可获得完整的理解能力。",
    en: "I am the built-in rule-based model without an API key. This is what I understand:\n{abilities}\n\nThese agents can work for you:\n{agents}\n\nYou may ask for several things at once, as in “first …, then …”. Set OPENAI_API_KEY for full understanding.",
  },
  roleHelp: {
    zh: "没有 API key，我按规则工作。我能做这些：\n{abilities}\n\n设置 OPENAI_API_KEY 可获得完整的理解能力。",
    en: "I work by rules, without an API key. This is what I understand:\n{abilities}\n\nSet OPENAI_API_KEY for full understanding.",
  },
  noTemplate: {
    zh: "“{what}”需要真正的模型：内置的规则模型只会为时间、算术、随机数和统计写普通的工具。设置 OPENAI_API_KEY 后即可完成。",
    en: '"{what}" needs a real model: the built-in one works by rules and writes ordinary tools for time, arithmetic, random numbers and statistics only. Set OPENAI_API_KEY for it.',
  },
  tooManyParts: {
    zh: "一次最多 {most} 件事，请分几次提出。",
    en: "{most} things at once is the most. Please ask in parts.",
  },
  toolFits: { zh: "{tool} 做的正是这件事。", en: "{tool} does exactly this." },
  noToolFits: { zh: "现有的工具没有一个做这件事。", en: "None of the tools does this." },
  toolRejected: { zh: "工具没有成功：{why}", en: "The tool did not succeed: {why}" },
  noAnalysis: {
    zh: "“{what}”需要真正的模型：内置的规则模型只会对班级和表格做对比、趋势、排名、计数和概况。设置 OPENAI_API_KEY 后即可完成。",
    en: '"{what}" needs a real model: the built-in one works by rules and makes comparisons, trends, rankings, counts and summaries of your classes and tables only. Set OPENAI_API_KEY for it.',
  },
  pageContent: {
    zh: "内置模型按规则工作，只能列出页面内容；要解读它，请设置 OPENAI_API_KEY。\n\n{shown}",
    en: "The built-in model works by rules and can only list what the page shows. Set OPENAI_API_KEY for an interpretation.\n\n{shown}",
  },
  nothingToSay: { zh: "结果见本页的图表和表格。", en: "The blocks of this page show what was found." },
  nothingChanged: {
    zh: "这个页面还没有改动过，没有可以撤销的内容。",
    en: "Nothing has been changed about this page yet, so there is nothing to take back.",
  },
  ability: { zh: "- {ability}，例如“{example}”", en: "- {ability}: “{example}”" },
  tools: { zh: "我能做这些：\n{tools}", en: "This is what I can do:\n{tools}" },
  notUnderstood: {
    zh: "这个请求超出了内置模型的能力：我是按规则工作的，没有 API key，现有的智能体也没有适合它的。说“帮助”可以看到能做什么；设置 OPENAI_API_KEY 后可以获得完整的理解能力。",
    en: "That is beyond the built-in model: I work by rules, without an API key, and found no agent that fits. Say “help” to see what can be done. Set OPENAI_API_KEY for full understanding.",
  },
  tooLong: {
    zh: "这条消息太长，超出了内置规则模型的能力。请缩短一些，或设置 OPENAI_API_KEY。",
    en: "This message is too long for the built-in rule-based model. Please shorten it, or set OPENAI_API_KEY.",
  },
  unknownAgent: {
    zh: "没有叫“{name}”的智能体。可用的有：{names}。",
    en: 'There is no agent called "{name}". Available: {names}.',
  },
  disabledAgent: { zh: "智能体“{name}”已停用。", en: 'The agent "{name}" is switched off.' },
  unassigned: {
    zh: "没有智能体适合“{parts}”。这是内置的规则模型；设置 OPENAI_API_KEY 可获得完整的理解能力。",
    en: 'No agent fits "{parts}". This is the built-in rule-based model; set OPENAI_API_KEY for full understanding.',
  },
  notScheduled: {
    zh: "好的，没有设置定时任务。要换个时间，请把整个请求重说一遍。",
    en: "All right, nothing was scheduled. For another time, please say the whole request again.",
  },
  whichSchedule: { zh: "要处理哪一个定时任务？", en: "Which schedule do you mean?" },
  noSuchSchedule: {
    zh: "没有找到这样的定时任务，所以什么都没有改动。说“有哪些定时任务”可以查看全部。",
    en: "There is no such schedule, so nothing was changed. Ask “what is scheduled?” to see them all.",
  },
  scheduleUnchanged: {
    zh: "好的，定时任务保持不变。要做别的修改，请把整个请求重说一遍。",
    en: "All right, your schedules stay as they are. For another change, please say the whole request again.",
  },
  reasonOrder: { zh: "请求涉及已有的定时任务。", en: "The request is about schedules that exist." },
  cannotDo: {
    zh: "这件事我做不到：{parts}。我是内置的规则模型，手头的工具没有适合它的，或者还缺少要处理的内容（例如“计算 12*34”）；设置 OPENAI_API_KEY 可获得完整的理解能力。",
    en: 'I could not do this: {parts}. I am the built-in rule-based model and none of my tools fits, or there is nothing to work on yet (as in "calculate 12 * 34"); set OPENAI_API_KEY for full understanding.',
  },
  noTool: { zh: "没有适合这件事的工具。", en: "There is no tool for it." },
  missingValue: { zh: "{tool} 需要 {name}，但没有给出。", en: "{tool} needs a value for {name}, and none is given." },
  toolFailed: { zh: "没有做成（{what}）：{why}", en: "This did not work ({what}): {why}" },
  callRejected: { zh: "{what} 没有执行：你没有同意。", en: "{what} was not carried out: you refused it." },
  done: { zh: "{tool}：完成", en: "{tool}: done" },
  verified: { zh: "已验证", en: "VERIFIED" },
  notVerified: { zh: "未通过", en: "NOT VERIFIED" },
  reasonNamed: { zh: "你点名要 {names} 来做。", en: "You asked for {names}." },
  reasonSingle: { zh: "{names} 适合这项工作。", en: "{names} fits this work." },
  reasonSeveral: { zh: "请求包含几个部分，需要计划。", en: "The request has several parts and needs a plan." },
  reasonScheduled: { zh: "请求会按时间重复，需要计划。", en: "The request recurs and needs a plan." },
  reasonVerified: { zh: "做完之后需要验证，需要计划。", en: "The work is to be verified, which needs a plan." },
  planOne: { zh: "一项任务即可完成。", en: "One task carries it out." },
  planSeveral: { zh: "分成 {count} 项任务完成。", en: "{count} tasks carry it out." },
  results: { zh: "结果如下：", en: "Here are the results:" },
  noResults: { zh: "没有得到任何结果。", en: "There are no results." },
  resultVerified: { zh: "（已验证）", en: " (verified)" },
  resultNotVerified: { zh: "（验证未通过{why}）", en: " (NOT verified{why})" },
  resultUnverified: { zh: "（无法验证）", en: " (could not be verified)" },
  taskCancelled: { zh: "未执行{why}", en: "not done{why}" },
  taskFailed: { zh: "失败{why}", en: "failed{why}" },
  why: { zh: "：{reason}", en: ": {reason}" },
  thenPart: { zh: "{first}，然后{second}", en: "{first}, then {second}" },
  currentTime: { zh: "当前时间：{value}", en: "Current time: {value}" },
  true: { zh: "是（true）", en: "yes (true)" },
  false: { zh: "否（false）", en: "no (false)" },
  randomNumber: { zh: "随机数：{value}", en: "Random number: {value}" },
} as const satisfies Readonly<Record<string, LocalizedText>>;

export type MessageName = keyof typeof MESSAGES;

/** Formats a sentence; `{name}` is replaced by the value of that name. */
export function formatSentence(
  name: MessageName,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return MESSAGES[name][language].replace(/\{(\w+)\}/g, (slot, key: string) => values[key] ?? slot);
}

export function formatSmallTalk(kind: keyof typeof SMALL_TALK, language: Language): string {
  return SMALL_TALK[kind][language];
}

/** Formats a sentence that ends with the reason, if there is one. */
export function formatFailure(name: MessageName, reason: string, language: Language): string {
  return formatSentence(name, language, { why: reason === "" ? "" : formatSentence("why", language, { reason }) });
}

export const joinList = (parts: readonly string[], language: Language): string =>
  parts.join(language === "zh" ? "、" : ", ");
