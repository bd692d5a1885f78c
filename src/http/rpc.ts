// The RPC entrypoint for other Workers. It offers the same operations as the HTTP interface.
//
// The caller states the user that it acts for. It is not verified: the deployment decides which Workers have the
// binding. Faults are returned as values, because errors lose their class over RPC. The entrypoint has no state, and
// calls may run concurrently.

import * as z from "zod";
import { appSchema, executeSchema, type AppInput, type ExecuteInput } from "../protocol/app.ts";
import { cancelSchema, resumeSchema, sendSchema, type Cancel, type Resume, type Send } from "../protocol/commands.ts";
import {
  createConversationSchema,
  titleWordsSchema,
  updateConversationSchema,
  type CreateConversation,
  type UpdateConversation,
} from "../protocol/conversation.ts";
import { credentialsSchema, type Credentials } from "../protocol/credentials.ts";
import { Fault, parseAt, parseWith } from "../protocol/fault.ts";
import { taskStatusSchema, type TaskStatus } from "../protocol/plan.ts";
import { updateScheduleSchema, type UpdateSchedule } from "../protocol/recurring.ts";
import { toolCategorySchema, type ToolCategory } from "../protocol/tools.ts";
import type { Accepted } from "../durable/api.ts";
import { commandIdAt } from "./command-id.ts";
import { actingFor } from "./acting.ts";
import { patiently } from "./follow.ts";
import type { OrreryApi } from "./rpc-api.ts";
import { DataDoor } from "./rpc-data.ts";
import { pageSchema, versionSchema } from "./rpc-plans.ts";
import type { Verbs } from "./verbs.ts";

const resultsSchema = z.strictObject({ limit: z.int().min(1).max(100).optional(), before: z.int().min(0).optional() });
const conversationsSchema = pageSchema.extend({ q: titleWordsSchema.optional(), top: z.boolean().optional() });
const toolsSchema = pageSchema.extend({ q: z.string().max(2_000).optional(), category: toolCategorySchema.optional() });
const afterSchema = z.int().min(0);
const limitSchema = z.int().min(1).max(10_000);

/** Implements `OrreryApi`; see there for the contracts. */
export class Orrery extends DataDoor implements OrreryApi {
  createConversation(user: string, options: CreateConversation = {}) {
    return actingFor(this.env, user, (verbs) => verbs.createConversation(parseWith(createConversationSchema, options)));
  }

  listConversations(user: string, options: z.input<typeof conversationsSchema> = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor, q, top } = parseWith(conversationsSchema, options);
      return verbs.listConversations(limit, cursor, { text: q, isTop: top });
    });
  }

  readConversation(user: string, conversation: string) {
    return actingFor(this.env, user, (verbs) => verbs.readConversation(conversation));
  }

  updateConversation(user: string, conversation: string, patch: UpdateConversation) {
    return actingFor(this.env, user, (verbs) =>
      verbs.updateConversation(conversation, parseWith(updateConversationSchema, patch)),
    );
  }

  deleteConversation(user: string, conversation: string) {
    return actingFor(this.env, user, (verbs) => verbs.deleteConversation(conversation));
  }

  send(user: string, conversation: string | null, message: Send, commandId?: string) {
    return actingFor(this.env, user, (verbs) => sendTo(verbs, conversation, message, commandId));
  }

  ask(user: string, conversation: string | null, message: Send, commandId?: string) {
    return actingFor(this.env, user, async (verbs) => {
      return threadOf(verbs, await sendTo(verbs, conversation, message, commandId));
    });
  }

  resume(user: string, conversation: string, reply: Resume, commandId?: string) {
    return actingFor(this.env, user, (verbs) => resumeIn(verbs, conversation, reply, commandId));
  }

  answer(user: string, conversation: string, reply: Resume, commandId?: string) {
    return actingFor(this.env, user, async (verbs) =>
      threadOf(verbs, await resumeIn(verbs, conversation, reply, commandId)),
    );
  }

  context(user: string, conversation: string) {
    return actingFor(this.env, user, (verbs) => verbs.context(conversation));
  }

  cancel(user: string, conversation: string, target: Cancel = {}) {
    return actingFor(this.env, user, (verbs) => verbs.cancel(conversation, parseWith(cancelSchema, target)));
  }

  events(user: string, conversation: string, after = 0, limit = 1_000) {
    return actingFor(this.env, user, (verbs) =>
      verbs.events(conversation, parseAt("after", afterSchema, after), parseAt("limit", limitSchema, limit)),
    );
  }

  follow(user: string, conversation: string, after = 0, thread?: string) {
    return actingFor(this.env, user, (verbs) =>
      verbs.follow(
        conversation,
        parseAt("after", afterSchema, after),
        parseAt("thread", z.string().optional(), thread),
      ),
    );
  }

  items(user: string, conversation: string) {
    return actingFor(this.env, user, (verbs) => verbs.items(conversation));
  }

  plans(user: string, conversation: string) {
    return actingFor(this.env, user, (verbs) => verbs.plans(conversation));
  }

  tasks(user: string, conversation: string, status?: TaskStatus) {
    return actingFor(this.env, user, (verbs) =>
      verbs.tasks(conversation, parseAt("status", taskStatusSchema.optional(), status)),
    );
  }

  task(user: string, task: string) {
    return actingFor(this.env, user, (verbs) => verbs.task(task));
  }

  cancelTask(user: string, task: string) {
    return actingFor(this.env, user, (verbs) => verbs.cancelTask(task));
  }

  listSchedules(user: string, options: { limit?: number; cursor?: string } = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor } = parseWith(pageSchema, options);
      return verbs.listSchedules(limit, cursor);
    });
  }

  schedule(user: string, schedule: string) {
    return actingFor(this.env, user, (verbs) => verbs.schedule(schedule));
  }

  updateSchedule(user: string, schedule: string, patch: UpdateSchedule) {
    return actingFor(this.env, user, (verbs) => verbs.updateSchedule(schedule, parseWith(updateScheduleSchema, patch)));
  }

  deleteSchedule(user: string, schedule: string) {
    return actingFor(this.env, user, (verbs) => verbs.deleteSchedule(schedule));
  }

  runSchedule(user: string, schedule: string, commandId?: string) {
    return actingFor(this.env, user, (verbs) => verbs.runSchedule(schedule, commandIdAt("commandId", commandId)));
  }

  runResults(user: string, schedule: string, options: { limit?: number; before?: number } = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, before } = parseWith(resultsSchema, options);
      return verbs.runResults(schedule, limit, before);
    });
  }

  listTools(user: string, options: { q?: string; category?: ToolCategory; limit?: number; cursor?: string } = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor, q, category } = parseWith(toolsSchema, options);
      return verbs.listTools(limit, cursor, { text: q, category });
    });
  }

  tool(user: string, tool: string, version?: number) {
    return actingFor(this.env, user, (verbs) => verbs.tool(tool, parseAt("version", versionSchema, version)));
  }

  deleteTool(user: string, tool: string) {
    return actingFor(this.env, user, (verbs) => verbs.deleteTool(tool));
  }

  agents(user: string) {
    return actingFor(this.env, user, (verbs) => verbs.agents());
  }

  agent(user: string, agent: string) {
    return actingFor(this.env, user, (verbs) => verbs.agent(agent));
  }

  setAgentEnabled(user: string, agent: string, enabled: boolean) {
    return actingFor(this.env, user, (verbs) => verbs.setAgentEnabled(agent, parseAt("enabled", z.boolean(), enabled)));
  }

  previewAgent(user: string, url: string, credentials?: Credentials) {
    return actingFor(this.env, user, (verbs) =>
      verbs.previewAgent(
        parseAt("url", z.string(), url),
        parseAt("credentials", credentialsSchema.optional(), credentials),
      ),
    );
  }

  registerAgent(user: string, url: string, credentials?: Credentials) {
    return actingFor(this.env, user, (verbs) =>
      verbs.registerAgent(
        parseAt("url", z.string(), url),
        parseAt("credentials", credentialsSchema.optional(), credentials),
      ),
    );
  }

  registerApp(user: string, app: AppInput) {
    return actingFor(this.env, user, (verbs) => verbs.registerApp(parseWith(appSchema, app)));
  }

  execute(user: string, agent: string, request: ExecuteInput) {
    return actingFor(this.env, user, (verbs) => verbs.execute(agent, parseWith(executeSchema, request)));
  }

  removeAgent(user: string, agent: string) {
    return actingFor(this.env, user, (verbs) => verbs.removeAgent(agent));
  }
}

/** Validates a message and sends it to the conversation, or to a new one. */
function sendTo(verbs: Verbs, conversation: string | null, message: Send, commandId?: string): Promise<Accepted> {
  const checked = parseWith(sendSchema, message);
  const command = commandIdAt("commandId", commandId);
  return conversation === null ? verbs.start(undefined, checked, command) : verbs.send(conversation, checked, command);
}

/**
 * Returns the stream of an accepted thread. The message is stored, so the call must not fail if too many readers follow
 * the conversation: then the stream begins as soon as another reader leaves. It breaks if none leaves in time.
 */
async function threadOf(verbs: Verbs, accepted: Accepted): Promise<ReadableStream<Uint8Array>> {
  try {
    return await verbs.followThread(accepted);
  } catch (thrown) {
    if (!isCrowded(thrown)) throw thrown;
  }
  /** Converts `too_many_requests` to an error that `readWithRetry` retries. */
  const again = (): Promise<ReadableStream<Uint8Array>> =>
    verbs.followThread(accepted).catch((thrown: unknown) => {
      throw isCrowded(thrown) ? new Error("Still crowded", { cause: thrown }) : thrown;
    });
  const { readable, writable } = new IdentityTransformStream();
  const lines = patiently(again, new AbortController().signal);
  // Errors of the pipe are ignored: the reader has cancelled the stream.
  void lines
    .then(
      (found) => found.pipeTo(writable),
      (thrown: unknown) => writable.abort(thrown),
    )
    .catch(() => undefined);
  return readable;
}

function isCrowded(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === "too_many_requests";
}

function resumeIn(verbs: Verbs, conversation: string, reply: Resume, commandId?: string): Promise<Accepted> {
  return verbs.resume(conversation, parseWith(resumeSchema, reply), commandIdAt("commandId", commandId));
}
