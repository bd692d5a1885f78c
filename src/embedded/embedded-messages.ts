// All messages of the embedded model, in both languages.

import { getCardTitle, type PromptCard } from "./agents/cards.ts";
import type { LocalizedText, Language } from "../language/detect-language.ts";
import type { SmallTalkKind as SmallTalk } from "./small-talk.ts";

const MODEL_DESCRIPTION: LocalizedText = {
  zh: "我是 Orrery 内置的规则模型（orrery-embedded）。现在没有配置 OPENAI_API_KEY，所以由我按规则理解简单的中文和英文请求，再交给合适的智能体去完成；设置 OPENAI_API_KEY 后就会换成完整的语言模型。",
  en: "I am Orrery's built-in rule-based model (orrery-embedded). No OPENAI_API_KEY is set, so I read plain requests in English and Chinese by rules and hand them to the agents that can do them. With an OPENAI_API_KEY a full language model takes over.",
};

const SMALL_TALK_ANSWERS: Readonly<Record<Exclude<SmallTalk, "who" | "what" | "last_question">, LocalizedText>> = {
  greeting: { zh: "你好！有什么可以帮你的吗？", en: "Hello! What can I do for you?" },
  wellbeing: { zh: "一切正常，谢谢关心！有什么可以帮你的吗？", en: "All is well, thank you! What can I do for you?" },
  thanks: { zh: "不客气！", en: "You're welcome!" },
  farewell: { zh: "再见！", en: "Goodbye!" },
  praise: { zh: "谢谢夸奖！", en: "Thank you!" },
  insult: {
    zh: "抱歉没帮上忙。说“帮助”可以看到我能做什么。",
    en: "Sorry that I was no help. Say “help” to see what I can do.",
  },
  apology: { zh: "没关系。", en: "No problem." },
  agreement: { zh: "好的。需要什么就告诉我。", en: "All right. Tell me when you need something." },
  schedules: {
    zh: "定时任务都在“定时任务”页面上（也可以用 GET /api/v1/schedules 查看），在那里可以暂停、修改和结束它们。在这里，我可以按你的话设置新的，例如“每天早上8点告诉我时间”。",
    en: "Your schedules are on the page “Schedules” (and in GET /api/v1/schedules), where you can pause, change and end them. Here I can set up new ones, as in “every day at 8 tell me the time”.",
  },
  presence: { zh: "我在，一切正常。", en: "I am here, and everything works." },
};

export function formatSmallTalk(talk: keyof typeof SMALL_TALK_ANSWERS, language: Language): string {
  return SMALL_TALK_ANSWERS[talk][language];
}

export function formatIdentity(language: Language): string {
  return MODEL_DESCRIPTION[language];
}

export function formatAgentList(cards: readonly PromptCard[], language: Language): string {
  const lines = cards
    .map((card) => `- ${getCardTitle(card)}${card.description === "" ? "" : `: ${card.description}`}`)
    .join("\n");
  if (cards.length === 0) {
    return language === "zh"
      ? `${MODEL_DESCRIPTION.zh}目前没有可用的智能体。`
      : `${MODEL_DESCRIPTION.en} No agents are available at the moment.`;
  }
  return language === "zh"
    ? `这些智能体可以为你工作：\n${lines}\n\n可以一次提出几件事，例如“先……然后……”。我是内置的规则模型，没有 API key，只能理解简单的请求；设置 OPENAI_API_KEY 可获得完整的理解能力。`
    : `These agents can work for you:\n${lines}\n\nYou may ask for several things at once, as in "first …, then …". I am the built-in rule-based model without an API key and understand plain requests only; set OPENAI_API_KEY for full understanding.`;
}

export function formatToolList(
  tools: readonly { readonly name: string; readonly description: string }[],
  language: Language,
): string {
  const lines = tools
    .map(({ name, description }) => `- ${name}${description === "" ? "" : `: ${description}`}`)
    .join("\n");
  return language === "zh" ? `我能做这些：\n${lines}` : `This is what I can do:\n${lines}`;
}

export function formatLastQuestion(question: string | undefined, language: Language): string {
  if (question === undefined)
    return language === "zh" ? "这是我们对话中的第一个问题。" : "This is the first thing you have asked me.";
  return language === "zh" ? `你刚才说的是：“${question}”` : `You said: "${question}"`;
}

/** For requests that no agent fits or that are not understood. */
export function formatNotUnderstood(language: Language): string {
  return language === "zh"
    ? "这个请求超出了内置模型的能力：我是按规则工作的，没有 API key，现有的智能体也没有适合它的。说“帮助”可以看到能做什么；设置 OPENAI_API_KEY 后可以获得完整的理解能力。"
    : "That is beyond the built-in model: I work by rules, without an API key, and found no agent that fits. Say “help” to see what can be done. Set OPENAI_API_KEY for full understanding.";
}

export function formatTooLong(language: Language): string {
  return language === "zh"
    ? "这条消息太长，超出了内置规则模型的能力。请缩短一些，或设置 OPENAI_API_KEY。"
    : "This message is too long for the built-in rule-based model. Please shorten it, or set OPENAI_API_KEY.";
}

export function formatUnknownAgent(name: string, cards: readonly PromptCard[], language: Language): string {
  const names = cards.map(({ name: known }) => known).join(language === "zh" ? "、" : ", ");
  return language === "zh"
    ? `没有叫“${name}”的智能体。${names === "" ? "" : `可用的有：${names}。`}`
    : `There is no agent called "${name}".${names === "" ? "" : ` Available: ${names}.`}`;
}

export function formatUnassignedParts(parts: readonly string[], language: Language): string {
  const named = parts
    .map((part) => (language === "zh" ? `“${part}”` : `"${part}"`))
    .join(language === "zh" ? "、" : ", ");
  return language === "zh"
    ? `没有智能体适合：${named}。这是内置的规则模型；设置 OPENAI_API_KEY 可获得完整的理解能力。`
    : `No agent fits ${named}. This is the built-in rule-based model; set OPENAI_API_KEY for full understanding.`;
}

export function formatTimeQuestion(language: Language): string {
  return language === "zh" ? "应该在几点执行？例如：9:00" : "At what time of the day should it run? For example: 9:00";
}

export function formatNotScheduled(language: Language): string {
  return language === "zh" ? "好的，没有设置定时任务。" : "All right, nothing was scheduled.";
}

export function formatDeferredUnsupported(language: Language): string {
  return language === "zh"
    ? "我没有执行：我只能现在就做，或者按时间重复去做，不能在以后某个时间只做一次。可以说“每天上午10点……”来设置定时任务，之后随时可以结束它。"
    : "I have not done this: I can do things now, or again and again on a schedule, but not once at a later time. Say for example “every day at 10 …” to set up a schedule, and end it whenever you like.";
}

export function formatEndUnsupported(language: Language): string {
  return language === "zh"
    ? "定时任务不能设结束时间：它会一直运行，直到你暂停或删除它。请去掉结束时间再说一遍。"
    : "A schedule has no end: it runs until you pause or delete it. Please ask again without one.";
}

export function formatCannotDo(parts: readonly string[], language: Language): string {
  const named = parts.map((part) => part.replace(/[\s.?!。？！]+$/, "")).join(language === "zh" ? "；" : "; ");
  return language === "zh"
    ? `这件事我做不到：${named}。我是内置的规则模型，手头的工具没有适合它的，或者还缺少要处理的内容（例如“计算 12*34”）；设置 OPENAI_API_KEY 可获得完整的理解能力。`
    : `I could not do this: ${named}. I am the built-in rule-based model and none of my tools fits, or there is nothing to work on yet (as in "calculate 12 * 34"); set OPENAI_API_KEY for full understanding.`;
}

export function formatNoTool(language: Language): string {
  return language === "zh" ? "没有适合这件事的工具。" : "There is no tool for it.";
}

/** A tool returned an error. */
export function formatToolError(what: string, why: string, language: Language): string {
  return language === "zh" ? `没有做成（${what}）：${why}` : `This did not work (${what}): ${why}`;
}

export function formatCallRejected(what: string, language: Language): string {
  return language === "zh" ? `${what} 没有执行：你没有同意。` : `${what} was not carried out: you refused it.`;
}

/** For requests without agents and tools. */
export function formatRulesOnly(language: Language): string {
  return language === "zh"
    ? "我是 Orrery 内置的规则模型，没有 API key，无法回答这个问题。设置 OPENAI_API_KEY 可获得完整的理解能力。"
    : "I am Orrery's built-in rule-based model, without an API key, and cannot answer this. Set OPENAI_API_KEY for full understanding.";
}

export function formatHandoffReason(
  kind: "named" | "single" | "several" | "scheduled" | "verified",
  names: readonly string[],
  language: Language,
): string {
  const who = names.join(language === "zh" ? "、" : ", ");
  const reasons: Readonly<Record<typeof kind, LocalizedText>> = {
    named: { zh: `你点名要 ${who} 来做。`, en: `You asked for ${who}.` },
    single: { zh: `${who} 适合这项工作。`, en: `${who} fits this work.` },
    several: { zh: "请求包含几个部分，需要计划。", en: "The request has several parts and needs a plan." },
    scheduled: { zh: "请求会按时间重复，需要计划。", en: "The request recurs and needs a plan." },
    verified: { zh: "做完之后需要验证，需要计划。", en: "The work is to be verified, which needs a plan." },
  };
  return reasons[kind][language];
}

export function formatPlanReason(tasks: number, language: Language): string {
  if (language === "zh") return tasks === 1 ? "一项任务即可完成。" : `分成 ${tasks} 项任务完成。`;
  return tasks === 1 ? "One task carries it out." : `${tasks} tasks carry it out.`;
}

export function formatResultsHeading(language: Language): string {
  return language === "zh" ? "结果如下：" : "Here are the results:";
}

export function formatNoResults(language: Language): string {
  return language === "zh" ? "没有得到任何结果。" : "There are no results.";
}

/** The outcome of a verification; empty if none was asked for. */
export function formatVerification(outcome: boolean | string | undefined, reason: string, language: Language): string {
  if (outcome === undefined) return "";
  const [zh, en] =
    outcome === true
      ? ["已验证", "verified"]
      : outcome === false
        ? ["验证未通过", "NOT verified"]
        : ["无法验证", "could not be verified"];
  const why = outcome !== false || reason === "" ? "" : language === "zh" ? `：${reason}` : `: ${reason}`;
  return language === "zh" ? `（${zh}${why}）` : ` (${en}${why})`;
}

export function formatTaskFailure(status: string, reason: string, language: Language): string {
  const why = reason === "" ? "" : language === "zh" ? `：${reason}` : `: ${reason}`;
  if (status === "cancelled") return language === "zh" ? `未执行${why}` : `not done${why}`;
  return language === "zh" ? `失败${why}` : `failed${why}`;
}

export function formatToolsmithCapabilities(language: Language): string {
  return language === "zh"
    ? "我会为你写小工具并保存下来：时间和日期、日历、算术、统计、单位换算和文本处理。可以一次提出几件事。没有 API key 时我按规则工作；设置 OPENAI_API_KEY 后可以为任何事情写工具。"
    : "I write small tools and keep them for you: time and dates, calendars, arithmetic, statistics, units and text. You may ask for several things at once. Without an API key I work by rules; with an OPENAI_API_KEY tools for anything can be written.";
}

/** No template does it. */
export function formatNeedsModel(what: string, language: Language): string {
  return language === "zh"
    ? `“${what}”需要真正的模型：内置的规则模型只会为日期、日历、算术、统计和文本写普通的工具。设置 OPENAI_API_KEY 后即可完成。`
    : `"${what}" needs a real model: the built-in one works by rules and writes ordinary tools for dates, calendars, arithmetic, statistics and text only. Set OPENAI_API_KEY for it.`;
}

export function formatTooManyTasks(most: number, language: Language): string {
  return language === "zh"
    ? `一次最多 ${most} 件事，请分几次提出。`
    : `${most} things at once is the most. Please ask in parts.`;
}

export function formatToolFits(tool: string, language: Language): string {
  return language === "zh"
    ? `${tool} 做的正是这件事，只是数值不同。`
    : `${tool} does exactly this, whatever the values are.`;
}

export function formatNoToolFits(language: Language): string {
  return language === "zh" ? "现有的工具没有一个做这件事。" : "None of the tools does this.";
}

export function formatToolFailed(problem: string, language: Language): string {
  return language === "zh" ? `工具没有成功：${problem}` : `The tool did not succeed: ${problem}`;
}
