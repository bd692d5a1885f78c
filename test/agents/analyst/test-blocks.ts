// Blocks of data, and data of every shape.

import { createBlock } from "../../../src/agents/analyst/blocks/create-block.ts";
import { pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";
import { SCORES, computeStats } from "./classroom.ts";

export const createTestBlock = (
  componentType: ComponentType,
  data: unknown,
  props: Record<string, unknown> = {},
  language = "en",
) => pageBlockSchema.parse(createBlock({ id: "b", componentType }, data, props, language));
export const STATS = computeStats(SCORES);
const OTHER_STATS = computeStats([40, 60, 80, 90, 95]);
export const COMPARISON = {
  group_a: STATS,
  group_b: OTHER_STATS,
  difference: { mean: 1.2, median: -8 },
  summary: { group_a_count: 5, group_b_count: 5 },
};
export const ROWS = [
  { student_id: "s-1", student_name: "Ann", score: 58, submitted_at: "2026-11-02" },
  { student_id: "s-2", student_name: "Ben", score: 85, submitted_at: "2026-11-03" },
  { student_id: "s-3", student_name: "Cai", score: 72, submitted_at: null },
];
