// The abilities of the stand-in model for general requests. The help text and the tests are made from this table.
//
// An example is a request and its outcome for the built-in agents: the calls of the assistant, the tasks of a plan with
// what they wait for, a part of a direct answer, or `declined`. Messages of one conversation are joined by ` → `.

import type { LocalizedText } from "../language/detect-language.ts";

export type Ability = {
  readonly description: LocalizedText;
  readonly examples: readonly (readonly [request: string, ...outcome: string[]])[];
};

export const ABILITIES: readonly Ability[] = [
  {
    description: { en: "Tells the time and date anywhere", zh: "查询各地的时间和日期" },
    examples: [
      ["what time is it in Tokyo?", "current_time Asia/Tokyo"],
      ["东京现在几点", "current_time Asia/Tokyo"],
      ["现在几点了", "current_time UTC"],
      ["今天星期几？", "current_time UTC"],
      ["what time is it in São Paulo and Sydney", "current_time America/Sao_Paulo; current_time Australia/Sydney"],
      ["time in Zürich", "current_time Europe/Zurich"],
      ["北京和伦敦现在几点", "current_time Asia/Shanghai; current_time Europe/London"],
      ["what time is it in Springfield", "current_time Springfield"],
      ["火星现在几点", "current_time 火星"],
      ["how much time do I need to learn the piano", "declined"],
      ["给我几点建议", "declined"],
    ],
  },
  {
    description: { en: "Does arithmetic exactly", zh: "精确计算" },
    examples: [
      ["what is 12 * 34?", "calculate 12 * 34"],
      ["计算678乘以8776的结果", "calculate 678 * 8776"],
      ["计算 128 除以 4 再加 6", "calculate (128 / 4) + 6"],
      ["2 的 10 次方是多少？", "calculate 2 ^ 10"],
      ["一百二十三加四百五十六等于多少？", "calculate 123 + 456"],
      ["What is the square root of 2?", "calculate sqrt(2)"],
      ["15% of 80", "calculate (15 / 100) * 80"],
      ["1、2、3的平均值", "calculate (1 + 2 + 3) / 3"],
      ["1+2+3+...+10", "declined"],
      ["20% off $59.99", "declined"],
      ["10除以3保留两位小数", "declined"],
      ["增加3个成员", "declined"],
    ],
  },
  {
    description: { en: "Draws random numbers", zh: "生成随机数" },
    examples: [
      ["Pick a random number between 1 and 100", "random_number 1 100"],
      ["给我一个 1 到 10 的随机数", "random_number 1 10"],
      ["Roll a die", "random_number 1 6"],
      ["掷两次骰子", "declined"],
      ["a random number from -5 to 5", "random_number -5 5"],
      ["a random number bigger than 100", "declined"],
    ],
  },
  {
    description: { en: "Counts the words of a text and changes its case", zh: "统计字数，转换大小写" },
    examples: [
      ["统计这段话的字数：你好，世界", "text_statistics 你好，世界"],
      ["Turn hello world into upper case", "transform_text hello world uppercase"],
      ["把 abc 反转", "transform_text abc reverse"],
      ["capitalize the old man", "transform_text the old man titlecase"],
      ["replace cat with dog in 'the cat sat'", "declined"],
      ["translate 'good morning' to French", "declined"],
    ],
  },
  {
    description: { en: "Does several things, in order or at once", zh: "依次或同时完成几件事" },
    examples: [
      [
        "First look up the current time, then calculate 678 times 8776.",
        "look up the current time / calculate 678 times 8776. (after 1)",
      ],
      ["首先查询现在时间然后计算678乘以8776的结果", "查询现在时间 / 计算678乘以8776的结果 (after 1)"],
      ["告诉我现在时间、生成一个随机数、计算123加456", "告诉我现在时间 / 生成一个随机数 / 计算123加456"],
      [
        "Tell me the time, give me a random number, and compute 123 + 456",
        "Tell me the time / give me a random number / compute 123 + 456",
      ],
      ["What is 12 * 34, and what day is it today?", "What is 12 * 34 / what day is it today?"],
      ["计算3加4，再把结果乘以2", "计算3加4 / 把结果乘以2 (after 1)"],
      ["1. tell me the time\n2. roll a die", "tell me the time / roll a die"],
      ["tell me the time and write a poem", "tell me the time"],
    ],
  },
  {
    description: { en: "Verifies the work afterwards", zh: "完成后验证结果" },
    examples: [
      ["What is 678 * 8776? Then verify the result.", "What is 678 * 8776? (verified)"],
      [
        "首先查询现在时间，然后计算678乘以8776，并验证结果",
        "查询现在时间 (verified) / 计算678乘以8776 (after 1) (verified)",
      ],
    ],
  },
  {
    description: { en: "Works and reminds at a time, once or repeatedly", zh: "在指定的时间做事或提醒，一次或重复" },
    examples: [
      ["every day at 9 tell me the time", "tell me the time (daily_time 09:00)"],
      ["每天早上9点告诉我现在时间", "告诉我现在时间 (daily_time 09:00)"],
      ["compute 2+3, then every day at 9 tell me the time", "compute 2+3 / tell me the time (daily_time 09:00)"],
      ["weekdays at 18:30 compute 6 * 7", "compute 6 * 7 (cron 30 18 * * 1-5)"],
      ["Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.", "tell me what 6 * 7 is (interval_minutes 5)"],
      ["every day at 9 compute 2+3 and then double it", "compute 2+3, then double it (daily_time 09:00)"],
      ["每5分钟计算6*7，每天9点告诉我时间", "计算6*7 (interval_minutes 5) / 告诉我时间 (daily_time 09:00)"],
      ["tomorrow at 10 roll a die", "roll a die (run_at 2026-11-22T10:00:00.000Z)"],
      ["明天上午10点掷骰子", "掷骰子 (run_at 2026-11-22T10:00:00.000Z)"],
      ["remind me in 10 minutes to call Ann", "call Ann (SuperAgent) (run_at 2026-11-21T08:10:00.000Z)"],
      ["明天下午三点提醒我开会", "开会 (SuperAgent) (run_at 2026-11-22T15:00:00.000Z)"],
      ["remind me every day at 9 to drink water", "drink water (SuperAgent) (daily_time 09:00)"],
      ["每天9点提醒我喝水", "喝水 (SuperAgent) (daily_time 09:00)"],
      ["on 3 December at 14:00 tell me the time", "tell me the time (run_at 2026-12-03T14:00:00.000Z)"],
      ["remind me tomorrow to call Ann", "doesn’t say at what time of day"],
      ["tell me the time every 5 minutes until 6pm", "declined"],
      ["every 30 seconds tell me the time", "declined"],
    ],
  },
  {
    description: { en: "Lists, changes, pauses and ends schedules", zh: "查看、修改、暂停和取消定时任务" },
    examples: [
      ["what is scheduled?", "list_schedules"],
      ["有哪些定时任务？", "list_schedules"],
      ["stop the daily report", "list_schedules"],
      ["停止每天的报告", "list_schedules"],
      ["change the daily report to 9:45", "list_schedules"],
      ["cancel all my reminders", "list_schedules"],
    ],
  },
  {
    description: {
      en: "Chooses agents by their cards, or asks the one that you name",
      zh: "按名片选择智能体，或交给你点名的智能体",
    },
    examples: [
      ["ask the assistant to roll a die, and the toolsmith to compute 2*3", "roll a die / compute 2*3 (toolsmith)"],
      ["让 assistant 计算2*3", "calculate 2 * 3"],
      ["@nobody do something", 'There is no agent called "nobody"'],
    ],
  },
  {
    description: { en: "Goes on from the last answer", zh: "接着上一个回答继续" },
    examples: [
      ["678 times 8776 → 678 × 8776 = 5950128 → and times 2?", "calculate 5950128 * 2"],
      ["678乘以8776 → 678 × 8776 = 5950128 → 再乘以2", "calculate 5950128 * 2"],
      ["把abc反转 → cba → 再转大写", "declined"],
    ],
  },
  {
    description: { en: "Says who it is and what it can do", zh: "介绍自己和能做的事" },
    examples: [
      ["what can you do?", "These agents can work for you"],
      ["你能做什么？", "这些智能体可以为你工作"],
      ["who are you?", "rule-based"],
      ["你是谁？", "规则模型"],
      ["thank you for your help", "You're welcome"],
      ["write a poem about the sea", "declined"],
      ["verify it", "declined"],
    ],
  },
];
