// Agents defined by a configuration instead of code: a name, instructions, and an MCP server with the tools they may
// use.

import * as z from "zod";
import { UNTRUSTED_INPUT_POLICIES } from "../provenance/untrusted-input-policy.ts";
import { agentCardSchema, skillSchema, type AgentCard, type AgentChecks } from "./agent.ts";
import type { InternalResult } from "../wire/rpc-result.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { storableTextSchema } from "../../lib/storable-text.ts";
import { visibleLineSchema, visibleTextSchema } from "../../lib/title.ts";
import { languageSchema } from "../wire/commands.ts";

/**
 * `binding`: a service binding of the deployment named `MCP_…`. `headers` are sent with every request and never shown.
 */
export const mcpServerSchema = z.union([
  z.strictObject({ binding: z.string().regex(/^MCP_[A-Z0-9_]{1,60}$/, "must be a binding called MCP_…") }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    headers: z.record(z.string().max(128), z.string().max(4_096)).optional(),
  }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

export const appConfigSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be 1 to 64 letters, digits, hyphens or underscores"),
  display_name: visibleLineSchema.max(200).optional(),
  description: visibleTextSchema.min(1).max(4_096),
  /** The system prompt of the agent. */
  instructions: storableTextSchema.max(16_384).default(""),
  skills: z.array(skillSchema).max(50).default([]),
  mcp: mcpServerSchema,
  /** Names of the tools that the agent may use. All tools of the server if absent. */
  tools: z.array(z.string().max(128)).max(200).optional(),
  /** The policy for calls with an effect whose arguments come from untrusted text; `ask` if absent. */
  untrusted_input: z.enum(UNTRUSTED_INPUT_POLICIES).optional(),
});
export type AppConfig = z.infer<typeof appConfigSchema>;
export type AppConfigInput = z.input<typeof appConfigSchema>;

/**
 * Creates the public card of an app. It contains neither the instructions nor the MCP server. `tools` are the read-only
 * tools of the server.
 */
export function createAppCard(
  { name, display_name, description, skills }: AppConfig,
  tools: AgentChecks["tools"] = [],
): AgentCard {
  return agentCardSchema.parse({ name, display_name, description, skills, version: "1.0.0", checks: { tools } });
}

/** The RPC interface of the entrypoint that runs apps. It also speaks A2A. */
export type AppsApi = {
  /** Checks that the MCP server is reachable and has the tools of the app. Returns those of them that are read-only. */
  check(app: AppConfig): Promise<InternalResult<AgentChecks["tools"]>>;
};

/** A single request to an agent, without a conversation (F135, X17). */
export const executeRequestSchema = z.strictObject({
  action: storableTextSchema.min(1).max(16_384),
  parameters: z.record(z.string(), jsonValueSchema).default({}),
  /** `read_only`: the request must not change anything. */
  scope: z.enum(["read_only"]).optional(),
  /** Language tag of the answer, such as `zh-CN`, if the text of the action does not determine one. */
  language: languageSchema.optional(),
});
export type ExecuteRequest = z.infer<typeof executeRequestSchema>;
export type ExecuteRequestInput = z.input<typeof executeRequestSchema>;

/** The outcome of an execute request. A failed request has `success: false` and `error`. */
export const executeResponseSchema = z.object({
  success: z.boolean(),
  response: z.string(),
  tools_used: z.array(z.string()),
  /** The result of the last tool, parsed if it is JSON. Null if no tool was used. */
  result: jsonValueSchema,
  /** The reason of the failure. */
  error: z.string().optional(),
  /** Duration in ms. */
  execution_time: z.number(),
});
export type ExecuteResponse = z.infer<typeof executeResponseSchema>;
