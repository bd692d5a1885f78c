// Everything a user can ask of the runtime, whatever door they come through. HTTP and RPC are thin
// encodings of these functions; there is no second way to do a thing.
//
// All of them throw a `Fault`. What is said is checked where it is stored, so that every door refuses the same.

import { fromDirectory } from "../directory/availability.ts";
import { listConversations, parentOf, subConversation, type ConversationsWanted } from "../directory/conversations.ts";
import { issueTicket } from "../directory/tickets.ts";
import { objectName, valueOf, type Accepted, type ConversationApi, type Page, type Result } from "../durable/api.ts";
import { readOnly, toldIn } from "../durable/sub-conversation.ts";
import type { Env } from "../env.ts";
import type { Push } from "../protocol/a2a-push.ts";
import type { ConversationPage, Ticket } from "../protocol/answers.ts";
import { commandIdSchema, type Cancel, type Resume, type Send } from "../protocol/commands.ts";
import type { Conversation, CreateConversation, UpdateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import { Fault, parseAt, parseWith } from "../protocol/fault.ts";
import { companion, digestIn, isOfSubConversation, mint } from "../protocol/ids.ts";
import type { Item } from "../protocol/items.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import type { Context } from "../protocol/question.ts";
import type { Settings } from "../settings.ts";
import { agentVerbsOf } from "./agent-verbs.ts";
import { analysisVerbsOf } from "./analysis-verbs.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { datasetVerbsOf } from "./dataset-verbs.ts";
import { conversationIdSchema, isConversationId, isTaskId } from "./ids.ts";
import { forgetStanding, pageVerbsOf } from "./page-verbs.ts";
import { planVerbsOf } from "./plan-verbs.ts";
import { scheduleVerbsOf } from "./schedule-verbs.ts";
import { linesOfTask } from "./sub-conversation.ts";
import { threadVerbsOf } from "./thread-verbs.ts";
import { toolVerbsOf } from "./tool-verbs.ts";

export type Verbs = ReturnType<typeof verbsOf>;

/** The name of the object that is a user's conversation. Throws `not_found` for an id that cannot name one. */
export function conversationName(userId: string, id: string): string {
  if (!isConversationId(id)) throw new Fault("not_found", "There is no such conversation.");
  return objectName(userId, id);
}

/** Throws `unavailable` for a sub-conversation while the directory is down; everything else works without it. */
export function parentOfSubConversation({ DB }: Env, userId: string, id: string): Promise<string | null> {
  const parent = parentOf(DB, userId, id);
  return isOfSubConversation(id) ? fromDirectory(parent) : parent.catch(() => null);
}

export function verbsOf(env: Env, settings: Settings, userId: string) {
  const conversation = (id: string): ConversationApi => env.CONVERSATION.getByName(conversationName(userId, id));

  /** Reads a conversation, or one task of its parent when it is a sub-conversation. */
  const readFrom = async <T>(
    id: string,
    read: (from: ConversationApi, task?: string) => Promise<Result<T>>,
  ): Promise<T> => {
    const own = await read(conversation(id));
    if (own.ok || own.failure.code !== "not_found") return valueOf(own);
    const part = await partOf(id);
    return valueOf(part === null ? own : await read(conversation(part.parent), part.task.task_id));
  };

  /** Changes a conversation. Throws a `conflict` for a sub-conversation: what is done with it is done to its parent. */
  const changeIn = async <T>(id: string, change: (api: ConversationApi) => Promise<Result<T>>): Promise<T> => {
    const changed = await change(conversation(id));
    if (!changed.ok && changed.failure.code === "not_found") await refuseSub(id);
    return valueOf(changed);
  };

  const refuseSub = async (id: string): Promise<void> => {
    const part = await partOf(id);
    if (part !== null) throw readOnly(part.parent);
  };

  /** What a sub-conversation shows; null for any other id. */
  const partOf = async (id: string): Promise<{ readonly parent: string; readonly task: Task } | null> => {
    const parent = await parentOfSubConversation(env, userId, id);
    const task = parent === null ? undefined : await taskOf(parent, companion(id, "task"));
    return parent === null || task?.conversation_id !== id ? null : { parent, task };
  };

  const ofTask = async (taskId: string): Promise<string> => {
    const id = isTaskId(taskId) ? await fromDirectory(parentOf(env.DB, userId, taskId)) : null;
    if (id === null) throw new Fault("not_found", "There is no such task.");
    return id;
  };

  const taskOf = async (id: string, taskId: string): Promise<Task | undefined> =>
    valueOf(await conversation(id).tasks({})).find((task) => task.task_id === taskId);

  return {
    userId,
    ...agentVerbsOf(env, settings, userId),
    ...scheduleVerbsOf(env, userId, conversation),
    ...planVerbsOf(env, settings, userId, conversation),
    ...threadVerbsOf(conversation),
    ...toolVerbsOf(env, userId),
    ...analysisVerbsOf(env, settings, userId),
    ...pageVerbsOf(env, userId),
    ...datasetVerbsOf(env, userId),

    async createConversation({ title, message }: CreateConversation): Promise<Conversation> {
      const api = conversation(mint("conv"));
      if (message === undefined) return valueOf(await api.create(title));
      // In one call: what refuses the first message, or loses it, leaves no conversation without one.
      valueOf(await api.send(mint("cmd"), { message }, { create: true, title }));
      return valueOf(await api.read());
    },

    async listConversations(
      limit: number,
      cursor?: string,
      wanted: ConversationsWanted = {},
    ): Promise<ConversationPage> {
      const place = cursor === undefined ? null : placeIn(cursor);
      const after = place === null ? null : { updatedAt: place.at, conversationId: place.id };
      const conversations = await fromDirectory(listConversations(env.DB, userId, limit, after, wanted));
      const last = conversations.length < limit ? undefined : conversations.at(-1);
      const next_cursor = last === undefined ? null : cursorOf(last.updated_at, last.conversation_id);
      return { conversations, next_cursor };
    },

    async readConversation(id: string): Promise<Conversation> {
      const own = await conversation(id).read();
      const part = !own.ok && own.failure.code === "not_found" ? await partOf(id) : null;
      return part === null ? valueOf(own) : subConversation(valueOf(await conversation(part.parent).read()), part.task);
    },

    /** What is as it was keeps its place in the list. */
    async updateConversation(id: string, patch: UpdateConversation): Promise<Conversation> {
      const api = conversation(id);
      const now = await changeIn(id, () => api.read());
      const { title = now.title, status = now.status } = patch;
      return title === now.title && status === now.status ? now : valueOf(await api.update(patch));
    },

    async deleteConversation(id: string): Promise<{ conversation_id: string; deleted: true }> {
      const deleted = await changeIn(id, (api) => api.remove());
      await forgetStanding(env, userId, id);
      return deleted;
    },

    /** A ticket for the socket of a conversation, which stays open no longer than `expiresAt` (S8). */
    async issueTicket(id: string, expiresAt: number | null): Promise<Ticket> {
      await this.readConversation(id);
      return fromDirectory(issueTicket(env.DB, { userId, expiresAt }, id));
    },

    /** Sends to a conversation that exists. The command id makes it idempotent; without one, every call is a new message. */
    async send(id: string, message: Send, commandId: string = mint("cmd")): Promise<Accepted> {
      return changeIn(id, (api) => api.send(commandId, message, { create: false }));
    },

    /**
     * Sends to the conversation of that name, which is made if this user has none; without a name, to a new
     * one. A command that comes again finds the conversation that it made (T2). `push` hears what becomes of the thread.
     */
    async start(id: string | undefined, message: Send, commandId?: string, push?: Push): Promise<Accepted> {
      const command = parseWith(commandIdSchema.optional(), commandId);
      const name = id ?? (command === undefined ? mint("conv") : await namedAfter(command));
      parseAt("conversation_id", conversationIdSchema, name);
      const send = (create: boolean): Promise<Result<Accepted>> =>
        conversation(name).send(command ?? mint("cmd"), message, { create, ...(push === undefined ? {} : { push }) });
      if (id === undefined || digestIn(id) === null) return valueOf(await send(true));
      // It may be the name of a sub-conversation, or of a conversation that is there.
      const sent = await send(false);
      if (sent.ok || sent.failure.code !== "not_found") return valueOf(sent);
      await refuseSub(id);
      return valueOf(await send(true));
    },

    async resume(id: string, answer: Resume, commandId: string = mint("cmd")): Promise<Accepted> {
      return changeIn(id, (api) => api.resume(commandId, answer));
    },

    async cancel(id: string, target: Cancel, commandId: string = mint("cmd")): Promise<{ cancelled: string[] }> {
      return changeIn(id, (api) => api.cancel(commandId, target));
    },

    async events(id: string, after: number, limit: number): Promise<Page<Frame>> {
      const page = await readFrom(id, (from, task) => from.events(after, limit, task));
      return { ...page, events: page.events.map((frame) => toldIn(id, frame)) };
    },

    async items(id: string): Promise<Item[]> {
      const items = await readFrom(id, (from, task) => from.items(task));
      return items.map((item) => ({ ...item, conversation_id: id }));
    },

    /** JSON lines of frames; of one thread, up to its end, or of everything, for as long as somebody reads. */
    async follow(id: string, after: number, thread?: string): Promise<ReadableStream<Uint8Array>> {
      return readFrom(id, async (from, task) => {
        const lines = await from.follow(after, thread);
        return lines.ok && task !== undefined ? { ok: true, value: linesOfTask(lines.value, id, task) } : lines;
      });
    },

    /** The thread that a message began, up to its end; with the conversation's own beginning if it made that too. */
    followThread({ conversation_id, thread_id, seq, is_first }: Accepted): Promise<ReadableStream<Uint8Array>> {
      return this.follow(conversation_id, is_first ? 0 : seq - 1, thread_id);
    },

    async plans(id: string): Promise<Plan[]> {
      return readFrom(id, async (from, task) => (task === undefined ? from.plans() : NO_PLANS));
    },

    async tasks(id: string, status?: TaskStatus): Promise<Task[]> {
      const filter = status === undefined ? {} : { status };
      return readFrom(id, async (from, task) => {
        const tasks = await from.tasks(filter);
        if (!tasks.ok || task === undefined) return tasks;
        return { ok: true, value: tasks.value.filter(({ task_id }) => task_id === task) };
      });
    },

    async context(id: string): Promise<Context> {
      const context = await readFrom(id, (from, task) => from.context(task));
      return context.conversation_id === undefined ? context : { ...context, conversation_id: id };
    },

    async task(taskId: string): Promise<Task> {
      const task = await taskOf(await ofTask(taskId), taskId);
      if (task === undefined) throw new Fault("not_found", "There is no such task.");
      return task;
    },

    async cancelTask(taskId: string): Promise<{ cancelled: string[] }> {
      return valueOf(await conversation(await ofTask(taskId)).cancel(mint("cmd"), { task_id: taskId }));
    },
  };
}

/** A sub-conversation has one task and no plan of its own. */
const NO_PLANS = { ok: true as const, value: [] };

/** The id of the conversation that a command makes. Looks like any other and is the same every time. */
async function namedAfter(commandId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(commandId));
  const digits = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `conv-${digits.join("")}`;
}
