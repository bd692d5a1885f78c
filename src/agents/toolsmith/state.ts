// The stored state of the toolsmith. It survives a crash and can wait for an answer in any isolate. Its keys are a
// format: questions and checkpoints from before a deploy are read with it.

import * as z from "zod";
import { toolCategorySchema } from "../../protocol/tools.ts";
import { usedSchema } from "../kit/limits.ts";
import { subtaskSchema } from "./contract.ts";

const jsonObject = z.record(z.string(), z.json());

/** A tool and its arguments for one sub-task: written now, or saved earlier. */
const candidateSchema = z.object({
  name: z.string(),
  description: z.string(),
  category: toolCategorySchema,
  parameters: jsonObject,
  returns: jsonObject.optional(),
  code: z.string(),
  arguments: jsonObject,
  origin: z.enum(["kept", "written", "approved"]),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** A call of the model and the problem that it has to correct. */
const attemptSchema = z.object({ arguments: z.string(), problem: z.string() });
export type Attempt = z.infer<typeof attemptSchema>;

const stageSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("search") }),
  z.object({ stage: z.literal("write") }),
  z.object({ stage: z.literal("try"), candidate: candidateSchema }),
]);

const told = { id: z.string(), description: z.string() };
const doneSchema = z.discriminatedUnion("status", [
  z.object({ ...told, status: z.literal("completed"), result: z.string(), tool: z.string() }),
  z.object({ ...told, status: z.literal("failed"), error: z.string() }),
]);
export type Done = z.infer<typeof doneSchema>;

/** The stage of a sub-task and its failed attempts. It can continue from there at any time. */
export const standingSchema = z.object({ at: stageSchema, attempts: z.array(attemptSchema) });
export type Standing = z.infer<typeof standingSchema>;

export const stateSchema = z.object({
  used: usedSchema,
  tasks: z.array(subtaskSchema),
  done: z.array(doneSchema),
  /** The state of the first sub-task that is not done. */
  standing: standingSchema,
});
export type State = z.infer<typeof stateSchema>;
