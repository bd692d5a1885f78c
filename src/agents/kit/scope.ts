// The read-only scope: whoever is asked in it may look, and change nothing.

import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import { languageOf, type Both } from "../../protocol/words/language.ts";
import type { Said } from "./agent.ts";
import type { Tool } from "./tool.ts";

/** The tools that only look. One that wants to ask the person all the same is refused. */
export function readOnly(tools: readonly Tool[]): Tool[] {
  return tools
    .filter(({ read_only }) => read_only)
    .map((tool) => ({
      ...tool,
      check(args) {
        const checked = tool.check(args);
        if (checked.question === null) return checked;
        throw new Fault(
          "unprocessable",
          `${tool.name} asks the person first, which a read-only request does not allow.`,
        );
      },
      call: (args, context) => tool.call(args, context),
    }));
}

const NO_MEANS: Both = {
  en: "I have no means of looking this up without the risk of changing something, so I have done nothing.",
  zh: "我没有只读的查看手段，查看可能会改动数据，因此没有执行任何操作。",
};

/** The answer of an agent that has nothing to look with: no model is asked. */
export function* withoutMeans({ query, metadata }: AgentRequest): Generator<Said, void> {
  yield { type: "text", text: NO_MEANS[languageOf(query, metadata.language)] };
  yield { type: "completed" };
}
