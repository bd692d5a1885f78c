// Wraps a tool of an MCP server as a tool of the kit: validation, approval of destructive tools, retries, and the
// conversion of its result to text.

import type { CallToolResult, Tool as Listed } from "@modelcontextprotocol/client";
import { pause } from "../../models/backoff.ts";
import { Fault } from "../../protocol/fault.ts";
import { jsonIn } from "../../protocol/json-text.ts";
import { cut, shortened } from "../../protocol/shortened.ts";
import { approvalOf } from "./approval.ts";
import { RunFailed } from "./failure.ts";
import { asJson } from "./json.ts";
import { problemWith, type Json, type JsonObject } from "./json-schema.ts";
import type { Arguments, Tool, ToolContext } from "./tool.ts";

export type { Listed };
/**
 * A call of an MCP tool. `key` is the same whenever the call is repeated, so that a server which stores the keys does
 * nothing twice.
 */
export type Called = {
  readonly tool: Listed;
  readonly arguments: Arguments;
  readonly key: string;
  readonly signal: AbortSignal;
};
type Call = (called: Called) => Promise<CallToolResult>;

/** Attempts of one call. The pause before the next attempt is n × `RETRY_PAUSE_MS`. */
const TRIES = 3;
const PAUSE_MS = 200;
const MAX_DESCRIPTION_CHARS = 4_096;
/** Maximum characters of a tool name that models accept. */
const MAX_NAME_CHARS = 64;

/**
 * Keywords that change the meaning of a schema and are not checked here. If a schema has one, only the server
 * validates.
 */
const BEYOND =
  /"(\$ref|\$dynamicRef|allOf|not|if|patternProperties|propertyNames|dependentSchemas|dependentRequired|dependencies|contains|unevaluatedProperties|unevaluatedItems)":/;

/**
 * Creates the kit's tool for a listed MCP tool. Characters that models do not accept in names become underscores. A
 * tool with `destructiveHint` asks for approval; one with `readOnlyHint` is read-only.
 */
export function toolOf(listed: Listed, call: Call): Tool {
  const { description, title, annotations = {} } = listed;
  const name = listed.name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS);
  const parameters = listed.inputSchema as Readonly<Record<string, unknown>>;
  const isDestructive = annotations.destructiveHint === true;
  // A tool that is marked as read-only and destructive counts as destructive.
  const read_only = annotations.readOnlyHint === true && !isDestructive;
  const isChecked = !BEYOND.test(JSON.stringify(parameters));
  const read = (args: unknown): Arguments => {
    const given = asJson(args) as Json;
    const problem = isChecked ? problemIn(parameters as JsonObject, given) : null;
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Fault("invalid_request", `Wrong arguments for ${name}: they must be an object.`);
    if (problem !== null) throw new Fault("invalid_request", `Wrong arguments for ${name}: ${problem}`);
    return given;
  };
  return {
    name,
    description: cut(description ?? title ?? "", MAX_DESCRIPTION_CHARS),
    parameters,
    read_only,
    check(args) {
      const given = read(args);
      return { arguments: given, question: isDestructive ? approvalOf(name, given, parameters) : null };
    },
    call: (args, context) => tried(call, { tool: listed, arguments: read(args), ...marked(context) }, read_only),
  };
}

/** Makes names unique: a repeated name gets the suffix `_2`, `_3`, … in the order of the list. */
export function namedApart(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let n = 2; taken.has(name); n += 1) name = `${tool.name.slice(0, MAX_NAME_CHARS - 4)}_${n}`;
    taken.add(name);
    return { ...tool, name };
  });
}

function marked({ request, call_id, signal }: ToolContext): { key: string; signal: AbortSignal } {
  return { key: `${request.message_id}/${call_id.slice(call_id.lastIndexOf("/") + 1)}`, signal };
}

/** Returns the problem of a value; null if it is valid or the schema cannot be read. */
function problemIn(schema: JsonObject, value: Json): string | null {
  try {
    return problemWith(schema, value);
  } catch {
    return null;
  }
}

/**
 * Calls the tool until it succeeds and returns its result as text. Throws `RunFailed` with the reason of the last
 * attempt, and the abort reason of the signal.
 */
async function tried(call: Call, called: Called, isLooking: boolean): Promise<string> {
  for (let n = 1; ; n += 1) {
    const outcome = await once(call, called, isLooking);
    if (outcome.ok) return outcome.text;
    if (n === TRIES) throw new RunFailed(`${called.tool.name} failed: ${brief(outcome.text)}`, "tool_failed");
    await pause(PAUSE_MS * n, called.signal);
  }
}

async function once(
  call: Call,
  called: Called,
  isLooking: boolean,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    const result = await call(called);
    const text = textOf(result);
    return { ok: result.isError !== true && (isLooking || !saysNo(text)), text };
  } catch (thrown) {
    called.signal.throwIfAborted();
    return { ok: false, text: thrown instanceof Error ? thrown.message : "it gave no reason" };
  }
}

/**
 * True if the result is JSON with `"success": false`. Such a call counts as failed, except that of a read-only tool.
 */
function saysNo(text: string): boolean {
  if (!text.includes('"success"')) return false;
  return (jsonIn(text) as { readonly success?: unknown } | null | undefined)?.success === false;
}

function textOf({ structuredContent, content }: CallToolResult): string {
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(wordsOf).join("\n");
}

function wordsOf(part: CallToolResult["content"][number]): string {
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

function brief(words: string): string {
  const line = words.replace(/\s+/g, " ").trim();
  if (line === "") return "it gave no reason";
  return shortened(line, 499);
}
