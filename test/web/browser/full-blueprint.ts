// A blueprint with every block type and every chart type.

const CHARTS = ["bar", "line", "radar", "pie", "gauge", "distribution"] as const;

export function createFullBlueprint() {
  return {
    id: "every-block",
    name: "Every block",
    description: "What pages are made of.",
    dataContract: {
      bindings: [
        {
          id: "work",
          toolName: "get_assignment_submissions",
          paramMapping: { teacher_id: "$context.teacherId", assignment_id: "a-001" },
        },
      ],
    },
    computeGraph: {
      nodes: [
        {
          id: "stats",
          type: "tool",
          toolName: "calculate_stats",
          toolArgs: { data: "$data.work.scores" },
          outputKey: "stats",
        },
        { id: "words", type: "ai", promptTemplate: "Say what stands out in $compute.stats.", outputKey: "words" },
      ],
    },
    uiComposition: {
      layout: "tabs",
      tabs: [
        {
          id: "figures",
          label: "Figures",
          slots: [
            { id: "kpis", componentType: "kpi_grid", dataBinding: "$compute.stats" },
            ...CHARTS.map((variant) => ({
              id: variant,
              componentType: "chart",
              dataBinding: "$compute.stats.distribution",
              props: { title: `As ${variant}`, variant },
            })),
            { id: "rows", componentType: "table", dataBinding: "$data.work.submissions", props: TABLE_PROPS },
          ],
        },
        {
          id: "words",
          label: "Words",
          slots: [
            { id: "says", componentType: "markdown", dataBinding: "$compute.words", aiContentSlot: true },
            { id: "warns", componentType: "markdown", props: { content: "**Two** are late.", variant: "warning" } },
            { id: "advice", componentType: "suggestion_list", props: SUGGESTION_PROPS },
            { id: "quiz", componentType: "question_generator", props: QUIZ_PROPS },
          ],
        },
      ],
    },
  };
}

const TABLE_PROPS = {
  title: "Students",
  highlightRules: [
    { column: "score", condition: "lt", value: 60, style: "error" },
    { column: "score", condition: "gte", value: 85, style: "success" },
  ],
};

const SUGGESTION_PROPS = {
  title: "What to do",
  items: [
    { title: "Practise fractions", description: "Ten minutes a day.", priority: "high", category: "Homework" },
    { title: "Pair them up", description: "The strong help the weak.", priority: "medium", category: "Lessons" },
    { title: "Go on as planned", description: "The rest is well.", priority: "low", category: "Lessons" },
  ],
};

const QUIZ_PROPS = {
  title: "A quiz",
  description: "Four kinds of questions.",
  knowledgePoint: "Fractions",
  questions: [
    { type: "multiple_choice", question: "1/2 + 1/4 = ?", options: ["3/4", "2/6"], answer: "3/4", difficulty: "easy" },
    { type: "fill_in_blank", question: "1/3 of 12 is ____.", answer: "4", explanation: "12 : 3 = 4" },
    { type: "true_false", question: "2/4 is 1/2.", answer: "true", difficulty: "easy" },
    { type: "short_answer", question: "Why is 1/3 more than 1/4?", answer: "Fewer parts.", difficulty: "hard" },
  ],
};
