// The scope `read_only`: a request in it must change nothing.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { formatAgentMessage } from "../../language/agent-messages.ts";
import type { AgentRunEvent } from "./agent.ts";
import type { AgentTool } from "./tools/tool.ts";

/** Returns the read-only tools. Their `check` throws a `Fault` (`unprocessable`) instead of asking the person. */
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

/** Yields the text that the agent has no read-only tools for the request, and `completed`. No model is called. */
export function* refuseReadOnlyRequest(request: AgentRequest): Generator<AgentRunEvent, void> {
  yield { type: "text", text: formatAgentMessage(detectRequestLanguage(request), "agent.noReadOnlyTools") };
  yield { type: "completed" };
}
