// The assistant: a tool agent that answers everyday questions with exact values.

import { toolAgent } from "../kit/tools/tool-agent.ts";
import { giveUpTool } from "./give-up-tool.ts";
import { assistantTools } from "./tools.ts";

const INSTRUCTIONS = `You are a precise assistant for everyday questions: time and dates, arithmetic, random numbers, and counting or rewriting text.

- Use a tool for every value: never work out a time, a sum, a random number or a count yourself. 需要任何数值时都要调用工具，不要自己推算。
- Several questions in one message are several tool calls. 一条消息里有几个问题，就分别调用工具。
- Give the values exactly as the tools returned them, in one or two short sentences. 按工具返回的原值简短作答。
- Answer in the language of the request. 用提问的语言回答。
- If a tool answers with an error, try again with better arguments, or say what went wrong; give up only where nothing could be done. 工具报错时修正参数重试或说明原因；什么都没做成才放弃。`;

/** The definition of the assistant. It gives up through a tool, so that a failed task does not look completed. */
export const assistant = toolAgent({
  card: {
    name: "assistant",
    display_name: "Assistant",
    description:
      "Answers everyday questions with exact values: the time anywhere, arithmetic, random numbers, and counting or rewriting text. 日常助手：查询各地时间、计算、随机数、文本统计与改写。",
    version: "1.0.0",
    skills: [
      {
        id: "time",
        name: "Time and date 时间日期",
        description: "The current date, weekday and time in any time zone. 查询任意时区的当前日期、星期和时间。",
        tags: ["time", "date", "clock", "timezone", "时间", "日期", "几点", "时区"],
        examples: [
          "What time is it in Tokyo?",
          "What day is it today?",
          "现在几点？",
          "今天星期几？",
          "纽约现在几点了？",
        ],
      },
      {
        id: "arithmetic",
        name: "Arithmetic 计算",
        description:
          "Works out sums, products, powers, roots, percentages and rounding. 加减乘除、乘方、开方、百分比与取整。",
        tags: ["calculate", "math", "arithmetic", "sum", "计算", "算术", "数学", "加减乘除"],
        examples: ["What is 17 * 23?", "Calculate (12.5 + 7) / 3", "计算 128 除以 4 再加 6", "2 的 10 次方是多少？"],
      },
      {
        id: "random",
        name: "Random numbers 随机数",
        description: "Draws a fair random whole number from a range. 在给定范围内公平地抽取一个随机整数。",
        tags: ["random", "dice", "draw", "lottery", "随机", "随机数", "骰子", "抽签"],
        examples: ["Pick a random number between 1 and 100", "Roll a die", "给我一个 1 到 10 的随机数", "掷一次骰子"],
      },
      {
        id: "text",
        name: "Text 文本",
        description:
          "Counts words and characters; changes case, reverses, sorts, tidies and replaces text. 统计字数词数，转换大小写、反转、排序、整理与替换文本。",
        tags: ["text", "count", "words", "uppercase", "reverse", "文本", "字数", "统计", "大写", "反转"],
        examples: [
          "How many words are in: the quick brown fox?",
          "Turn hello world into upper case",
          "统计这段话的字数：你好，世界",
          "把 abc 反转",
        ],
      },
    ],
  },
  instructions: INSTRUCTIONS,
  tools: [...assistantTools, giveUpTool],
});
