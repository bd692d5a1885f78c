// A page with each kind of block and chart, some of it hostile.

import type { StoredPage } from "../../../src/protocol/pages/stored-page.ts";
import type { PageBlock, PageSpec } from "../../../src/protocol/pages/page.ts";

export const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&`;

type ChartBlock = Extract<PageBlock, { type: "chart" }>;

const createChart = (variant: ChartBlock["variant"], overrides: Partial<ChartBlock> = {}): ChartBlock => ({
  id: `chart-${variant}`,
  type: "chart",
  variant,
  title: `Scores as ${variant}`,
  xAxis: ["Reading", "Writing", "Speaking", "Listening", "Vocabulary"],
  series: [
    { name: "1A", data: [74.2, 68, 81.5, 90, 55] },
    { name: "1B", data: [70, null, 66.25, 84, 61] },
  ],
  ...overrides,
});

export const SAMPLE_PAGE: PageSpec = {
  meta: {
    pageTitle: "1A and 1B on the last assignment",
    summary: "How two classes did in English, and what to do next.",
    generatedAt: "2026-11-21T15:00:00.000Z",
    dataSource: "Classroom (sample)",
    unverifiedNumbers: [{ blockId: "text", number: "99.9" }],
  },
  layout: "tabs",
  tabs: [
    {
      id: "overview",
      label: "Overview",
      blocks: [
        {
          id: "kpis",
          type: "kpi_grid",
          data: [
            { label: "Mean", value: "74.2", status: "up", subtext: "4.1 above 1B" },
            { label: "Below 60", value: "1", status: "down", subtext: "one more than before" },
            { label: "Submissions", value: "5", status: "neutral", subtext: "" },
          ],
        },
        {
          id: "text",
          type: "markdown",
          variant: "insight",
          content:
            "## What stands out\n\n**1A** is ahead by *4.1 points*, but `58` is far below; some 99.9 % agree.\n\n- Reading is strong\n  - above all in 1A\n- Writing needs work\n\n1. First\n2. Second\n\n| Class | Mean |\n| --- | --- |\n| 1A | 74.2 |\n\n> A quote, and a [link](https://evil.example/x) that leads nowhere.\n\n```\ncode <b>\n```",
        },
        {
          id: "table",
          type: "table",
          title: "Students",
          headers: ["Student", "Score", "Passed"],
          rows: [
            { cells: ["Wong Ka Ho", 58, false], status: "warning" },
            { cells: ["陈小明", 85.333333, true], status: "success" },
            { cells: [HOSTILE, null, null], status: "error" },
            { cells: ['=HYPERLINK("https://evil.example")', 72, true], status: "normal" },
          ],
          highlightRules: [{ column: "Score", condition: "gte", value: 80, style: "success" }],
        },
      ],
    },
    {
      id: "charts",
      label: "图表",
      blocks: [
        createChart("bar"),
        createChart("line"),
        createChart("radar"),
        createChart("pie", { series: [{ name: "Share", data: [40, 30, 20, 8, 2] }] }),
        createChart("gauge", { xAxis: ["Mean of 1A"], series: [{ name: "Mean", data: [74.2] }] }),
        createChart("distribution", {
          title: "分数分布",
          xAxis: ["0-39", "40-49", "50-59", "60-69", "70-79", "80-89", "90-100"],
          series: [{ name: "Students", data: [0, 0, 1, 1, 1, 1, 1] }],
        }),
        createChart("bar", {
          id: "negative",
          title: "Change since the last time",
          xAxis: ["A rather long label that does not fit", "第二个很长的标签也放不下的", "C"],
          series: [{ name: "Change", data: [-4.5, 3, 0] }],
        }),
      ],
    },
    {
      id: "next",
      label: "Next",
      blocks: [
        {
          id: "advice",
          type: "suggestion_list",
          title: "What to do",
          items: [
            { title: "Talk to Wong Ka Ho", description: "He is at **58**.", priority: "high", category: "students" },
            { title: "Practise writing", description: "Twice a week.", priority: "medium", category: "" },
            { title: "Keep it up", description: HOSTILE, priority: "low", category: HOSTILE },
          ],
        },
        {
          id: "quiz",
          type: "question_generator",
          title: "A short quiz",
          description: "For next Monday.",
          knowledgePoint: "Past tense",
          questions: [
            {
              id: "q2",
              order: 2,
              type: "true_false",
              question: "“Went” is the past tense of “go”.",
              answer: "True",
              explanation: "",
              difficulty: "easy",
            },
            {
              id: "q1",
              order: 1,
              type: "multiple_choice",
              question: "Which one is right?",
              options: ["I goed", "I went", HOSTILE],
              answer: "I went",
              explanation: "It is irregular.",
              difficulty: "medium",
            },
          ],
          context: {},
        },
      ],
    },
  ],
};

export const SAMPLE_DOCUMENT: Pick<StoredPage, "title" | "page" | "language" | "refreshed_at"> = {
  title: SAMPLE_PAGE.meta.pageTitle,
  page: SAMPLE_PAGE,
  language: "en",
  refreshed_at: Date.parse("2026-11-21T15:00:00Z"),
};
