// The scope `read_only`: a request in it must change nothing.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { detectLanguage, type LocalizedText } from "../../protocol/language/detect-language.ts";
import type { AgentRunEvent } from "./agent.ts";
import type { AgentTool } from "./tool.ts";

/** Returns the tools marked as read-only. A call of one that asks the person nevertheless throws a `Fault`. */
export function filterReadOnlyTools(tools: readonly AgentTool[]): AgentTool[] {
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

const NO_READ_ONLY_TOOLS: LocalizedText = {
  en: "I have no means of looking this up without the risk of changing something, so I have done nothing.",
  zh: "我没有只读的查看手段，查看可能会改动数据，因此没有执行任何操作。",
};

/** Yields the answer of an agent that has no read-only tools. No model is called. */
export function* refuseReadOnlyRequest({ query, metadata }: AgentRequest): Generator<AgentRunEvent, void> {
  yield { type: "text", text: NO_READ_ONLY_TOOLS[detectLanguage(query, metadata.language)] };
  yield { type: "completed" };
}
