import * as z from "zod";
import { planContextSchema } from "../../protocol/plan-template.ts";

/** Where an instance runs, and up to which event of it this agent has told. */
const placeSchema = z.object({
  plan_instance_id: z.string(),
  conversation_id: z.string(),
  thread_id: z.string(),
  after: z.int(),
});
export type Place = z.infer<typeof placeSchema>;

/** What the agent remembers: while it asks for values, follows an instance, or has passed a question on. */
export const stateSchema = z.discriminatedUnion("at", [
  z.object({ at: z.literal("values"), context: planContextSchema, missing: z.array(z.string()) }),
  z.object({ at: z.literal("instance"), place: placeSchema }),
  z.object({
    at: z.literal("question"),
    place: placeSchema,
    request_id: z.string(),
    /** Whether it is the one that holds the instance: then these are the values that it lacks. */
    held: z.boolean(),
    missing: z.array(z.object({ task_id: z.string(), name: z.string() })),
  }),
]);
export type State = z.infer<typeof stateSchema>;
