import * as z from "zod";
import { RunFailed } from "../kit/failure.ts";
import { tool } from "../kit/tool.ts";

/** What lets the model end a task as failed: an answer that only says why there is none would look like a success. */
export const giveUp = tool({
  name: "give_up",
  description:
    "Ends the task as failed. Only where nothing of it could be done, and after the tools have failed: an answer to a part of it is better.",
  parameters: z.object({
    reason: z.string().min(1).max(4_000).describe("What could not be done and why, for the person."),
  }),
  run({ reason }) {
    throw new RunFailed(reason, "tool_failed");
  },
});
