// The stored state of the toolsmith. It survives a crash and can wait for an answer in any isolate. Its keys are a
// format: questions and checkpoints from before a deploy are read with it.

import * as z from "zod";
import { toolCategorySchema } from "../../protocol/tools/stored-tool.ts";
import { agentUsageSchema } from "../kit/agent-limits.ts";
import { subtaskSchema } from "./offered-tools.ts";

const jsonObjectSchema = z.record(z.string(), z.json());

/**
 * A tool and its arguments for one sub-task. `origin`: saved earlier (`kept`), written now, or written and approved by
 * the person.
 */
const candidateSchema = z.object({
  name: z.string(),
  description: z.string(),
  category: toolCategorySchema,
  parameters: jsonObjectSchema,
  returns: jsonObjectSchema.optional(),
  code: z.string(),
  arguments: jsonObjectSchema,
  origin: z.enum(["kept", "written", "approved"]),
});
export type ToolCandidate = z.infer<typeof candidateSchema>;

/** A call of the model and the problem that it has to correct. */
const attemptSchema = z.object({ arguments: z.string(), problem: z.string() });
export type FailedAttempt = z.infer<typeof attemptSchema>;

const stageSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("search") }),
  z.object({ stage: z.literal("write") }),
  z.object({ stage: z.literal("try"), candidate: candidateSchema }),
]);

const subtaskFields = { id: z.string(), description: z.string() };
const subtaskOutcomeSchema = z.discriminatedUnion("status", [
  z.object({ ...subtaskFields, status: z.literal("completed"), result: z.string(), tool: z.string() }),
  z.object({ ...subtaskFields, status: z.literal("failed"), error: z.string() }),
]);
export type SubtaskOutcome = z.infer<typeof subtaskOutcomeSchema>;

/** The stage of a sub-task and its failed attempts. It can continue from there at any time. */
export const subtaskStateSchema = z.object({ at: stageSchema, attempts: z.array(attemptSchema) });
export type SubtaskState = z.infer<typeof subtaskStateSchema>;

/** The state of a run: its usage, all sub-tasks, and the outcomes of the first ones. */
export const toolsmithStateSchema = z.object({
  used: agentUsageSchema,
  tasks: z.array(subtaskSchema),
  done: z.array(subtaskOutcomeSchema),
  /** The state of the first sub-task that is not done. */
  standing: subtaskStateSchema,
});
export type ToolsmithState = z.infer<typeof toolsmithStateSchema>;
