// Wraps a tool of an MCP server as a tool of the kit: validation, approval of destructive tools, retries, and the
// conversion of its result to text.

import type { CallToolResult } from "@modelcontextprotocol/client";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { toSingleLine } from "../../../lib/single-line.ts";
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
import { MAX_TOOL_NAME_CHARS } from "../tools/toolbox.ts";
import type { ListedMcpTool } from "./mcp-tool-list.ts";
import { formatToolResult } from "./mcp-tool-result.ts";

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
const MAX_DESCRIPTION_CHARS = 2_048;
/** The maximum length of a reason in the server's own words. */
const MAX_REASON_CHARS = 500;

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
 * key; after three attempts it rejects with a `Failure` (`tool_failed`). It is retryable if the server reported an error
 * of the tool (`isError`): the model may call it with other arguments.
 */
export function createMcpTool(listedTool: ListedMcpTool, call: McpToolCaller): AgentTool {
  const { description, title, annotations = {} } = listedTool;
  const name = toModelName(listedTool.name);
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
    description: formatDescription(description || title || ""),
    parameters,
    read_only,
    has_effect: !read_only,
    is_foreign: true,
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

/** Escapes hidden characters and cuts the text, so that a person who reviews it sees what a model reads. */
function formatDescription(text: string): string {
  return truncateWithEllipsis(escapeHiddenControls(truncate(text, MAX_DESCRIPTION_CHARS)), MAX_DESCRIPTION_CHARS - 1);
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
 * Returns a name that models accept. Calls use the original name. A name of other scripts becomes `tool`; a suffix makes
 * it unique later.
 */
function toModelName(name: string): string {
  const mapped = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_TOOL_NAME_CHARS);
  return /[A-Za-z0-9]/.test(mapped) ? mapped : "tool";
}

/**
 * Calls the tool until it succeeds and returns its result as text. Throws a `Failure` (`tool_failed`) with the reason
 * of the last attempt, and the abort reason of the signal.
 */
async function callWithRetry(call: McpToolCaller, toolCall: McpToolCall, isReadOnly: boolean): Promise<string> {
  for (let n = 1; ; n += 1) {
    const outcome = await callOnce(call, toolCall, isReadOnly);
    if (outcome.ok) return outcome.text;
    const { reason, retryable } = outcome;
    if (n === MAX_ATTEMPTS)
      throw new Failure("tool_failed", createToolFailure(toolCall.tool.name, reason), { retryable });
    await sleep(RETRY_PAUSE_MS * n, toolCall.signal);
  }
}

type AttemptOutcome =
  | { readonly ok: true; readonly text: string }
  /** `retryable`: the server answered, and reports an error of the tool. */
  | { readonly ok: false; readonly reason: Message | string; readonly retryable: boolean };

async function callOnce(call: McpToolCaller, toolCall: McpToolCall, isReadOnly: boolean): Promise<AttemptOutcome> {
  try {
    const result = await call(toolCall);
    const text = formatToolResult(result);
    if (result.isError === true) return { ok: false, reason: text, retryable: true };
    return isReadOnly || !reportsFailure(text) ? { ok: true, text } : { ok: false, reason: text, retryable: false };
  } catch (thrown) {
    toolCall.signal.throwIfAborted();
    return { ok: false, reason: getReason(thrown), retryable: false };
  }
}

function getReason(thrown: unknown): Message | string {
  if (thrown instanceof Failure) return thrown.text;
  return thrown instanceof Error ? thrown.message : "";
}

/**
 * True if the result is JSON with `"success": false`. Such a call counts as failed, except that of a read-only tool.
 */
function reportsFailure(text: string): boolean {
  if (!text.includes('"success"')) return false;
  return (tryParseJson(text) as { readonly success?: unknown } | null | undefined)?.success === false;
}

/**
 * Creates the message of a failed call. A reason in the server's own words becomes one line.
 */
function createToolFailure(tool: string, cause: Message | string): Message {
  const reason = typeof cause === "string" ? toSingleLine(cause, MAX_REASON_CHARS) : cause;
  if (reason === "") return createMessage("mcpServer.toolFailedNoReason", { tool });
  return createMessage("mcpServer.toolFailed", { tool, reason });
}
