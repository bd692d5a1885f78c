// The tool with which the assistant ends a task as failed.

import * as z from "zod";
import { tool } from "../kit/tools/tool.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/**
 * Ends the task as failed (`tool_failed`) with the model's reason. An answer that only explains why there is no result
 * would count as a success.
 */
export const giveUpTool = tool({
  name: "give_up",
  description:
    "Ends the task as failed. Only where nothing of it could be done, and after the tools have failed: an answer to a part of it is better.",
  has_effect: false,
  parameters: z.object({
    reason: z.string().min(1).max(4_000).describe("What could not be done and why, for the person."),
  }),
  run({ reason }) {
    throw new Failure("tool_failed", reason);
  },
});
