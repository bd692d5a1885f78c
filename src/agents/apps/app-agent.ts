// An app as an agent: a tool agent with the app's instructions, the tools of its MCP server and a tool to report
// failure.

import * as z from "zod";
import { createAppCard, type AppConfig } from "../../protocol/agents/app-config.ts";
import type { ModelAgentDefinition } from "../kit/agent.ts";
import { mcpTools } from "../kit/mcp/mcp.ts";
import { tool } from "../kit/tools/tool.ts";
import { toolAgent } from "../kit/tools/tool-agent.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

const REPORT_TOOL_NAME = "report_failure";

const INSTRUCTIONS = `Do what is asked with your tools, and nothing beyond it; say in a sentence or two what they answered, in the language of the request. If you cannot do it, call ${REPORT_TOOL_NAME} with the reason. 用工具完成请求，不做多余的事；用提问的语言简短说明工具的结果。无法完成时调用 ${REPORT_TOOL_NAME} 并说明原因。`;

const reportTool = tool({
  name: REPORT_TOOL_NAME,
  description: "Says that what is asked cannot be done. Ends the work. 报告无法完成请求的原因。",
  has_effect: false,
  parameters: z.object({ reason: z.string().min(1).max(2_000) }),
  run({ reason }) {
    throw new Failure("agent_failed", reason);
  },
});

/**
 * Creates the agent of an app. Its model has the app's tools and `report_failure`, which ends the run as failed
 * (`agent_failed`); the events of that call are not emitted.
 */
export function createAppAgent(app: AppConfig): ModelAgentDefinition {
  const agent = toolAgent({
    card: createAppCard(app),
    instructions: [app.instructions, INSTRUCTIONS].filter((part) => part !== "").join("\n\n"),
    tools: [mcpTools(app.mcp, { only: app.tools }), reportTool],
    ...(app.untrusted_input === undefined ? {} : { untrustedInput: app.untrusted_input }),
  });
  return {
    ...agent,
    async *run(request, context) {
      for await (const event of agent.run(request, context)) {
        // The failure tool has no effect of its own, so readers do not see its calls.
        const isReport =
          (event.type === "tool_started" || event.type === "tool_completed") && event.tool === REPORT_TOOL_NAME;
        if (!isReport) yield event;
      }
    },
  };
}
