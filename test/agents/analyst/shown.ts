// Blocks of data, and data of every shape.

import { createBlock } from "../../../src/agents/analyst/create-block.ts";
import { pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";
import { SCORES, stats } from "./classroom.ts";

export const block = (
  componentType: ComponentType,
  data: unknown,
  props: Record<string, unknown> = {},
  language = "en",
) => pageBlockSchema.parse(createBlock({ id: "b", componentType }, data, props, language));
export const STATS = stats(SCORES);
const OTHER = stats([40, 60, 80, 90, 95]);
export const COMPARISON = {
  group_a: STATS,
  group_b: OTHER,
  difference: { mean: 1.2, median: -8 },
  summary: { group_a_count: 5, group_b_count: 5 },
};
export const ROWS = [
  { student_id: "s-1", student_name: "Ann", score: 58, submitted_at: "2026-11-02" },
  { student_id: "s-2", student_name: "Ben", score: 85, submitted_at: "2026-11-03" },
  { student_id: "s-3", student_name: "Cai", score: 72, submitted_at: null },
];
