// How far a run has come, in a form that survives a crash and waits for an answer anywhere.

import * as z from "zod";
import { toolCategorySchema } from "../../protocol/tools.ts";
import { usedSchema } from "../kit/limits.ts";
import { subtaskSchema } from "./contract.ts";

const jsonObject = z.record(z.string(), z.json());

/** A tool and the arguments for one sub-task: written just now, or kept from earlier. */
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

/** A call of the model and why nothing came of it: what it needs to know to do better. */
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

/** Where a sub-task stands: it can go on from there at any time. */
export const standingSchema = z.object({ at: stageSchema, attempts: z.array(attemptSchema) });
export type Standing = z.infer<typeof standingSchema>;

export const stateSchema = z.object({
  used: usedSchema,
  tasks: z.array(subtaskSchema),
  done: z.array(doneSchema),
  /** Of the first sub-task that is not done. */
  standing: standingSchema,
});
export type State = z.infer<typeof stateSchema>;
