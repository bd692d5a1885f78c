// A small classroom in memory, and a blueprint over it.

import type { AnalystTools, ToolInfo } from "../../../src/agents/analyst/tools.ts";
import { calculateStats, comparePerformance } from "../../../src/datasets/score-statistics.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";

const createObjectSchema = (properties: Record<string, unknown>, required: string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const STRING_SCHEMA = { type: "string" };
const NUMBERS_SCHEMA = { type: "array", items: { type: "number" } };

export const TOOL_INFOS: readonly ToolInfo[] = [
  {
    name: "get_assignment_submissions",
    description: "Scores of one assignment.",
    parameters: createObjectSchema({ teacher_id: STRING_SCHEMA, assignment_id: STRING_SCHEMA }),
  },
  {
    name: "calculate_stats",
    description: "Statistics of numbers.",
    parameters: createObjectSchema(
      { data: NUMBERS_SCHEMA, metrics: { type: "array", items: { enum: ["mean", "median"] } } },
      ["data"],
    ),
  },
  {
    name: "compare_performance",
    description: "Two groups side by side.",
    parameters: createObjectSchema({ group_a: NUMBERS_SCHEMA, group_b: NUMBERS_SCHEMA }),
  },
];

export const SCORES = [58, 85, 72, 91, 65];
const NAMES = ["Ann", "Ben", "Cai", "Dan", "Eve"];

/** Result of each tool. A test may replace some of them. */
export type ToolAnswers = Readonly<Record<string, (args: Record<string, unknown>, signal: AbortSignal) => unknown>>;

export const toolAnswers: ToolAnswers = {
  get_assignment_submissions({ assignment_id }) {
    if (assignment_id !== "a-001")
      return { error: { entity: "assignment", message: "There is no such assignment.", suggestions: ["a-001"] } };
    const submissions = SCORES.map((score, i) => ({ student_id: `s-${i + 1}`, student_name: NAMES[i], score }));
    return { assignment_id, name: "Unit 5", submissions, scores: SCORES };
  },
  calculate_stats: ({ data }) => calculateStats(data as number[]),
  compare_performance: ({ group_a, group_b }) => comparePerformance(group_a as number[], group_b as number[]),
};

export function createTools(
  overrides: ToolAnswers = {},
): AnalystTools & { readonly calls: { name: string; args: unknown }[] } {
  const all = { ...toolAnswers, ...overrides };
  const calls: { name: string; args: unknown }[] = [];
  return {
    calls,
    infos: TOOL_INFOS,
    async call(name, args, signal) {
      calls.push({ name, args });
      const answer = all[name];
      if (answer === undefined) throw new Fault("not_found", `There is no tool ${name}.`);
      return await answer({ ...args }, signal);
    },
  };
}

/** An analysis of one assignment: figures, a chart, a table and a text. */
export function createBlueprintInput(): BlueprintInput {
  return {
    id: "bp-unit5",
    name: "Unit 5",
    description: "How unit 5 went",
    dataContract: {
      inputs: [{ id: "assignment", type: "assignment", label: "Assignment" }],
      bindings: [
        {
          id: "submissions",
          toolName: "get_assignment_submissions",
          paramMapping: { teacher_id: "$context.teacherId", assignment_id: "$input.assignment" },
        },
      ],
    },
    computeGraph: {
      nodes: [
        {
          id: "stats",
          type: "tool",
          toolName: "calculate_stats",
          toolArgs: { data: "$data.submissions.scores" },
          outputKey: "scoreStats",
        },
        {
          id: "insight",
          type: "ai",
          promptTemplate: "Say how it went, from $compute.scoreStats.",
          dependsOn: ["stats"],
          outputKey: "insightText",
        },
      ],
    },
    uiComposition: {
      layout: "single_page",
      tabs: [
        {
          id: "overview",
          label: "Overview",
          slots: [
            { id: "text", componentType: "markdown", dataBinding: "$compute.insightText", aiContentSlot: true },
            { id: "kpis", componentType: "kpi_grid", dataBinding: "$compute.scoreStats" },
            {
              id: "chart",
              componentType: "chart",
              dataBinding: "$compute.scoreStats.distribution",
              props: { title: "Scores" },
            },
            { id: "table", componentType: "table", dataBinding: "$data.submissions.submissions" },
          ],
        },
      ],
    },
  };
}

export type BlueprintInput = {
  [name: string]: unknown;
  dataContract: { inputs: BlueprintPart[]; bindings: BlueprintPart[] };
  computeGraph: { nodes: BlueprintPart[] };
  uiComposition: { layout: string; tabs: { id: string; label: string; slots: BlueprintPart[] }[] };
};
export type BlueprintPart = Record<string, unknown>;
