// Agents that are configured, not written: a name, instructions, and an MCP server whose tools they may use.

import * as z from "zod";
import { agentCardSchema, skillSchema, type AgentCard } from "./agent.ts";
import type { Result } from "./result.ts";
import { jsonSchema } from "./json.ts";

/** `binding`: a service binding of the deployment called `MCP_…`. `headers` go with every request and are never shown. */
export const mcpServerSchema = z.union([
  z.strictObject({ binding: z.string().regex(/^MCP_[A-Z0-9_]{1,60}$/, "must be a binding called MCP_…") }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    headers: z.record(z.string().max(128), z.string().max(4_096)).optional(),
  }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

export const appSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be 1 to 64 letters, digits, hyphens or underscores"),
  display_name: z.string().max(200).optional(),
  description: z.string().min(1).max(4_096),
  /** What the agent is told of its work. */
  instructions: z.string().max(16_384).default(""),
  skills: z.array(skillSchema).max(50).default([]),
  mcp: mcpServerSchema,
  /** The tools that it may use; all of the server's when absent. */
  tools: z.array(z.string().max(128)).max(200).optional(),
});
export type App = z.infer<typeof appSchema>;
export type AppInput = z.input<typeof appSchema>;

/** What everybody may read of it. */
export function cardOfApp({ name, display_name, description, skills }: App): AgentCard {
  return agentCardSchema.parse({ name, display_name, description, skills, version: "1.0.0" });
}

/** What runs the apps, besides A2A. */
export type AppsApi = {
  /** Looks whether the MCP server is there and has the tools that the app may use. */
  check(app: App): Promise<Result<null>>;
};

/** One request to an agent and its answer, without a conversation around it (F135, X17). */
export const executeSchema = z.strictObject({
  action: z.string().min(1).max(16_384),
  parameters: z.record(z.string(), jsonSchema).default({}),
  /** `read_only`: nothing may be changed by it. */
  scope: z.enum(["read_only"]).optional(),
  /** Of the answer, where the action has none of its own: a tag such as `zh-CN`. */
  language: z.string().max(35).optional(),
});
export type Execute = z.infer<typeof executeSchema>;
export type ExecuteInput = z.input<typeof executeSchema>;

export const executedSchema = z.object({
  success: z.boolean(),
  response: z.string(),
  tools_used: z.array(z.string()),
  /** What the last tool answered, parsed where it is JSON; null when none was used. */
  result: jsonSchema,
  /** Why there is no success. */
  error: z.string().optional(),
  /** Milliseconds. */
  execution_time: z.number(),
});
export type Executed = z.infer<typeof executedSchema>;
