// The tool `ask_user`, with which the model asks the person.

import * as z from "zod";
import { tool, type AgentTool } from "./tool.ts";

/** Maximum number of options and maximum characters of each. */
const OPTION_LIMITS = { count: 12, chars: 200 };

const parameters = z.object({
  question: z.string().min(1).max(4_000).describe("One question, complete in itself."),
  options: z
    .array(z.string().min(1).max(OPTION_LIMITS.chars))
    .max(OPTION_LIMITS.count)
    .optional()
    .describe("Answers to choose from."),
});

const baseTool = tool({
  name: "ask_user",
  description:
    "Asks the person for something that only they can know, and waits for the answer. Not for leave to use a tool: that is asked for by itself.",
  parameters,
  run: () => "",
});

/**
 * The tool `ask_user`. `check` turns the arguments into a question and throws a `Fault` (`invalid_request`) for invalid
 * ones. `call` is never used: the person's answer becomes the result of the call.
 */
export const askUserTool: AgentTool = {
  ...baseTool,
  check(args) {
    const { arguments: checkedArguments } = baseTool.check(args);
    const { question: prompt, options } = parameters.parse(checkedArguments);
    return { arguments: checkedArguments, question: { prompt, ...(options === undefined ? {} : { options }) } };
  },
};
