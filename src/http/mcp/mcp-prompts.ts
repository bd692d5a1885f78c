// The prompts of the MCP server: the released workflows of the caller (U1). The arguments are the values that a workflow
// needs at its start, and the prompt asks the client's model to run the workflow with them. The module has no state.

import * as z from "zod";
import { listRequiredInputs } from "../../core/listeners/validate-template.ts";
import { formatEnglish } from "../../language/messages.ts";
import { toFault } from "../../protocol/wire/fault.ts";
import type { WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import type { Operations } from "../api/operations.ts";
import { RPC_CODES, RpcError, type McpParams } from "./mcp-message.ts";

/** Every prompt of a page is read by itself, because the list of workflows does not contain their inputs. */
const PAGE_SIZE = 20;

/** Returns a page of the released workflows, newest first. Throws `invalid_request` for an invalid cursor. */
export async function listPrompts(operations: Operations, cursor: string | undefined): Promise<object> {
  const query = { limit: PAGE_SIZE, cursor, status: "released" as const };
  const { templates, next_cursor } = await operations.listPlanTemplates({ query });
  const prompts = await Promise.all(
    templates.map(async ({ plan_id: id }) => describePrompt(await operations.planTemplate({ id, query: {} }))),
  );
  return { prompts, ...(next_cursor === null ? {} : { nextCursor: next_cursor }) };
}

function describePrompt(template: WorkflowTemplate): object {
  const { plan_id, name, description } = template;
  const inputs = listRequiredInputs(template).map((input) => ({ name: input, required: true }));
  return { name: plan_id, title: name, description: description === "" ? name : description, arguments: inputs };
}

/** The texts of the arguments by name. */
const argumentsSchema = z.record(z.string(), z.string()).default({});

/** Returns a prompt with its arguments. Throws an `RpcError` for an unknown prompt, and for missing arguments. */
export async function getPrompt(operations: Operations, { name, arguments: args }: McpParams): Promise<object> {
  const template = await findReleasedTemplate(operations, typeof name === "string" ? name.slice(0, 128) : "");
  const values = argumentsSchema.safeParse(args);
  const inputs = listRequiredInputs(template);
  const missing = inputs.filter((input) => (values.data?.[input] ?? "").trim() === "");
  if (missing.length > 0)
    throw new RpcError(RPC_CODES.params, formatEnglish("mcp.promptArgumentsMissing", { names: missing }));
  const { plan_id, name: title, description } = template;
  const lines = inputs.map((input) => `- ${input}: ${values.data?.[input] ?? ""}`);
  const intro = formatEnglish(lines.length === 0 ? "mcp.promptText" : "mcp.promptTextWithValues", {
    title,
    agent: plan_id,
  });
  const text = lines.length === 0 ? intro : `${intro}\n\n${lines.join("\n")}`;
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}

/** Returns a released workflow. Throws an `RpcError` if the caller has none with this id. */
async function findReleasedTemplate(operations: Operations, id: string): Promise<WorkflowTemplate> {
  const template = await operations.planTemplate({ id, query: {} }).catch((thrown: unknown) => {
    if (toFault(thrown).code === "not_found") return null;
    throw thrown;
  });
  if (template?.status === "released") return template;
  throw new RpcError(RPC_CODES.params, formatEnglish("mcp.unknownPrompt", { name: id }));
}
