// The tools of the MCP server.
//
// The table is constant. The only state is the cached description of the tools, which is the same for all users.

import * as z from "zod";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseOrThrow, toFault, type Fault } from "../../protocol/wire/fault.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { parseCommandId } from "../command-id.ts";
import { conversationIdSchema } from "../api/id-validation.ts";
import type { Operations } from "../api/operations.ts";
import { askResultSchema, answerAndWait, continueCall, sendAndWait, type ToolCallContext } from "./ask-tool.ts";
import { IDEMPOTENCY_KEY, type McpParams } from "./mcp-message.ts";

/** The result of a call (`CallToolResult` of MCP). */
export type McpToolResult = {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: object;
  readonly isError?: true;
};

/** The definition of a tool. */
type McpToolDefinition = {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodType;
  readonly annotations: object;
  /** Runs the tool. Validates `args` by `input`, and throws a `Fault`. */
  readonly call: (args: unknown, asking: ToolCallContext) => Promise<object>;
};

const conversation = conversationIdSchema.describe(
  "Goes on with this conversation, and answers its question if it waits for one. Without it a new one begins.",
);
const agentName = z.string().min(1).max(128);

const askInput = z.strictObject({
  message: z.string().describe("What to do or to know, in the words of the person."),
  conversation_id: conversation.optional(),
  agent: agentName.optional().describe("Names one agent; without it the runtime decides who does what."),
  request_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("Which question of the conversation the message answers; needed where several are open."),
});
const runInput = z.strictObject({
  agent: agentName.describe("One of list_agents."),
  message: z.string().describe("What it is to do, complete in itself."),
});
const noInput = z.strictObject({});
const schedulesInput = z.strictObject({
  action: z.enum(["list", "pause", "resume", "delete", "run"]),
  id: z.string().min(1).max(128).optional().describe("The schedule; needed for every action but list."),
});

/** All tools by name. */
const TOOLS: Readonly<Record<string, McpToolDefinition>> = {
  ask: {
    title: "Ask Orrery",
    description:
      "Has a message answered by a runtime of several agents: it answers by itself, or plans the work and has its agents do it. When it needs something from the person, the status is input_required with the question; call again with the conversation_id and the answer as message, and with the request_id of the question when there are several. The work goes on when a call is left early.",
    input: askInput,
    output: askResultSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, asking) {
      const { message, conversation_id, agent, request_id } = parseOrThrow(askInput, args);
      if (request_id !== undefined) {
        if (conversation_id === undefined || agent !== undefined) throw createMisplacedIdFault();
        return answerAndWait(asking, conversation_id, { message, request_id }, asking.key);
      }
      if (agent !== undefined) await assertAgentEnabled(asking.operations, agent);
      return sendAndWait(asking, { message, ...(agent === undefined ? {} : { agent }) }, conversation_id);
    },
  },
  run_agent: {
    title: "Run one agent",
    description:
      "Has one agent do one thing, in a new conversation. A question of the agent is answered with ask, its conversation_id and the answer as message.",
    input: runInput,
    output: askResultSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, asking) {
      const { agent, message } = parseOrThrow(runInput, args);
      await assertAgentEnabled(asking.operations, agent);
      return sendAndWait(asking, { message, agent });
    },
  },
  list_agents: {
    title: "List agents",
    description: "The agents that can be run, with what each of them can do.",
    input: noInput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    async call(args, { operations }) {
      parseOrThrow(noInput, args);
      const { agents } = await operations.agents({});
      const listed = agents.flatMap(({ name, description, skills, enabled }) =>
        enabled ? [{ name, description, skills: skills.map((skill) => `${skill.name}: ${skill.description}`) }] : [],
      );
      return buildMcpResult(listed.map(({ name, description }) => `${name}: ${description}`).join("\n"), {
        agents: listed,
      });
    },
  },
  schedules: {
    title: "Schedules",
    description:
      "Lists the work that recurs, and pauses, resumes, deletes or runs one schedule. New ones come from ask.",
    input: schedulesInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, { operations, key }) {
      const { action, id } = parseOrThrow(schedulesInput, args);
      if (action === "list")
        return buildScheduleList((await operations.listSchedules({ query: { limit: 100 } })).schedules);
      if (id === undefined)
        throw createFault("invalid_request", createMessage("mcp.scheduleIdRequired", { action }), { field: "id" });
      return applyScheduleAction(operations, action, id, key);
    },
  },
};

type ScheduleAction = "pause" | "resume" | "delete" | "run";

/** Applies an action to a schedule and returns the result of the call. */
async function applyScheduleAction(
  operations: Operations,
  action: ScheduleAction,
  id: string,
  key?: string,
): Promise<McpToolResult> {
  switch (action) {
    case "pause":
    case "resume":
      return buildScheduleList([
        await operations.updateSchedule({ id, body: { status: action === "pause" ? "paused" : "active" } }),
      ]);
    case "delete":
      return buildMcpResult(`Schedule ${id} deleted.`, await operations.deleteSchedule({ id }));
    case "run": {
      const { conversation_id, thread_id } = await operations.runSchedule({ id, commandId: key });
      return buildMcpResult(`Schedule ${id} started. Its result will be in its conversation.`, {
        conversation_id,
        thread_id,
      });
    }
  }
}

/** Returns schedules as a result, one per line. */
function buildScheduleList(schedules: readonly Schedule[]): McpToolResult {
  const lines = schedules.map(({ schedule_id, title, status, next_run_at: next, agent_name }) => {
    const when = next === undefined ? "" : `, next ${new Date(next).toISOString()}`;
    return `${schedule_id}: ${title} (${agent_name}, ${status}${when})`;
  });
  return buildMcpResult(lines.length === 0 ? "No schedules." : lines.join("\n"), { schedules });
}

function createMisplacedIdFault(): Fault {
  return createFault("invalid_request", "mcp.requestIdMisplaced", { field: "request_id" });
}

/** Throws `not_found` or `conflict` unless there is an enabled agent of this name. */
async function assertAgentEnabled(operations: Operations, name: string): Promise<void> {
  const { agents } = await operations.agents({});
  const found = agents.find((agent) => agent.name === name);
  if (found?.enabled === true) return;
  if (found !== undefined) throw createFault("conflict", createMessage("agent.disabled", { name }), { field: "agent" });
  throw createFault("not_found", createMessage("mcp.agentNotFound", { name }));
}

/** Returns a result of text and structured content. */
function buildMcpResult(text: string, structuredContent: object): McpToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** The descriptions, computed at the first use. */
let cachedDescriptions: readonly object[] | undefined;

/** Returns the descriptions of all tools, as in the result of `tools/list`. */
export function describeMcpTools(): readonly object[] {
  return (cachedDescriptions ??= Object.entries(TOOLS).map(
    ([name, { title, description, input, output, annotations }]) => ({
      name,
      title,
      description,
      inputSchema: z.toJSONSchema(input, { io: "input" }),
      ...(output === undefined ? {} : { outputSchema: z.toJSONSchema(output) }),
      annotations: { title, ...annotations },
    }),
  ));
}

/** True for the name of a tool of this server. */
export function isMcpToolName(name: unknown): name is string {
  return typeof name === "string" && Object.hasOwn(TOOLS, name);
}

/** True for tools that wait for a thread, so their progress is worth reporting. */
export function isLongRunning(name: unknown): boolean {
  return name === "ask" || name === "run_agent";
}

/** The context of a call without its idempotency key, which is in the parameters of the call. */
export type McpCallContext = Omit<ToolCallContext, "key">;

/**
 * Calls a known tool, or continues a call that ended with an elicitation. Never rejects: a failure is a result with
 * `isError`, so that the model can read it and correct the call.
 */
export async function callMcpTool(
  name: string,
  { arguments: args = {}, _meta: meta }: McpParams,
  context: McpCallContext,
): Promise<object> {
  try {
    const toolContext = { ...context, key: parseCommandId(`_meta.${IDEMPOTENCY_KEY}`, meta?.[IDEMPOTENCY_KEY]) };
    const { answers } = toolContext;
    if (answers !== null && isLongRunning(name)) return await continueCall(toolContext, answers);
    return (await TOOLS[name]?.call(args, toolContext)) ?? {};
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A tool failed", fault.cause ?? thrown);
    const sentence =
      fault.detail.problems?.map(({ path, message }) => `${path}: ${message}`).join("\n") ?? fault.message;
    return { content: [{ type: "text", text: sentence }], isError: true };
  }
}
