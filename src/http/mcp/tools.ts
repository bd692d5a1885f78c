// The tools of the MCP server.
//
// The table is constant. The only state is the cached description of the tools, which is the same for all users.

import * as z from "zod";
import { Fault, parseWith, toFault } from "../../protocol/fault.ts";
import type { Schedule } from "../../protocol/recurring.ts";
import { commandIdAt } from "../command-id.ts";
import { conversationIdSchema } from "../ids.ts";
import type { Verbs } from "../verbs.ts";
import { answerSchema, answerTo, askAgain, askRuntime, type Asking } from "./ask.ts";
import { IDEMPOTENCY_KEY, type Params } from "./message.ts";

/** The result of a call (`CallToolResult` of MCP). */
export type ToolResult = {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: object;
  readonly isError?: true;
};

/** The definition of a tool. */
type Tool = {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodType;
  readonly annotations: object;
  /** Runs the tool. Validates `args` by `input`, and throws a `Fault`. */
  readonly call: (args: unknown, asking: Asking) => Promise<object>;
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
const nothing = z.strictObject({});
const schedulesInput = z.strictObject({
  action: z.enum(["list", "pause", "resume", "delete", "run"]),
  id: z.string().min(1).max(128).optional().describe("The schedule; needed for every action but list."),
});

/** All tools by name. */
const TOOLS: Readonly<Record<string, Tool>> = {
  ask: {
    title: "Ask Orrery",
    description:
      "Has a message answered by a runtime of several agents: it answers by itself, or plans the work and has its agents do it. When it needs something from the person, the status is input_required with the question; call again with the conversation_id and the answer as message, and with the request_id of the question when there are several. The work goes on when a call is left early.",
    input: askInput,
    output: answerSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, asking) {
      const { message, conversation_id, agent, request_id } = parseWith(askInput, args);
      if (request_id !== undefined) {
        if (conversation_id === undefined || agent !== undefined) throw misplaced();
        return answerTo(asking, conversation_id, { message, request_id }, asking.key);
      }
      if (agent !== undefined) await enabledAgent(asking.verbs, agent);
      return askRuntime(asking, { message, ...(agent === undefined ? {} : { agent }) }, conversation_id);
    },
  },
  run_agent: {
    title: "Run one agent",
    description:
      "Has one agent do one thing, in a new conversation. A question of the agent is answered with ask, its conversation_id and the answer as message.",
    input: runInput,
    output: answerSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, asking) {
      const { agent, message } = parseWith(runInput, args);
      await enabledAgent(asking.verbs, agent);
      return askRuntime(asking, { message, agent });
    },
  },
  list_agents: {
    title: "List agents",
    description: "The agents that can be run, with what each of them can do.",
    input: nothing,
    annotations: { readOnlyHint: true, openWorldHint: false },
    async call(args, { verbs }) {
      parseWith(nothing, args);
      const { agents } = await verbs.agents();
      const listed = agents.flatMap(({ name, description, skills, enabled }) =>
        enabled ? [{ name, description, skills: skills.map((skill) => `${skill.name}: ${skill.description}`) }] : [],
      );
      return said(listed.map(({ name, description }) => `${name}: ${description}`).join("\n"), { agents: listed });
    },
  },
  schedules: {
    title: "Schedules",
    description:
      "Lists the work that recurs, and pauses, resumes, deletes or runs one schedule. New ones come from ask.",
    input: schedulesInput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async call(args, { verbs, key }) {
      const { action, id } = parseWith(schedulesInput, args);
      if (action === "list") return listed((await verbs.listSchedules(100)).schedules);
      if (id === undefined) throw new Fault("invalid_request", `id: say which schedule to ${action}`, { field: "id" });
      return changed(verbs, action, id, key);
    },
  },
};

type Change = "pause" | "resume" | "delete" | "run";

/** Applies an action to a schedule and returns the result of the call. */
async function changed(verbs: Verbs, action: Change, id: string, key?: string): Promise<ToolResult> {
  switch (action) {
    case "pause":
    case "resume":
      return listed([await verbs.updateSchedule(id, { status: action === "pause" ? "paused" : "active" })]);
    case "delete":
      return said(`The schedule ${id} is deleted.`, await verbs.deleteSchedule(id));
    case "run": {
      const { conversation_id, thread_id } = await verbs.runSchedule(id, key);
      return said(`The schedule ${id} runs; its result will be in its conversation.`, { conversation_id, thread_id });
    }
  }
}

/** Returns schedules as a result, one per line. */
function listed(schedules: readonly Schedule[]): ToolResult {
  const lines = schedules.map(({ schedule_id, title, status, next_run_at: next, agent_name }) => {
    const when = next === undefined ? "" : `, next ${new Date(next).toISOString()}`;
    return `${schedule_id}: ${title} (${agent_name}, ${status}${when})`;
  });
  return said(lines.length === 0 ? "There are no schedules." : lines.join("\n"), { schedules });
}

function misplaced(): Fault {
  return new Fault("invalid_request", "request_id: goes with a conversation_id, and without an agent", {
    field: "request_id",
  });
}

/** Throws `not_found` or `conflict` unless there is an enabled agent of this name. */
async function enabledAgent(verbs: Verbs, name: string): Promise<void> {
  const { agents } = await verbs.agents();
  const found = agents.find((agent) => agent.name === name);
  if (found?.enabled === true) return;
  if (found !== undefined) throw new Fault("conflict", `The agent ${name} is switched off.`, { field: "agent" });
  throw new Fault("not_found", `There is no agent ${JSON.stringify(name)}. list_agents names those there are.`);
}

/** Returns a result of text and structured content. */
function said(text: string, structuredContent: object): ToolResult {
  return { content: [{ type: "text", text }], structuredContent };
}

/** The descriptions, computed at the first use. */
let described: readonly object[] | undefined;

/** Returns the descriptions of all tools, as in the result of `tools/list`. */
export function toolList(): readonly object[] {
  return (described ??= Object.entries(TOOLS).map(([name, { title, description, input, output, annotations }]) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }),
    ...(output === undefined ? {} : { outputSchema: z.toJSONSchema(output) }),
    annotations: { title, ...annotations },
  })));
}

export function isTool(name: unknown): name is string {
  return typeof name === "string" && Object.hasOwn(TOOLS, name);
}

/** True for tools that wait for a thread, so their progress is worth reporting. */
export function isLong(name: unknown): boolean {
  return name === "ask" || name === "run_agent";
}

/** The context of a call without its idempotency key, which is in the parameters of the call. */
export type Caller = Omit<Asking, "key">;

/**
 * Calls a known tool. Never rejects: a failure is a result with `isError`, so that the model can read it and correct
 * the call.
 */
export async function callTool(
  name: string,
  { arguments: args = {}, _meta: meta }: Params,
  caller: Caller,
): Promise<object> {
  try {
    const asking = { ...caller, key: commandIdAt(`_meta.${IDEMPOTENCY_KEY}`, meta?.[IDEMPOTENCY_KEY]) };
    const { answers } = asking;
    if (answers !== null && isLong(name)) return await askAgain(asking, answers);
    return (await TOOLS[name]?.call(args, asking)) ?? {};
  } catch (thrown) {
    const fault = toFault(thrown);
    if (fault.code === "internal") console.error("A tool failed", fault.cause ?? thrown);
    const again = fault.detail.problems?.map(({ path, message }) => `${path}: ${message}`).join("\n") ?? fault.message;
    return { content: [{ type: "text", text: again }], isError: true };
  }
}
