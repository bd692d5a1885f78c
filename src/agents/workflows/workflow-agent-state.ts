// The stored state of a plan agent. Its keys are a format: questions and checkpoints from before a deploy are read
// with it.

import * as z from "zod";
import { workflowTaskContextSchema } from "../../protocol/workflows/workflow-template.ts";

/** The ids of a running instance, and the sequence number of the last event that this agent has read. */
const positionSchema = z.object({
  plan_instance_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  after: z.int(),
});
export type InstancePosition = z.infer<typeof positionSchema>;

/** The state: while it asks for values, follows an instance, or has passed on a question. */
export const workflowStateSchema = z.discriminatedUnion("at", [
  z.object({ at: z.literal("values"), context: workflowTaskContextSchema, missing: z.array(z.string()) }),
  z.object({ at: z.literal("instance"), place: positionSchema }),
  z.object({
    at: z.literal("question"),
    place: positionSchema,
    request_id: z.string(),
    /** True if this question holds the instance. `missing` lists the values that the instance lacks. */
    held: z.boolean(),
    missing: z.array(z.object({ task_id: z.string(), name: z.string() })),
  }),
]);
export type WorkflowAgentState = z.infer<typeof workflowStateSchema>;
