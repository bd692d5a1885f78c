// Extracts the values with which a plan starts from the person's text.

import * as z from "zod";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { AgentRunEvent } from "../kit/agent.ts";
import { requestToolCall } from "../kit/tools/request-tool-call.ts";
import { formatQuery, type ModelMessage } from "../kit/agent-prompt.ts";
import type { WorkflowRunContext } from "./workflow-context.ts";

const extractedValuesSchema = z.object({
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/**
 * Returns the values that `answer`, or the request if it is null, states for these names. Calls the model, except if
 * there are no names or a short answer belongs to a single name. Missing names are left out; the result is empty if the
 * model does not call the tool. Throws `agent_exhausted` and errors of the model.
 */
export async function* extractValues(
  ctx: WorkflowRunContext,
  names: readonly string[],
  answer: string | null,
): AsyncGenerator<AgentRunEvent, WorkflowTaskContext> {
  if (names.length === 0) return {};
  const [only] = names;
  // An answer to a question about one value is that value.
  if (answer !== null && only !== undefined && names.length === 1 && isBareValue(answer))
    return { [only]: answer.trim() };
  const messages: ModelMessage[] = [{ role: "user", content: answer ?? formatQuery(ctx.request) }];
  const reply = yield* requestToolCall(ctx, createStartTool(names), messages);
  if (reply.kind !== "called") return {};
  const stated = Object.entries(reply.value.context).filter(([name, value]) => names.includes(name) && value !== "");
  return Object.fromEntries(stated);
}

/** Returns the texts and numbers with these names in the current context of the request. */
export function getContextValues({ request }: WorkflowRunContext, names: readonly string[]): WorkflowTaskContext {
  const contextValues = Object.entries(request.metadata.current_context ?? {});
  return Object.fromEntries(
    contextValues.flatMap(([name, value]) =>
      names.includes(name) && (typeof value === "string" || typeof value === "number") ? [[name, value]] : [],
    ),
  );
}

/** True if an answer looks like a bare value: one short line without a colon or equals sign. */
function isBareValue(answer: string): boolean {
  return answer.trim().length <= 200 && !/[\n:：=]/.test(answer);
}

function createStartTool(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return {
    name: "start_plan",
    description: "Starts the process with what is stated about its subject.",
    schema: extractedValuesSchema,
    parameters: {
      type: "object",
      properties: { context: { type: "object", properties, additionalProperties: false } },
      required: ["context"],
      additionalProperties: false,
    },
  };
}
