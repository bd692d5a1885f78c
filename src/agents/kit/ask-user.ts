import * as z from "zod";
import { tool, type Tool } from "./tool.ts";

/** Options that are longer, or more, are no choice any more. */
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

/** What lets the model ask the person. It never runs: its result is the answer. */
export const askUser: Tool = {
  ...described,
  check(args) {
    const { arguments: given } = described.check(args);
    const { question: prompt, options } = parameters.parse(given);
    return { arguments: given, question: { prompt, ...(options === undefined ? {} : { options }) } };
  },
};
