// A tool of an MCP server as a tool of the kit.

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
/** `key` is the same when a call is repeated: a server that knows it does nothing twice. */
export type Called = {
  readonly tool: Listed;
  readonly arguments: Arguments;
  readonly key: string;
  readonly signal: AbortSignal;
};
type Call = (called: Called) => Promise<CallToolResult>;

const TRIES = 3;
const PAUSE_MS = 200;
const MAX_DESCRIPTION_CHARS = 4_096;
/** What models take as the name of a tool. */
const MAX_NAME_CHARS = 64;

/** With these a schema means more than is checked here, and what is left of it may mean something else: the server decides. */
const BEYOND =
  /"(\$ref|\$dynamicRef|allOf|not|if|patternProperties|propertyNames|dependentSchemas|dependentRequired|dependencies|contains|unevaluatedProperties|unevaluatedItems)":/;

export function toolOf(listed: Listed, call: Call): Tool {
  const { description, title, annotations = {} } = listed;
  const name = listed.name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS);
  const parameters = listed.inputSchema as Readonly<Record<string, unknown>>;
  const isDestructive = annotations.destructiveHint === true;
  // A server that says both of a tool is not believed.
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

/** Names that became the same are told apart, in the order of the list. */
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

/** A schema that cannot be read says nothing of its values. */
function problemIn(schema: JsonObject, value: Json): string | null {
  try {
    return problemWith(schema, value);
  } catch {
    return null;
  }
}

/** What the tool answers, at the latest try. Throws `RunFailed` with the last reason. */
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

/** Work that its own result calls undone was not done. Of a tool that looks, the same is an answer. */
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
