// Calls an agent like a function: one request and its answer, without a conversation.

import type { AgentRunner } from "../../core/ports.ts";
import type { Agent, AgentRequest } from "../../protocol/agents/agent.ts";
import type { ExecuteRequest, ExecuteResponse } from "../../protocol/agents/app-config.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { toCatalogueLanguage } from "../../language/accept-language.ts";
import { createMessage, formatMessage, type Message } from "../../language/messages.ts";
import { parseJsonOrText } from "../../lib/parse-json.ts";

type UserExecuteRequest = ExecuteRequest & { readonly user_id: string };

/**
 * Runs the request and returns the collected text, the tools used, and the result of the last tool. Never rejects
 * because of the agent: if it is disabled, fails, asks a question or cannot be reached, the result has `success: false`
 * and an `error` in the language of the request. A task of an agent that asks is cancelled, because nobody can answer.
 */
export async function executeAgentRequest(
  agents: AgentRunner,
  agent: Agent,
  request: UserExecuteRequest,
  signal = new AbortController().signal,
): Promise<ExecuteResponse> {
  const startedAt = Date.now();
  const collected = {
    text: "",
    checkpointText: "",
    tools: new Set<string>(),
    result: null as ExecuteResponse["result"],
    taskId: "",
  };
  const language = toCatalogueLanguage(request.language ?? "") ?? "en";
  const createResult = (error?: Message | string): ExecuteResponse => ({
    success: error === undefined,
    response: collected.text,
    tools_used: [...collected.tools],
    result: collected.result,
    ...(error === undefined ? {} : { error: formatMessage(language, error) }),
    execution_time: Date.now() - startedAt,
  });
  if (!agent.enabled) return createResult(createMessage("agent.disabled", { name: agent.name }));
  for await (const event of agents.run(agent, createAgentRequest(request), signal)) {
    if (event.type === "accepted") collected.taskId = event.remote_task_id ?? "";
    if (event.type === "text") collected.text += event.text;
    if (event.type === "checkpoint") collected.checkpointText = collected.text;
    if (event.type === "retracted") collected.text = collected.checkpointText;
    if (event.type === "tool_completed" && event.ran !== false) {
      collected.tools.add(event.tool);
      collected.result = parseJsonOrText(event.result) as ExecuteResponse["result"];
    }
    if (event.type === "failed") return createResult(event.reason);
    if (event.type !== "input_required") continue;
    if (collected.taskId !== "") await agents.cancel(agent, collected.taskId);
    return createResult(createMessage("agent.unansweredQuestion", { question: event.prompt }));
  }
  return createResult();
}

/** Creates the agent request. Its ids are new, so the agent cannot relate it to a conversation. */
function createAgentRequest({ action, parameters, scope, language, user_id }: UserExecuteRequest): AgentRequest {
  return {
    message_id: createId("req"),
    task_id: createId("task"),
    conversation_id: createId("conv"),
    query: action,
    metadata: {
      user_id,
      ...(Object.keys(parameters).length === 0 ? {} : { current_context: parameters }),
      ...(scope === undefined ? {} : { scope }),
      ...(language === undefined ? {} : { language }),
    },
  };
}
