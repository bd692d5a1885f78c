// The operations of a user: everything that a user can do, for all interfaces. HTTP, RPC, A2A, AG-UI, OpenAI and MCP
// only encode them.
//
// The operations own no state; the conversation objects, the library and the directory do. They may run concurrently.
// All of them throw a `Fault`. Content is validated where it is stored, so all interfaces refuse the same input.
// Access (U1): stubs are addressed by user and id, so an operation cannot reach the data of another user.

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

/** The operations of one user. */
export type Verbs = ReturnType<typeof verbsOf>;

/** Returns the name of the Durable Object of a user's conversation. Throws `not_found` for an invalid id. */
export function conversationName(userId: string, id: string): string {
  if (!isConversationId(id)) throw new Fault("not_found", "There is no such conversation.");
  return objectName(userId, id);
}

/**
 * Returns the id of the conversation whose task a sub-conversation shows; null if there is none. For an id with the
 * form of a sub-conversation, throws `unavailable` while the directory is down; other ids work without the directory.
 */
export function parentOfSubConversation({ DB }: Env, userId: string, id: string): Promise<string | null> {
  const parent = parentOf(DB, userId, id);
  return isOfSubConversation(id) ? fromDirectory(parent) : parent.catch(() => null);
}

/** Creates the operations of a user. */
export function verbsOf(env: Env, settings: Settings, userId: string) {
  /** Returns the stub of a conversation. The conversation need not exist. */
  const conversation = (id: string): ConversationApi => env.CONVERSATION.getByName(conversationName(userId, id));

  /**
   * Reads a conversation. If it does not exist and `id` is a sub-conversation, reads one task of its parent instead.
   */
  const readFrom = async <T>(
    id: string,
    read: (from: ConversationApi, task?: string) => Promise<Result<T>>,
  ): Promise<T> => {
    const own = await read(conversation(id));
    if (own.ok || own.failure.code !== "not_found") return valueOf(own);
    const part = await partOf(id);
    return valueOf(part === null ? own : await read(conversation(part.parent), part.task.task_id));
  };

  /**
   * Changes a conversation. Throws `conflict` for a sub-conversation, which is read-only: its parent must be changed.
   */
  const changeIn = async <T>(id: string, change: (api: ConversationApi) => Promise<Result<T>>): Promise<T> => {
    const changed = await change(conversation(id));
    if (!changed.ok && changed.failure.code === "not_found") await refuseSub(id);
    return valueOf(changed);
  };

  /** Throws `conflict` if the id is that of a sub-conversation. */
  const refuseSub = async (id: string): Promise<void> => {
    const part = await partOf(id);
    if (part !== null) throw readOnly(part.parent);
  };

  /** Returns the parent and the task of a sub-conversation; null for any other id. */
  const partOf = async (id: string): Promise<{ readonly parent: string; readonly task: Task } | null> => {
    const parent = await parentOfSubConversation(env, userId, id);
    const task = parent === null ? undefined : await taskOf(parent, companion(id, "task"));
    return parent === null || task?.conversation_id !== id ? null : { parent, task };
  };

  /** Returns the id of the conversation that a task belongs to. Throws `not_found`. */
  const ofTask = async (taskId: string): Promise<string> => {
    const id = isTaskId(taskId) ? await fromDirectory(parentOf(env.DB, userId, taskId)) : null;
    if (id === null) throw new Fault("not_found", "There is no such task.");
    return id;
  };

  /** Returns a task of a conversation; undefined if it has no such task. */
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

    /** Creates a conversation and, if there is a message, its first thread. */
    async createConversation({ title, message }: CreateConversation): Promise<Conversation> {
      const api = conversation(mint("conv"));
      if (message === undefined) return valueOf(await api.create(title));
      // One call creates both. If the message is refused or lost, there is no conversation without it.
      valueOf(await api.send(mint("cmd"), { message }, { create: true, title }));
      return valueOf(await api.read());
    },

    /** Returns a page of the list, newest first. */
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

    /** Returns a conversation or sub-conversation. */
    async readConversation(id: string): Promise<Conversation> {
      const own = await conversation(id).read();
      const part = !own.ok && own.failure.code === "not_found" ? await partOf(id) : null;
      return part === null ? valueOf(own) : subConversation(valueOf(await conversation(part.parent).read()), part.task);
    },

    /**
     * Changes the title or status. Without a difference nothing is written, so the position in the list does not
     * change.
     */
    async updateConversation(id: string, patch: UpdateConversation): Promise<Conversation> {
      const api = conversation(id);
      const now = await changeIn(id, () => api.read());
      const { title = now.title, status = now.status } = patch;
      return title === now.title && status === now.status ? now : valueOf(await api.update(patch));
    },

    /** Deletes a conversation with its threads, and the analyst's state of it. */
    async deleteConversation(id: string): Promise<{ conversation_id: string; deleted: true }> {
      const deleted = await changeIn(id, (api) => api.remove());
      await forgetStanding(env, userId, id);
      return deleted;
    },

    /** Creates a ticket for the socket of a conversation. The socket is closed at `expiresAt` at the latest (S8). */
    async issueTicket(id: string, expiresAt: number | null): Promise<Ticket> {
      await this.readConversation(id);
      return fromDirectory(issueTicket(env.DB, { userId, expiresAt }, id));
    },

    /**
     * Sends to an existing conversation. A repeated command id is executed once (T2); without one, every call is a new
     * message.
     */
    async send(id: string, message: Send, commandId: string = mint("cmd")): Promise<Accepted> {
      return changeIn(id, (api) => api.send(commandId, message, { create: false }));
    },

    /**
     * Sends to the conversation with this id, and creates it if it does not exist; without an id, creates a new one. A
     * repeated command finds the conversation that it has created (T2). `push` is notified about the thread.
     */
    async start(id: string | undefined, message: Send, commandId?: string, push?: Push): Promise<Accepted> {
      const command = parseWith(commandIdSchema.optional(), commandId);
      const name = id ?? (command === undefined ? mint("conv") : await namedAfter(command));
      parseAt("conversation_id", conversationIdSchema, name);
      const send = (create: boolean): Promise<Result<Accepted>> =>
        conversation(name).send(command ?? mint("cmd"), message, { create, ...(push === undefined ? {} : { push }) });
      if (id === undefined || digestIn(id) === null) return valueOf(await send(true));
      // The id may be that of a sub-conversation or of an existing conversation.
      const sent = await send(false);
      if (sent.ok || sent.failure.code !== "not_found") return valueOf(sent);
      await refuseSub(id);
      return valueOf(await send(true));
    },

    /** Answers an open question. */
    async resume(id: string, answer: Resume, commandId: string = mint("cmd")): Promise<Accepted> {
      return changeIn(id, (api) => api.resume(commandId, answer));
    },

    /** Cancels a thread or a task; without a target, the running thread. Returns the ids of what was cancelled. */
    async cancel(id: string, target: Cancel, commandId: string = mint("cmd")): Promise<{ cancelled: string[] }> {
      return changeIn(id, (api) => api.cancel(commandId, target));
    },

    /** Returns at most `limit` events with a `seq` greater than `after`. */
    async events(id: string, after: number, limit: number): Promise<Page<Frame>> {
      const page = await readFrom(id, (from, task) => from.events(after, limit, task));
      return { ...page, events: page.events.map((frame) => toldIn(id, frame)) };
    },

    /** Returns the items of a conversation in order. */
    async items(id: string): Promise<Item[]> {
      const items = await readFrom(id, (from, task) => from.items(task));
      return items.map((item) => ({ ...item, conversation_id: id }));
    },

    /**
     * Returns JSON lines of frames with a `seq` greater than `after`. With `thread`, the stream contains only this
     * thread and ends after its `done`; otherwise it stays open until it is cancelled. Throws `too_many_requests` if
     * too many readers follow the conversation.
     */
    async follow(id: string, after: number, thread?: string): Promise<ReadableStream<Uint8Array>> {
      return readFrom(id, async (from, task) => {
        const lines = await from.follow(after, thread);
        return lines.ok && task !== undefined ? { ok: true, value: linesOfTask(lines.value, id, task) } : lines;
      });
    },

    /**
     * Follows an accepted thread to its end, including the first events of the conversation if the message created it.
     */
    followThread({ conversation_id, thread_id, seq, is_first }: Accepted): Promise<ReadableStream<Uint8Array>> {
      return this.follow(conversation_id, is_first ? 0 : seq - 1, thread_id);
    },

    /** Returns all plans with the current state of their tasks. A sub-conversation has none. */
    async plans(id: string): Promise<Plan[]> {
      return readFrom(id, async (from, task) => (task === undefined ? from.plans() : NO_PLANS));
    },

    /** Returns the tasks of all plans, or those with this status. */
    async tasks(id: string, status?: TaskStatus): Promise<Task[]> {
      const filter = status === undefined ? {} : { status };
      return readFrom(id, async (from, task) => {
        const tasks = await from.tasks(filter);
        if (!tasks.ok || task === undefined) return tasks;
        return { ok: true, value: tasks.value.filter(({ task_id }) => task_id === task) };
      });
    },

    /** Returns the open questions and where the waiting thread stopped. */
    async context(id: string): Promise<Context> {
      const context = await readFrom(id, (from, task) => from.context(task));
      return context.conversation_id === undefined ? context : { ...context, conversation_id: id };
    },

    /** Returns a task by its id alone. Throws `not_found`. */
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

/** A sub-conversation has one task and no plan. */
const NO_PLANS = { ok: true as const, value: [] };

/** Derives the id of a conversation from the command that creates it, so that a repeated command finds it. */
async function namedAfter(commandId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(commandId));
  const digits = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `conv-${digits.join("")}`;
}
