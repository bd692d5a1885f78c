// The criterion of a task with an effect: a read-only tool, its arguments, and a condition over its result.

import * as z from "zod";
import { jsonValueSchema } from "../../lib/json-value.ts";

export const criterionSchema = z.object({
  /** The name of a read-only tool of the task's agent. */
  tool: z.string().min(1).max(128),
  arguments: z.record(z.string().max(200), jsonValueSchema).default({}),
  /** A condition over `result`, such as `result.status == "paid" and result.amount == 5`. */
  holds: z.string().min(1).max(2_000),
});
export type Criterion = z.infer<typeof criterionSchema>;

/** One check of a criterion: whether it holds, and the result of the tool. */
export type CriterionCheck = { readonly holds: boolean; readonly result: string };
