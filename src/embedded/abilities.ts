// The abilities of the stand-in model for general requests. The help text and the tests are made from this table.
//
// `expect` is the outcome for the built-in agents: the calls of the assistant, the tasks of a plan with what they wait
// for, a part of a direct answer, or `declined`. Messages of one conversation are joined by ` → `.

import type { LocalizedText } from "../language/detect-language.ts";

export type AbilityExample<Expected = string> = { readonly request: string; readonly expect: Expected };

export type Ability<Expected = string> = {
  readonly name: string;
  readonly description: LocalizedText;
  readonly examples: readonly AbilityExample<Expected>[];
};

export const ABILITIES: readonly Ability[] = [
  {
    name: "time",
    description: { en: "Tells the time and date anywhere", zh: "查询各地的时间和日期" },
    examples: [
      { request: "what time is it in Tokyo?", expect: "current_time Asia/Tokyo" },
      { request: "东京现在几点", expect: "current_time Asia/Tokyo" },
      { request: "现在几点了", expect: "current_time UTC" },
      { request: "What day is it today?", expect: "current_time UTC" },
      { request: "今天星期几？", expect: "current_time UTC" },
      {
        request: "what time is it in São Paulo and Sydney",
        expect: "current_time America/Sao_Paulo; current_time Australia/Sydney",
      },
      { request: "time in Zürich", expect: "current_time Europe/Zurich" },
      {
        request: "What time is it in Tokyo and in Europe/Paris?",
        expect: "current_time Asia/Tokyo; current_time Europe/Paris",
      },
      { request: "北京和伦敦现在几点", expect: "current_time Asia/Shanghai; current_time Europe/London" },
      { request: "what time is it in Marseille", expect: "current_time Europe/Paris" },
      { request: "the time in Switzerland please", expect: "current_time Europe/Zurich" },
      { request: "现在GMT-3:30是几点", expect: "current_time -03:30" },
      { request: "what time is it in Springfield", expect: "current_time Springfield" },
      { request: "火星现在几点", expect: "current_time 火星" },
      { request: "how much time do I need to learn the piano", expect: "declined" },
      { request: "给我几点建议", expect: "declined" },
    ],
  },
  {
    name: "arithmetic",
    description: { en: "Does arithmetic exactly", zh: "精确计算" },
    examples: [
      { request: "what is 12 * 34?", expect: "calculate 12 * 34" },
      { request: "计算678乘以8776的结果", expect: "calculate 678 * 8776" },
      { request: "计算 128 除以 4 再加 6", expect: "calculate (128 / 4) + 6" },
      { request: "Calculate (12.5 + 7) / 3", expect: "calculate (12.5 + 7) / 3" },
      { request: "2 的 10 次方是多少？", expect: "calculate 2 ^ 10" },
      { request: "twelve times twenty-one", expect: "calculate 12 * 21" },
      { request: "一百二十三加四百五十六等于多少？", expect: "calculate 123 + 456" },
      { request: "What is the square root of 2?", expect: "calculate sqrt(2)" },
      { request: "16的平方根", expect: "calculate sqrt(16)" },
      { request: "15% of 80", expect: "calculate (15 / 100) * 80" },
      { request: "200的20%是多少", expect: "calculate 200 * (20 / 100)" },
      { request: "what is 250 minus 20%", expect: "calculate 250 - 20%" },
      { request: "300打8折", expect: "calculate 300 * 0.8" },
      { request: "20% off $59.99", expect: "calculate 59.99 * (1 - 20 / 100)" },
      { request: "3 plus 4, all multiplied by 2", expect: "calculate (3 + 4) * 2" },
      { request: "the sum of 3 and 4", expect: "calculate 3 + 4" },
      { request: "subtract 3 from 10", expect: "calculate 10 - 3" },
      { request: "1、2、3的平均值", expect: "calculate (1 + 2 + 3) / 3" },
      { request: "10 / 3 rounded to 3 decimal places", expect: "calculate round(10 / 3, 3)" },
      { request: "10除以3保留两位小数", expect: "calculate round(10 / 3, 2)" },
      { request: "100除以7的余数", expect: "calculate 100 % 7" },
      { request: "-3^2", expect: "calculate -3 ^ 2" },
      { request: "负5的平方", expect: "calculate (-5) ^ 2" },
      { request: "123456789 * 987654321", expect: "calculate 123456789 * 987654321" },
      { request: "1+2+3+...+10", expect: "declined" },
      { request: "3 apples plus a pear", expect: "declined" },
      { request: "增加3个成员", expect: "declined" },
      { request: "how many times did it rain", expect: "declined" },
    ],
  },
  {
    name: "random",
    description: { en: "Draws random numbers", zh: "生成随机数" },
    examples: [
      { request: "Pick a random number between 1 and 100", expect: "random_number 1 100" },
      { request: "给我一个 1 到 10 的随机数", expect: "random_number 1 10" },
      { request: "generate a random number", expect: "random_number 1 100" },
      { request: "Roll a die", expect: "random_number 1 6" },
      { request: "掷两次骰子", expect: "random_number 1 6; random_number 1 6" },
      { request: "roll 2d6", expect: "random_number 1 6; random_number 1 6" },
      { request: "two random numbers between 5 and 9", expect: "random_number 5 9; random_number 5 9" },
      { request: "不超过50的随机数", expect: "random_number 1 50" },
      { request: "a random number from minus five to 5", expect: "random_number -5 5" },
      { request: "六位随机数", expect: "random_number 100000 999999" },
      { request: "a random number bigger than 100", expect: "declined" },
      { request: "generate 100 random numbers", expect: "declined" },
    ],
  },
  {
    name: "text",
    description: { en: "Counts and rewrites text", zh: "统计和改写文本" },
    examples: [
      { request: "How many words are in: the quick brown fox?", expect: "text_statistics the quick brown fox?" },
      { request: "统计这段话的字数：你好，世界", expect: "text_statistics 你好，世界" },
      { request: "count the words in 'to be or not'", expect: "text_statistics to be or not" },
      { request: "Turn hello world into upper case", expect: "transform_text hello world uppercase" },
      { request: "把 abc 反转", expect: "transform_text abc reverse" },
      { request: "capitalize the old man", expect: "transform_text the old man titlecase" },
      { request: "sort pear, apple and fig", expect: "transform_text pear\napple\nfig sort_lines" },
      { request: "replace cat with dog in 'the cat sat'", expect: "replace_text the cat sat cat dog" },
      { request: "将hello替换成world：hello there", expect: "replace_text hello there hello world" },
      { request: "translate 'good morning' to French", expect: "declined" },
      { request: "summarize this text", expect: "declined" },
    ],
  },
  {
    name: "several",
    description: { en: "Does several things, in order or at once", zh: "依次或同时完成几件事" },
    examples: [
      {
        request: "First look up the current time, then calculate 678 times 8776.",
        expect: "look up the current time / calculate 678 times 8776. (after 1)",
      },
      {
        request: "首先查询现在时间然后计算678乘以8776的结果",
        expect: "查询现在时间 / 计算678乘以8776的结果 (after 1)",
      },
      {
        request: "告诉我现在时间、生成一个随机数、计算123加456",
        expect: "告诉我现在时间 / 生成一个随机数 / 计算123加456",
      },
      {
        request: "Tell me the time, give me a random number, and compute 123 + 456",
        expect: "Tell me the time / give me a random number / compute 123 + 456",
      },
      { request: "What is 12 * 34, and what day is it today?", expect: "What is 12 * 34 / what day is it today?" },
      { request: "What is 12 times 34 and the square root of 2", expect: "What is 12 times 34 / the square root of 2" },
      { request: "计算3加4，再把结果乘以2", expect: "计算3加4 / 把结果乘以2 (after 1)" },
      { request: "What is 5 - 3. And 7 * 2?", expect: "What is 5 - 3 / 7 * 2?" },
      { request: "compute 6 * 7, and compute 2 * 3", expect: "compute 6 * 7 / compute 2 * 3" },
      { request: "roll two dice and multiply the results", expect: "roll two dice / multiply the results (after 1)" },
      { request: "把“Hello”转成小写并反转", expect: "把“Hello”转成小写 / 反转 (after 1)" },
      { request: "1. tell me the time\n2. roll a die", expect: "tell me the time / roll a die" },
      { request: "tell me the time and write a poem", expect: "tell me the time" },
    ],
  },
  {
    name: "verification",
    description: { en: "Verifies the work afterwards", zh: "完成后验证结果" },
    examples: [
      { request: "What is 678 * 8776? Then verify the result.", expect: "What is 678 * 8776? (verified)" },
      {
        request: "首先查询现在时间，然后计算678乘以8776，并验证结果",
        expect: "查询现在时间 (verified) / 计算678乘以8776 (after 1) (verified)",
      },
    ],
  },
  {
    name: "schedules",
    description: { en: "Repeats work on a schedule", zh: "按时间重复工作" },
    examples: [
      { request: "every day at 9 tell me the time", expect: "tell me the time (daily_time 09:00)" },
      { request: "每天早上9点告诉我现在时间", expect: "告诉我现在时间 (daily_time 09:00)" },
      { request: "Every hour give me a random number", expect: "give me a random number (interval_minutes 60)" },
      { request: "weekdays at 18:30 compute 6 * 7", expect: "compute 6 * 7 (cron 30 18 * * 1-5)" },
      {
        request: "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.",
        expect: "tell me what 6 * 7 is. (interval_minutes 5)",
      },
      { request: "cron */5 * * * * tell me the time", expect: "tell me the time (cron */5 * * * *)" },
      {
        request: "every day at 9 compute 2+3 and then double it",
        expect: "compute 2+3, then double it (daily_time 09:00)",
      },
      {
        request: "每5分钟计算6*7，每天9点告诉我时间",
        expect: "计算6*7 (interval_minutes 5) / 告诉我时间 (daily_time 09:00)",
      },
      { request: "工作日18:30提醒我计算2+2", expect: "计算2+2 (cron 30 18 * * 1-5)" },
      { request: "stop the daily report", expect: "Your schedules are on the page" },
      { request: "what schedules do I have?", expect: "Your schedules are on the page" },
      { request: "停止每天的报告", expect: "定时任务都在“定时任务”页面上" },
      { request: "tomorrow at 10 roll a die", expect: "not once at a later time" },
      { request: "明天上午10点掷骰子", expect: "不能在以后某个时间只做一次" },
      { request: "tell me the time every 5 minutes until 6pm", expect: "declined" },
      { request: "every 30 seconds tell me the time", expect: "declined" },
      { request: "每月最后一天9点告诉我时间", expect: "declined" },
    ],
  },
  {
    name: "agents",
    description: {
      en: "Chooses agents by their cards, or asks the one that you name",
      zh: "按名片选择智能体，或交给你点名的智能体",
    },
    examples: [
      {
        request: "ask the assistant to roll a die, and the toolsmith to compute 2*3",
        expect: "roll a die / compute 2*3 (toolsmith)",
      },
      { request: "让 assistant 计算2*3", expect: "calculate 2 * 3" },
      { request: "@nobody do something", expect: 'There is no agent called "nobody"' },
    ],
  },
  {
    name: "follow-ups",
    description: { en: "Goes on from the last answer", zh: "接着上一个回答继续" },
    examples: [
      { request: "678乘以8776 → 678 × 8776 = 5950128 → and times 2?", expect: "calculate 5950128 * 2" },
      { request: "678乘以8776 → 678 × 8776 = 5950128 → 再乘以2", expect: "calculate 5950128 * 2" },
      { request: "What time is it in Tokyo? → 17:00 → what about Paris?", expect: "current_time Europe/Paris" },
      { request: "东京现在几点？ → 15:00 → 那上海呢", expect: "current_time Asia/Shanghai" },
      { request: "roll a die → 4 → again", expect: "random_number 1 6" },
      { request: "把abc反转 → cba → 再转大写", expect: "transform_text cba uppercase" },
    ],
  },
  {
    name: "conversation",
    description: { en: "Says who it is and what it can do", zh: "介绍自己和能做的事" },
    examples: [
      { request: "what can you do?", expect: "These agents can work for you" },
      { request: "你能做什么？", expect: "这些智能体可以为你工作" },
      { request: "who are you?", expect: "rule-based" },
      { request: "你是谁？", expect: "规则模型" },
      { request: "good morning 😀", expect: "Hello" },
      { request: "你好", expect: "你好" },
      { request: "thank you for your help", expect: "You're welcome" },
      { request: "what did I just ask?", expect: "This is the first thing" },
      { request: "write a poem about the sea", expect: "declined" },
      { request: "法国的首都是哪里？", expect: "declined" },
      { request: "tell me a joke", expect: "declined" },
      { request: "verify it", expect: "declined" },
    ],
  },
];
