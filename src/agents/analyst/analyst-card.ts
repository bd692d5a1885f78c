// The agent card of the analyst. Triage reads it to select the agent, so descriptions and examples are in both
// languages.

import type { AgentDefinition } from "../kit/agent.ts";

export const analystCard: AgentDefinition["card"] = {
  name: "analyst",
  display_name: "Analyst",
  description:
    "Analyses a person's own data, uploaded tables or the scores of school classes, and shows the result as a live page with charts, tables and advice; then talks about the page and changes it. Not for single sums or questions about the date. 数据分析师：分析用户自己的数据（上传的表格或班级成绩），做成含图表、表格和建议的页面，并可继续追问和修改。不负责单个算式或日期问题。",
  version: "1.0.0",
  skills: [
    {
      id: "classes",
      name: "Class performance 班级成绩分析",
      description:
        "Compares classes, shows how an assignment went, finds students who need help. 对比班级、分析作业成绩、找出需要帮助的学生。",
      tags: ["class", "students", "assignment", "scores", "compare", "班级", "学生", "作业", "成绩", "对比", "分析"],
      examples: [
        "Compare 1A and 1B on the last assignment",
        "How did class 1A do on assignment a-001?",
        "对比1A班和1B班最近一次作业的成绩",
        "分析1A班的成绩分布",
      ],
    },
    {
      id: "tables",
      name: "Tables of one's own 自己的表格",
      description:
        "Trends, distributions, rankings and summaries of uploaded datasets. 对上传的数据集做趋势、分布、排名和汇总。",
      tags: [
        "dataset",
        "csv",
        "trend",
        "distribution",
        "ranking",
        "chart",
        "数据集",
        "表格",
        "趋势",
        "分布",
        "排名",
        "图表",
      ],
      examples: ["Show the monthly trend of revenue in my sales dataset", "把我上传的销售数据按地区排名，做成图表"],
    },
    {
      id: "pages",
      name: "Pages 页面",
      description:
        "Answers questions about a page that it made, and changes it. 回答关于已生成页面的问题，并修改页面。",
      tags: ["page", "report", "dashboard", "页面", "报告", "看板"],
      examples: ["Turn the chart on the page into a line chart", "把页面上的图表换成折线图"],
    },
  ],
};
