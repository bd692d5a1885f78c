// The tool calls that the toolsmith offers to its model, with their schemas.

import * as z from "zod";
import { visibleTextSchema } from "../../lib/title.ts";
import { toolCategorySchema } from "../../protocol/tools/stored-tool.ts";

/** Maximum sub-tasks of one request. Larger requests need a plan. */
export const MAX_SUBTASKS = 10;

/** The id of a sub-task. Models send numbers or strings. */
const subtaskIdSchema = z.union([z.string().trim().min(1).max(64), z.number()]).transform(String);
const createTextSchema = (max: number) => z.string().trim().min(1).max(max);
const anyObjectSchema = z.record(z.string(), z.unknown());

/** A part of the request that a single tool can do. Unknown categories become `other`. */
export const subtaskSchema = z.object({
  id: subtaskIdSchema,
  description: createTextSchema(2_000),
  category: toolCategorySchema.catch("other"),
});
export type Subtask = z.infer<typeof subtaskSchema>;

/** Splits the request into at most ten sub-tasks. */
export const PLAN_SUBTASKS = {
  name: "plan_subtasks",
  description:
    "Splits the request into independent sub-tasks in the order in which they are to be done; a list of one for a single thing. Not for small talk: answer that in plain text.",
  schema: z.object({
    tasks: z.array(subtaskSchema).max(MAX_SUBTASKS),
  }),
} as const;

/** Selects a saved tool for a sub-task, or none. */
export const CHOOSE_TOOL = {
  name: "choose_tool",
  description:
    "Says whether one of the listed tools does the sub-task, and with which arguments. Only if it does exactly that, whatever the values are.",
  schema: z.object({
    use_existing: z.boolean(),
    tool_name: z.string().nullish(),
    arguments: anyObjectSchema.nullish(),
    reason: z.string().catch(""),
  }),
} as const;

/** Writes a new tool for a sub-task. Names are converted to snake_case. */
export const WRITE_TOOL = {
  name: "write_tool",
  description:
    "Writes a new tool for the sub-task: general code whose values are parameters, and the arguments for this very sub-task.",
  schema: z.object({
    name: z
      .string()
      .transform((name) =>
        name
          .trim()
          .replace(/[\s-]+/g, "_")
          .replace(/([a-z\d])([A-Z])/g, "$1_$2")
          .toLowerCase(),
      )
      .pipe(z.string().regex(/^[a-z][a-z\d_]{0,63}$/, "must be snake_case: letters, digits and underscores"))
      .describe("snake_case, for what it does, without the values: multiply_numbers"),
    description: visibleTextSchema
      .min(1)
      .max(1_000)
      .describe("One sentence in English and one in Chinese: it is found again by these words."),
    category: toolCategorySchema.catch("other"),
    parameters: anyObjectSchema.describe("JSON Schema of type object with properties and required."),
    returns: anyObjectSchema.nullish().describe("JSON Schema of the result; may be left out."),
    code: createTextSchema(16_384).describe("function run({ a, b }) { return a * b; }"),
    arguments: anyObjectSchema.default({}).describe("The values of this sub-task."),
  }),
} as const;
export type WrittenTool = z.infer<typeof WRITE_TOOL.schema>;
