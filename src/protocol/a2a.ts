// What A2A 1.0 has no place for, and under which name it travels.

import * as z from "zod";

/**
 * The A2A extension of this runtime. A card that lists it carries `extensionParamsSchema` as `params`; a
 * status update that has it in `metadata` carries one `AgentEvent`; a finished task may carry an array of
 * them; a message carries `{ task_id }`. Peers that do not know it still see a valid A2A exchange.
 */
export const EVENTS_EXTENSION = "urn:orrery:a2a:events:1";

/** The facts of a card that A2A does not know. */
export const extensionParamsSchema = z.object({
  display_name: z.string().optional(),
  planner_passthrough: z.boolean().optional(),
  hidden: z.boolean().optional(),
});
