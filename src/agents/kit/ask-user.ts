// The tool `ask_user`, with which the model asks the person.

import * as z from "zod";
import { tool, type Tool } from "./tool.ts";

/** Maximum number of options and maximum characters of each. */
const OPTIONS = { most: 12, chars: 200 };

const parameters = z.object({
  question: z.string().min(1).max(4_000).describe("One question, complete in itself."),
  options: z
    .array(z.string().min(1).max(OPTIONS.chars))
    .max(OPTIONS.most)
    .optional()
    .describe("Answers to choose from."),
});

const described = tool({
  name: "ask_user",
  description:
    "Asks the person for something that only they can know, and waits for the answer. Not for leave to use a tool: that is asked for by itself.",
  parameters,
  run: () => "",
});

/**
 * The tool `ask_user`. `check` turns the arguments into a question. `call` never runs: the person's answer becomes
 * the result of the call.
 */
export const askUser: Tool = {
  ...described,
  check(args) {
    const { arguments: given } = described.check(args);
    const { question: prompt, options } = parameters.parse(given);
    return { arguments: given, question: { prompt, ...(options === undefined ? {} : { options }) } };
  },
};
