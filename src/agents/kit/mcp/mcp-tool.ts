// Wraps a tool of an MCP server as a tool of the kit: validation, approval of destructive tools, retries, and the
// conversion of its result to text.

import type { CallToolResult, Tool as ListedMcpTool } from "@modelcontextprotocol/client";
import { sleep } from "../../../lib/retry.ts";
import { createMessage, type Message } from "../../../language/messages.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { tryParseJson } from "../../../lib/parse-json.ts";
import { truncate, truncateWithEllipsis } from "../../../lib/truncate.ts";
import { createApprovalQuestion } from "../tools/approval-question.ts";
import { findSchemaViolation, type JsonSchemaValue, type JsonObject } from "../tools/json-schema.ts";
import type { AgentToolArguments, AgentTool, ToolContext } from "../tools/tool.ts";
import { Failure } from "../../../protocol/wire/message-error.ts";
import { toJson } from "../../../lib/json-value.ts";

export type { ListedMcpTool };

/**
 * A call of an MCP tool. `key` is the same whenever the call is repeated, so that a server which stores the keys does
 * nothing twice.
 */
export type McpToolCall = {
  readonly tool: ListedMcpTool;
  readonly arguments: AgentToolArguments;
  readonly key: string;
  readonly signal: AbortSignal;
};
type McpToolCaller = (called: McpToolCall) => Promise<CallToolResult>;

/** Attempts of one call. The pause before the next attempt is n × `RETRY_PAUSE_MS`. */
const MAX_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 200;
const MAX_DESCRIPTION_CHARS = 4_096;
/** Maximum characters of a tool name that models accept. */
const MAX_NAME_CHARS = 64;

/**
 * Keywords that change the meaning of a schema and are not checked here. If a schema has one, only the server
 * validates.
 */
const UNCHECKED_KEYWORDS =
  /"(\$ref|\$dynamicRef|allOf|not|if|patternProperties|propertyNames|dependentSchemas|dependentRequired|dependencies|contains|unevaluatedProperties|unevaluatedItems)":/;

/**
 * Creates the kit's tool for a listed MCP tool. Characters that models do not accept in names become underscores. A
 * tool with `destructiveHint` asks for approval; a tool with `readOnlyHint` only is read-only. `check` and `call` throw
 * a `Fault` (`invalid_request`) for arguments that do not match the schema. A call that fails is repeated with the same
 * key; after three attempts it rejects with a `Failure` (`tool_failed`).
 */
export function createMcpTool(listedTool: ListedMcpTool, call: McpToolCaller): AgentTool {
  const { description, title, annotations = {} } = listedTool;
  const name = listedTool.name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS);
  const parameters = listedTool.inputSchema as Readonly<Record<string, unknown>>;
  const isDestructive = annotations.destructiveHint === true;
  // A tool that is marked as read-only and destructive counts as destructive.
  const read_only = annotations.readOnlyHint === true && !isDestructive;
  const isChecked = !UNCHECKED_KEYWORDS.test(JSON.stringify(parameters));
  const parseArguments = (args: unknown): AgentToolArguments => {
    const jsonArguments = toJson(args) as JsonSchemaValue;
    const problem = isChecked ? findArgumentProblem(parameters as JsonObject, jsonArguments) : null;
    if (typeof jsonArguments !== "object" || jsonArguments === null || Array.isArray(jsonArguments))
      throw new Fault("invalid_request", `Wrong arguments for ${name}: they must be an object.`);
    if (problem !== null) throw new Fault("invalid_request", `Wrong arguments for ${name}: ${problem}`);
    return jsonArguments;
  };
  return {
    name,
    description: truncate(description ?? title ?? "", MAX_DESCRIPTION_CHARS),
    parameters,
    read_only,
    check(args) {
      const jsonArguments = parseArguments(args);
      return {
        arguments: jsonArguments,
        question: isDestructive ? createApprovalQuestion(name, jsonArguments, parameters) : null,
      };
    },
    call: (args, context) =>
      callWithRetry(call, { tool: listedTool, arguments: parseArguments(args), ...getCallOptions(context) }, read_only),
  };
}

/** Returns the tools with unique names: a repeated name gets the suffix `_2`, `_3`, … in the order of the list. */
export function makeNamesUnique(tools: readonly AgentTool[]): AgentTool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let n = 2; taken.has(name); n += 1) name = `${tool.name.slice(0, MAX_NAME_CHARS - 4)}_${n}`;
    taken.add(name);
    return { ...tool, name };
  });
}

function getCallOptions({ request, call_id, signal }: ToolContext): { key: string; signal: AbortSignal } {
  return { key: `${request.message_id}/${call_id.slice(call_id.lastIndexOf("/") + 1)}`, signal };
}

function findArgumentProblem(schema: JsonObject, value: JsonSchemaValue): string | null {
  try {
    return findSchemaViolation(schema, value);
  } catch {
    return null;
  }
}

/**
 * Calls the tool until it succeeds and returns its result as text. Throws a `Failure` (`tool_failed`) with the reason
 * of the last attempt, and the abort reason of the signal.
 */
async function callWithRetry(call: McpToolCaller, toolCall: McpToolCall, isReadOnly: boolean): Promise<string> {
  for (let n = 1; ; n += 1) {
    const outcome = await callOnce(call, toolCall, isReadOnly);
    if (outcome.ok) return outcome.text;
    if (n === MAX_ATTEMPTS) throw new Failure("tool_failed", createToolFailure(toolCall.tool.name, outcome.reason));
    await sleep(RETRY_PAUSE_MS * n, toolCall.signal);
  }
}

async function callOnce(
  call: McpToolCaller,
  toolCall: McpToolCall,
  isReadOnly: boolean,
): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: Message | string }> {
  try {
    const result = await call(toolCall);
    const text = formatToolResult(result);
    const isSuccess = result.isError !== true && (isReadOnly || !reportsFailure(text));
    return isSuccess ? { ok: true, text } : { ok: false, reason: text };
  } catch (thrown) {
    toolCall.signal.throwIfAborted();
    if (thrown instanceof Failure) return { ok: false, reason: thrown.text };
    return { ok: false, reason: thrown instanceof Error ? thrown.message : "" };
  }
}

/**
 * True if the result is JSON with `"success": false`. Such a call counts as failed, except that of a read-only tool.
 */
function reportsFailure(text: string): boolean {
  if (!text.includes('"success"')) return false;
  return (tryParseJson(text) as { readonly success?: unknown } | null | undefined)?.success === false;
}

function formatToolResult({ structuredContent, content }: CallToolResult): string {
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(formatContentPart).join("\n");
}

function formatContentPart(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource_link":
      return part.uri;
    case "resource":
      return "text" in part.resource ? part.resource.text : `[${part.resource.uri}]`;
    case "image":
    case "audio":
      return `[${part.type} ${part.mimeType}]`;
  }
}

/**
 * Creates the message of a failed call. A reason in the server's own words becomes a line of at most 500 characters.
 */
function createToolFailure(tool: string, cause: Message | string): Message {
  const reason = typeof cause === "string" ? truncateWithEllipsis(cause.replace(/\s+/g, " ").trim(), 499) : cause;
  if (reason === "") return createMessage("mcpServer.toolFailedNoReason", { tool });
  return createMessage("mcpServer.toolFailed", { tool, reason });
}
