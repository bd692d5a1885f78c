// The agent card of the toolsmith.

import type { AgentDefinition } from "../kit/agent.ts";

export const toolsmithCard: AgentDefinition["card"] = {
  name: "toolsmith",
  display_name: "Toolsmith",
  description:
    "Writes small tools of its own for what no other agent offers, checks them, runs them in a sandbox and keeps them: calendars, statistics, conversions. 工具匠：没有现成工具时自己编写小工具，检查后在沙箱运行并保留：月历、统计、换算等。",
  version: "1.0.0",
  skills: [
    {
      id: "calendar",
      name: "Calendars and spans 日历与间隔",
      description:
        "Days between dates, calendars of a month, leap years, ages, week numbers. 日期间隔、月历、闰年、年龄、第几周。",
      tags: ["calendar", "leap year", "age", "日历", "月历", "闰年", "年龄"],
      examples: [
        "How many days are there between 2026-01-01 and 2026-12-25?",
        "Print the calendar of February 2028",
        "2028年是闰年吗？",
      ],
    },
    {
      id: "statistics",
      name: "Statistics 统计",
      description: "Mean, median, standard deviation and the like of lists of numbers. 平均数、中位数、标准差等。",
      tags: ["statistics", "mean", "median", "平均数", "中位数", "标准差"],
      examples: ["What is the median of 3, 1, 4, 1, 5?", "4、8、15、16、23、42 的标准差是多少？"],
    },
    {
      id: "conversion",
      name: "Conversions and number theory 换算与数论",
      description: "Units, number bases, Roman numerals, primes, factorials. 单位换算、进制、罗马数字、质数、阶乘。",
      tags: ["convert", "prime", "factorial", "roman numeral", "换算", "质数", "阶乘", "进制"],
      examples: ["Convert 26.2 miles to kilometres", "7919是质数吗？", "Write 2026 as a Roman numeral"],
    },
  ],
};
