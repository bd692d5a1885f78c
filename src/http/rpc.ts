// The RPC entrypoint for other Workers. It offers the same operations as the HTTP interface.
//
// The caller states the user that it acts for. It is not verified: the deployment decides which Workers have the
// binding. Faults are returned as values, because errors lose their class over RPC. The entrypoint has no state, and
// calls may run concurrently.

import * as z from "zod";
import {
  appConfigSchema,
  executeRequestSchema,
  type AppConfigInput,
  type ExecuteRequestInput,
} from "../protocol/agents/app-config.ts";
import {
  cancelCommandSchema,
  resumeCommandSchema,
  sendCommandSchema,
  type CancelCommand,
  type ResumeCommand,
  type SendCommand,
} from "../protocol/wire/commands.ts";
import {
  createConversationSchema,
  titleSearchSchema,
  updateConversationSchema,
  type CreateConversationRequest,
  type UpdateConversationRequest,
} from "../protocol/wire/conversation-info.ts";
import { credentialsSchema, type Credentials } from "../protocol/agents/agent-credentials.ts";
import { Fault, parseNamedValue, parseOrThrow } from "../protocol/wire/fault.ts";
import { taskStatusSchema, type TaskStatus } from "../protocol/plans/task-plan.ts";
import { updateScheduleSchema, type UpdateScheduleRequest } from "../protocol/schedules/schedule.ts";
import { toolCategorySchema, type ToolCategory } from "../protocol/tools/stored-tool.ts";
import type { AcceptedCommand } from "../durable/conversation-api.ts";
import { parseCommandId } from "./command-id.ts";
import { runAsUser } from "./run-as-user.ts";
import { readWithRetry } from "./follow-thread.ts";
import type { OrreryApi } from "./rpc-api.ts";
import { DataEntrypoint } from "./rpc-data.ts";
import { listOptionsSchema, versionSchema } from "./rpc-plans.ts";
import type { Operations } from "./operations/operations.ts";

const resultOptionsSchema = z.strictObject({
  limit: z.int().min(1).max(100).optional(),
  before: z.int().min(0).optional(),
});
const conversationOptionsSchema = listOptionsSchema.extend({
  q: titleSearchSchema.optional(),
  top: z.boolean().optional(),
});
const toolOptionsSchema = listOptionsSchema.extend({
  q: z.string().max(2_000).optional(),
  category: toolCategorySchema.optional(),
});
const afterSchema = z.int().min(0);
const limitSchema = z.int().min(1).max(10_000);

/** Implements `OrreryApi`; see there for the contracts. */
export class Orrery extends DataEntrypoint implements OrreryApi {
  createConversation(user: string, options: CreateConversationRequest = {}) {
    return runAsUser(this.env, user, (operations) =>
      operations.createConversation(parseOrThrow(createConversationSchema, options)),
    );
  }

  listConversations(user: string, options: z.input<typeof conversationOptionsSchema> = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor, q, top } = parseOrThrow(conversationOptionsSchema, options);
      return operations.listConversations(limit, cursor, { text: q, isTop: top });
    });
  }

  readConversation(user: string, conversation: string) {
    return runAsUser(this.env, user, (operations) => operations.readConversation(conversation));
  }

  updateConversation(user: string, conversation: string, patch: UpdateConversationRequest) {
    return runAsUser(this.env, user, (operations) =>
      operations.updateConversation(conversation, parseOrThrow(updateConversationSchema, patch)),
    );
  }

  deleteConversation(user: string, conversation: string) {
    return runAsUser(this.env, user, (operations) => operations.deleteConversation(conversation));
  }

  send(user: string, conversation: string | null, message: SendCommand, commandId?: string) {
    return runAsUser(this.env, user, (operations) => sendMessage(operations, conversation, message, commandId));
  }

  ask(user: string, conversation: string | null, message: SendCommand, commandId?: string) {
    return runAsUser(this.env, user, async (operations) => {
      return streamThread(operations, await sendMessage(operations, conversation, message, commandId));
    });
  }

  resume(user: string, conversation: string, reply: ResumeCommand, commandId?: string) {
    return runAsUser(this.env, user, (operations) => resumeThread(operations, conversation, reply, commandId));
  }

  answer(user: string, conversation: string, reply: ResumeCommand, commandId?: string) {
    return runAsUser(this.env, user, async (operations) =>
      streamThread(operations, await resumeThread(operations, conversation, reply, commandId)),
    );
  }

  context(user: string, conversation: string) {
    return runAsUser(this.env, user, (operations) => operations.context(conversation));
  }

  cancel(user: string, conversation: string, target: CancelCommand = {}) {
    return runAsUser(this.env, user, (operations) =>
      operations.cancel(conversation, parseOrThrow(cancelCommandSchema, target)),
    );
  }

  events(user: string, conversation: string, after = 0, limit = 1_000) {
    return runAsUser(this.env, user, (operations) =>
      operations.events(
        conversation,
        parseNamedValue("after", afterSchema, after),
        parseNamedValue("limit", limitSchema, limit),
      ),
    );
  }

  follow(user: string, conversation: string, after = 0, thread?: string) {
    return runAsUser(this.env, user, (operations) =>
      operations.follow(
        conversation,
        parseNamedValue("after", afterSchema, after),
        parseNamedValue("thread", z.string().optional(), thread),
      ),
    );
  }

  items(user: string, conversation: string) {
    return runAsUser(this.env, user, (operations) => operations.items(conversation));
  }

  plans(user: string, conversation: string) {
    return runAsUser(this.env, user, (operations) => operations.plans(conversation));
  }

  tasks(user: string, conversation: string, status?: TaskStatus) {
    return runAsUser(this.env, user, (operations) =>
      operations.tasks(conversation, parseNamedValue("status", taskStatusSchema.optional(), status)),
    );
  }

  task(user: string, task: string) {
    return runAsUser(this.env, user, (operations) => operations.task(task));
  }

  cancelTask(user: string, task: string) {
    return runAsUser(this.env, user, (operations) => operations.cancelTask(task));
  }

  listSchedules(user: string, options: { limit?: number; cursor?: string } = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor } = parseOrThrow(listOptionsSchema, options);
      return operations.listSchedules(limit, cursor);
    });
  }

  schedule(user: string, schedule: string) {
    return runAsUser(this.env, user, (operations) => operations.schedule(schedule));
  }

  updateSchedule(user: string, schedule: string, patch: UpdateScheduleRequest) {
    return runAsUser(this.env, user, (operations) =>
      operations.updateSchedule(schedule, parseOrThrow(updateScheduleSchema, patch)),
    );
  }

  deleteSchedule(user: string, schedule: string) {
    return runAsUser(this.env, user, (operations) => operations.deleteSchedule(schedule));
  }

  runSchedule(user: string, schedule: string, commandId?: string) {
    return runAsUser(this.env, user, (operations) =>
      operations.runSchedule(schedule, parseCommandId("commandId", commandId)),
    );
  }

  runResults(user: string, schedule: string, options: { limit?: number; before?: number } = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, before } = parseOrThrow(resultOptionsSchema, options);
      return operations.runResults(schedule, limit, before);
    });
  }

  listTools(user: string, options: { q?: string; category?: ToolCategory; limit?: number; cursor?: string } = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor, q, category } = parseOrThrow(toolOptionsSchema, options);
      return operations.listTools(limit, cursor, { text: q, category });
    });
  }

  tool(user: string, tool: string, version?: number) {
    return runAsUser(this.env, user, (operations) =>
      operations.tool(tool, parseNamedValue("version", versionSchema, version)),
    );
  }

  deleteTool(user: string, tool: string) {
    return runAsUser(this.env, user, (operations) => operations.deleteTool(tool));
  }

  agents(user: string) {
    return runAsUser(this.env, user, (operations) => operations.agents());
  }

  agent(user: string, agent: string) {
    return runAsUser(this.env, user, (operations) => operations.agent(agent));
  }

  setAgentEnabled(user: string, agent: string, enabled: boolean) {
    return runAsUser(this.env, user, (operations) =>
      operations.setAgentEnabled(agent, parseNamedValue("enabled", z.boolean(), enabled)),
    );
  }

  previewAgent(user: string, url: string, credentials?: Credentials) {
    return runAsUser(this.env, user, (operations) =>
      operations.previewAgent(
        parseNamedValue("url", z.string(), url),
        parseNamedValue("credentials", credentialsSchema.optional(), credentials),
      ),
    );
  }

  registerAgent(user: string, url: string, credentials?: Credentials) {
    return runAsUser(this.env, user, (operations) =>
      operations.registerAgent(
        parseNamedValue("url", z.string(), url),
        parseNamedValue("credentials", credentialsSchema.optional(), credentials),
      ),
    );
  }

  registerApp(user: string, app: AppConfigInput) {
    return runAsUser(this.env, user, (operations) => operations.registerApp(parseOrThrow(appConfigSchema, app)));
  }

  execute(user: string, agent: string, request: ExecuteRequestInput) {
    return runAsUser(this.env, user, (operations) =>
      operations.execute(agent, parseOrThrow(executeRequestSchema, request)),
    );
  }

  removeAgent(user: string, agent: string) {
    return runAsUser(this.env, user, (operations) => operations.removeAgent(agent));
  }
}

/** Validates a message and sends it to the conversation, or to a new one. */
function sendMessage(
  operations: Operations,
  conversation: string | null,
  message: SendCommand,
  commandId?: string,
): Promise<AcceptedCommand> {
  const checked = parseOrThrow(sendCommandSchema, message);
  const command = parseCommandId("commandId", commandId);
  return conversation === null
    ? operations.start(undefined, checked, command)
    : operations.send(conversation, checked, command);
}

/**
 * Returns the stream of an accepted thread. The message is stored, so the call must not fail if too many readers follow
 * the conversation: then the stream begins as soon as another reader leaves. It breaks if none leaves in time.
 */
async function streamThread(operations: Operations, accepted: AcceptedCommand): Promise<ReadableStream<Uint8Array>> {
  try {
    return await operations.followThread(accepted);
  } catch (thrown) {
    if (!isTooManyRequests(thrown)) throw thrown;
  }
  /** Converts `too_many_requests` to an error that `readWithRetry` retries. */
  const retryFollow = (): Promise<ReadableStream<Uint8Array>> =>
    operations.followThread(accepted).catch((thrown: unknown) => {
      throw isTooManyRequests(thrown) ? new Error("Too many readers", { cause: thrown }) : thrown;
    });
  const { readable, writable } = new IdentityTransformStream();
  const lines = readWithRetry(retryFollow, new AbortController().signal);
  // Errors of the pipe are ignored: the reader has cancelled the stream.
  void lines
    .then(
      (found) => found.pipeTo(writable),
      (thrown: unknown) => writable.abort(thrown),
    )
    .catch(() => undefined);
  return readable;
}

function isTooManyRequests(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === "too_many_requests";
}

/** Validates an answer and sends it to the conversation. */
function resumeThread(
  operations: Operations,
  conversation: string,
  reply: ResumeCommand,
  commandId?: string,
): Promise<AcceptedCommand> {
  return operations.resume(
    conversation,
    parseOrThrow(resumeCommandSchema, reply),
    parseCommandId("commandId", commandId),
  );
}
