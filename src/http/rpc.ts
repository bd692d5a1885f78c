// The door for other Workers: the same verbs over RPC. The caller states the user it acts for; that it
// may is settled by who gets the binding. Failures are values, because errors lose their class on the way.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import type { ConversationPage, SchedulePage } from "../protocol/answers.ts";
import {
  cancelSchema,
  commandIdSchema,
  resumeSchema,
  sendSchema,
  type Cancel,
  type Resume,
  type Send,
} from "../protocol/commands.ts";
import {
  createConversationSchema,
  updateConversationSchema,
  type Conversation,
  type CreateConversation,
  type UpdateConversation,
} from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, parseWith, toFault } from "../protocol/fault.ts";
import type { Item } from "../protocol/items.ts";
import { taskStatusSchema, type Plan, type Task, type TaskStatus } from "../protocol/plan.ts";
import type { Context } from "../protocol/question.ts";
import {
  updateScheduleSchema,
  type RunResults,
  type Schedule,
  type UpdatedSchedule,
  type UpdateSchedule,
} from "../protocol/recurring.ts";
import { toolCategorySchema, type ToolCategory, type ToolPage, type ToolWithVersions } from "../protocol/tools.ts";
import type { Accepted, Page, Result } from "../durable/api.ts";
import type { Env } from "../env.ts";
import { settingsOf } from "../settings.ts";
import { isUserId } from "./identity.ts";
import { verbsOf, type Verbs } from "./verbs.ts";

const pageSchema = z.strictObject({ limit: z.int().min(1).max(100).optional(), cursor: z.string().optional() });
const resultsSchema = z.strictObject({ limit: z.int().min(1).max(100).optional(), before: z.int().min(0).optional() });
const toolsSchema = pageSchema.extend({ q: z.string().max(2_000).optional(), category: toolCategorySchema.optional() });
const versionSchema = z.int().min(1).optional();
const afterSchema = z.int().min(0);
const limitSchema = z.int().min(1).max(10_000);

/** What another Worker can ask; `user` is whom it acts for. */
export type OrreryApi = {
  createConversation(user: string, options?: CreateConversation): Promise<Result<Conversation>>;
  listConversations(user: string, options?: { limit?: number; cursor?: string }): Promise<Result<ConversationPage>>;
  readConversation(user: string, conversation: string): Promise<Result<Conversation>>;
  updateConversation(user: string, conversation: string, patch: UpdateConversation): Promise<Result<Conversation>>;
  deleteConversation(user: string, conversation: string): Promise<Result<{ conversation_id: string; deleted: true }>>;
  /** Sends to the conversation, or to a new one when it is null. */
  send(user: string, conversation: string | null, message: Send, commandId?: string): Promise<Result<Accepted>>;
  /** As `send`, and streams the thread as lines of frames, up to its `done` or until it waits for the person. */
  ask(
    user: string,
    conversation: string | null,
    message: Send,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  resume(user: string, conversation: string, answer: Resume, commandId?: string): Promise<Result<Accepted>>;
  /** As `resume`, and streams the thread from the answer on. */
  answer(
    user: string,
    conversation: string,
    answer: Resume,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  /** The open questions, and where the thread that waits stopped. */
  context(user: string, conversation: string): Promise<Result<Context>>;
  cancel(user: string, conversation: string, target?: Cancel): Promise<Result<{ cancelled: string[] }>>;
  events(user: string, conversation: string, after?: number, limit?: number): Promise<Result<Page<Frame>>>;
  /** Lines of frames after a number, then live ones, until the stream is cancelled. */
  follow(user: string, conversation: string, after?: number): Promise<Result<ReadableStream<Uint8Array>>>;
  items(user: string, conversation: string): Promise<Result<Item[]>>;
  plans(user: string, conversation: string): Promise<Result<Plan[]>>;
  tasks(user: string, conversation: string, status?: TaskStatus): Promise<Result<Task[]>>;
  task(user: string, task: string): Promise<Result<Task>>;
  cancelTask(user: string, task: string): Promise<Result<{ cancelled: string[] }>>;
  listSchedules(user: string, options?: { limit?: number; cursor?: string }): Promise<Result<SchedulePage>>;
  /** A schedule's id is that of its task. */
  schedule(user: string, schedule: string): Promise<Result<Schedule>>;
  updateSchedule(user: string, schedule: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>>;
  deleteSchedule(user: string, schedule: string): Promise<Result<{ schedule_id: string; deleted: true }>>;
  /** Runs it now, besides its times. */
  runSchedule(user: string, schedule: string, commandId?: string): Promise<Result<Accepted>>;
  /** What its runs brought, newest first: those that were due before `before`. */
  runResults(
    user: string,
    schedule: string,
    options?: { limit?: number; before?: number },
  ): Promise<Result<RunResults>>;
  /** The newest first; those that match `q`, the best first. */
  listTools(
    user: string,
    options?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string },
  ): Promise<Result<ToolPage>>;
  /** As it is, or as an older version of it was. */
  tool(user: string, tool: string, version?: number): Promise<Result<ToolWithVersions>>;
  deleteTool(user: string, tool: string): Promise<Result<{ name: string; deleted: true }>>;
  agents(user: string): Promise<Result<{ agents: Agent[] }>>;
  agent(user: string, agent: string): Promise<Result<Agent>>;
  setAgentEnabled(user: string, agent: string, enabled: boolean): Promise<Result<Agent>>;
  registerAgent(user: string, url: string): Promise<Result<Agent>>;
  removeAgent(user: string, agent: string): Promise<Result<{ name: string; deleted: true }>>;
};

export class Orrery extends WorkerEntrypoint<Env> implements OrreryApi {
  createConversation(user: string, options: CreateConversation = {}) {
    return this.#as(user, (verbs) => verbs.createConversation(parseWith(createConversationSchema, options)));
  }

  listConversations(user: string, options: { limit?: number; cursor?: string } = {}) {
    return this.#as(user, (verbs) => {
      const { limit = 20, cursor } = parseWith(pageSchema, options);
      return verbs.listConversations(limit, cursor);
    });
  }

  readConversation(user: string, conversation: string) {
    return this.#as(user, (verbs) => verbs.readConversation(conversation));
  }

  updateConversation(user: string, conversation: string, patch: UpdateConversation) {
    return this.#as(user, (verbs) =>
      verbs.updateConversation(conversation, parseWith(updateConversationSchema, patch)),
    );
  }

  deleteConversation(user: string, conversation: string) {
    return this.#as(user, (verbs) => verbs.deleteConversation(conversation));
  }

  send(user: string, conversation: string | null, message: Send, commandId?: string) {
    return this.#as(user, (verbs) => sendTo(verbs, conversation, message, commandId));
  }

  ask(user: string, conversation: string | null, message: Send, commandId?: string) {
    return this.#as(user, async (verbs) => {
      const accepted = await sendTo(verbs, conversation, message, commandId);
      return verbs.followThread(accepted);
    });
  }

  resume(user: string, conversation: string, reply: Resume, commandId?: string) {
    return this.#as(user, (verbs) => resumeIn(verbs, conversation, reply, commandId));
  }

  answer(user: string, conversation: string, reply: Resume, commandId?: string) {
    return this.#as(user, async (verbs) => verbs.followThread(await resumeIn(verbs, conversation, reply, commandId)));
  }

  context(user: string, conversation: string) {
    return this.#as(user, (verbs) => verbs.context(conversation));
  }

  cancel(user: string, conversation: string, target: Cancel = {}) {
    return this.#as(user, (verbs) => verbs.cancel(conversation, parseWith(cancelSchema, target)));
  }

  events(user: string, conversation: string, after = 0, limit = 1_000) {
    return this.#as(user, (verbs) =>
      verbs.events(conversation, parseWith(afterSchema, after), parseWith(limitSchema, limit)),
    );
  }

  follow(user: string, conversation: string, after = 0) {
    return this.#as(user, (verbs) => verbs.follow(conversation, parseWith(afterSchema, after)));
  }

  items(user: string, conversation: string) {
    return this.#as(user, (verbs) => verbs.items(conversation));
  }

  plans(user: string, conversation: string) {
    return this.#as(user, (verbs) => verbs.plans(conversation));
  }

  tasks(user: string, conversation: string, status?: TaskStatus) {
    return this.#as(user, (verbs) => verbs.tasks(conversation, parseWith(taskStatusSchema.optional(), status)));
  }

  task(user: string, task: string) {
    return this.#as(user, (verbs) => verbs.task(task));
  }

  cancelTask(user: string, task: string) {
    return this.#as(user, (verbs) => verbs.cancelTask(task));
  }

  listSchedules(user: string, options: { limit?: number; cursor?: string } = {}) {
    return this.#as(user, (verbs) => {
      const { limit = 20, cursor } = parseWith(pageSchema, options);
      return verbs.listSchedules(limit, cursor);
    });
  }

  schedule(user: string, schedule: string) {
    return this.#as(user, (verbs) => verbs.schedule(schedule));
  }

  updateSchedule(user: string, schedule: string, patch: UpdateSchedule) {
    return this.#as(user, (verbs) => verbs.updateSchedule(schedule, parseWith(updateScheduleSchema, patch)));
  }

  deleteSchedule(user: string, schedule: string) {
    return this.#as(user, (verbs) => verbs.deleteSchedule(schedule));
  }

  runSchedule(user: string, schedule: string, commandId?: string) {
    return this.#as(user, (verbs) => verbs.runSchedule(schedule, parseWith(commandIdSchema.optional(), commandId)));
  }

  runResults(user: string, schedule: string, options: { limit?: number; before?: number } = {}) {
    return this.#as(user, (verbs) => {
      const { limit = 20, before } = parseWith(resultsSchema, options);
      return verbs.runResults(schedule, limit, before);
    });
  }

  listTools(user: string, options: { q?: string; category?: ToolCategory; limit?: number; cursor?: string } = {}) {
    return this.#as(user, (verbs) => {
      const { limit = 20, cursor, q, category } = parseWith(toolsSchema, options);
      return verbs.listTools(limit, cursor, { text: q, category });
    });
  }

  tool(user: string, tool: string, version?: number) {
    return this.#as(user, (verbs) => verbs.tool(tool, parseWith(versionSchema, version)));
  }

  deleteTool(user: string, tool: string) {
    return this.#as(user, (verbs) => verbs.deleteTool(tool));
  }

  agents(user: string) {
    return this.#as(user, (verbs) => verbs.agents());
  }

  agent(user: string, agent: string) {
    return this.#as(user, (verbs) => verbs.agent(agent));
  }

  setAgentEnabled(user: string, agent: string, enabled: boolean) {
    return this.#as(user, (verbs) => verbs.setAgentEnabled(agent, parseWith(z.boolean(), enabled)));
  }

  registerAgent(user: string, url: string) {
    return this.#as(user, (verbs) => verbs.registerAgent(parseWith(z.string(), url)));
  }

  removeAgent(user: string, agent: string) {
    return this.#as(user, (verbs) => verbs.removeAgent(agent));
  }

  async #as<T>(user: string, verb: (verbs: Verbs) => Promise<T>): Promise<Result<T>> {
    try {
      if (!isUserId(user)) throw new Fault("invalid_request", "user: is not a user's id", { field: "user" });
      return { ok: true, value: await verb(verbsOf(this.env, settingsOf(this.env), user)) };
    } catch (thrown) {
      const fault = toFault(thrown);
      if (fault.code === "internal") console.error("A call failed", fault.cause ?? thrown);
      const { code, message, field } = fault;
      return { ok: false, failure: { code, message, ...(field === undefined ? {} : { field }) } };
    }
  }
}

function sendTo(verbs: Verbs, conversation: string | null, message: Send, commandId?: string): Promise<Accepted> {
  const checked = parseWith(sendSchema, message);
  const command = parseWith(commandIdSchema.optional(), commandId);
  return conversation === null ? verbs.start(undefined, checked, command) : verbs.send(conversation, checked, command);
}

function resumeIn(verbs: Verbs, conversation: string, reply: Resume, commandId?: string): Promise<Accepted> {
  return verbs.resume(conversation, parseWith(resumeSchema, reply), parseWith(commandIdSchema.optional(), commandId));
}
