// The operations of a user: everything that a user can do, for all interfaces. HTTP, RPC, A2A, AG-UI, OpenAI and MCP
// only encode them.
//
// The operations own no state; the conversation objects, the library and the directory do. They may run concurrently.
// All of them throw a `Fault`. Content is validated where it is stored, so all interfaces refuse the same input.
// Access (U1): stubs are addressed by user and id, so an operation cannot reach the data of another user.

import { requireDirectory } from "../../directory/directory-availability.ts";
import {
  listConversations,
  findParentId,
  toSubConversation,
  type ConversationFilter,
} from "../../directory/conversation-directory.ts";
import { issueTicket } from "../../directory/tickets.ts";
import {
  formatObjectName,
  unwrapResult,
  type AcceptedCommand,
  type EventPage,
  type InternalResult,
} from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import { createReadOnlyFault, withConversationId } from "../../durable/conversation/sub-conversation.ts";
import type { Env } from "../../env.ts";
import type { PushConfig } from "../../protocol/agents/a2a-push.ts";
import type { ConversationList, SocketTicket } from "../../protocol/wire/http-responses.ts";
import {
  commandIdSchema,
  type CancelCommand,
  type ResumeCommand,
  type SendCommand,
} from "../../protocol/wire/commands.ts";
import type {
  ConversationInfo,
  CreateConversationRequest,
  UpdateConversationRequest,
} from "../../protocol/wire/conversation-info.ts";
import type { Frame } from "../../protocol/wire/events.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { parseNamedValue, parseOrThrow } from "../../protocol/wire/fault.ts";
import { deriveId, parseConversationDigest, isSubConversationId, createId } from "../../protocol/wire/ids.ts";
import type { Item } from "../../protocol/wire/items.ts";
import type { Plan, Task, TaskStatus } from "../../protocol/plans/task-plan.ts";
import type { QuestionContext } from "../../protocol/wire/question.ts";
import type { Settings } from "../../settings.ts";
import { createAgentOperations } from "./agent-operations.ts";
import { createAnalysisOperations } from "./analysis-operations.ts";
import { encodeCursor, decodeCursor } from "./list-cursor.ts";
import { createDatasetOperations } from "./dataset-operations.ts";
import { conversationIdSchema, isConversationId, isTaskId } from "./id-validation.ts";
import { deleteAnalysisState, createPageOperations } from "./page-operations.ts";
import { createPlanOperations } from "./plan-operations.ts";
import { createScheduleOperations } from "./schedule-operations.ts";
import { filterTaskLines } from "./sub-conversation-stream.ts";
import { createThreadOperations } from "./thread-operations.ts";
import { createToolOperations } from "./tool-operations.ts";

/** The operations of one user. */
export type Operations = ReturnType<typeof createOperations>;

/** Returns the name of the Durable Object of a user's conversation. Throws `not_found` for an invalid id. */
export function getConversationName(userId: string, id: string): string {
  if (!isConversationId(id)) throw createFault("not_found", "conversation.notFound");
  return formatObjectName(userId, id);
}

/**
 * Returns the id of the conversation whose task a sub-conversation shows; null if there is none. While the directory is
 * down, throws `unavailable` for an id with the form of a sub-conversation, and returns null for other ids.
 */
export function findParentConversation({ DB }: Env, userId: string, id: string): Promise<string | null> {
  const parent = findParentId(DB, userId, id);
  return isSubConversationId(id) ? requireDirectory(parent) : parent.catch(() => null);
}

/**
 * Creates the operations of a user. An unknown conversation, or that of another user, is `not_found`. Operations that
 * need the directory throw `unavailable` while it is down.
 */
export function createOperations(env: Env, settings: Settings, userId: string) {
  /** Returns the stub of a conversation. The conversation need not exist. */
  const getConversationStub = (id: string): ConversationApi =>
    env.CONVERSATION.getByName(getConversationName(userId, id));

  /**
   * Reads a conversation. If it does not exist and `id` is a sub-conversation, reads one task of its parent instead.
   */
  const readConversationOrTask = async <T>(
    id: string,
    read: (from: ConversationApi, task?: string) => Promise<InternalResult<T>>,
  ): Promise<T> => {
    const own = await read(getConversationStub(id));
    if (own.ok || own.failure.code !== "not_found") return unwrapResult(own);
    const sub = await findSubConversation(id);
    return unwrapResult(sub === null ? own : await read(getConversationStub(sub.parent), sub.task.task_id));
  };

  /**
   * Changes a conversation. Throws `conflict` for a sub-conversation, which is read-only: its parent must be changed.
   */
  const changeConversation = async <T>(
    id: string,
    change: (api: ConversationApi) => Promise<InternalResult<T>>,
  ): Promise<T> => {
    const changed = await change(getConversationStub(id));
    if (!changed.ok && changed.failure.code === "not_found") await refuseSubConversation(id);
    return unwrapResult(changed);
  };

  /** Throws `conflict` if the id is that of a sub-conversation. */
  const refuseSubConversation = async (id: string): Promise<void> => {
    const sub = await findSubConversation(id);
    if (sub !== null) throw createReadOnlyFault(sub.parent);
  };

  /** Returns the parent and the task of a sub-conversation; null for any other id. */
  const findSubConversation = async (id: string): Promise<{ readonly parent: string; readonly task: Task } | null> => {
    const parent = await findParentConversation(env, userId, id);
    const task = parent === null ? undefined : await findTask(parent, deriveId(id, "task"));
    return parent === null || task?.conversation_id !== id ? null : { parent, task };
  };

  /** Returns the id of the conversation that a task belongs to. Throws `not_found`. */
  const findConversationId = async (taskId: string): Promise<string> => {
    const id = isTaskId(taskId) ? await requireDirectory(findParentId(env.DB, userId, taskId)) : null;
    if (id === null) throw createFault("not_found", "task.notFound");
    return id;
  };

  /** Returns a task of a conversation; undefined if it has no such task. */
  const findTask = async (id: string, taskId: string): Promise<Task | undefined> =>
    unwrapResult(await getConversationStub(id).tasks({})).find((task) => task.task_id === taskId);

  return {
    userId,
    ...createAgentOperations(env, settings, userId),
    ...createScheduleOperations(env, userId, getConversationStub),
    ...createPlanOperations(env, settings, userId, getConversationStub),
    ...createThreadOperations(getConversationStub),
    ...createToolOperations(env, userId),
    ...createAnalysisOperations(env, settings, userId),
    ...createPageOperations(env, userId),
    ...createDatasetOperations(env, userId),

    /**
     * Creates a conversation and, if there is a message, its first thread. If the message is refused, creates nothing.
     */
    async createConversation({ title, message }: CreateConversationRequest): Promise<ConversationInfo> {
      const api = getConversationStub(createId("conv"));
      if (message === undefined) return unwrapResult(await api.create(title));
      // One call creates both. If the message is refused or lost, there is no conversation without it.
      unwrapResult(await api.send(createId("cmd"), { message }, { create: true, title }));
      return unwrapResult(await api.read());
    },

    /** Returns a page of the list, last updated first. */
    async listConversations(
      limit: number,
      cursor?: string,
      filter: ConversationFilter = {},
    ): Promise<ConversationList> {
      const position = cursor === undefined ? null : decodeCursor(cursor);
      const after = position === null ? null : { updatedAt: position.at, conversationId: position.id };
      const conversations = await requireDirectory(listConversations(env.DB, userId, limit, after, filter));
      const last = conversations.length < limit ? undefined : conversations.at(-1);
      const next_cursor = last === undefined ? null : encodeCursor(last.updated_at, last.conversation_id);
      return { conversations, next_cursor };
    },

    /** Returns a conversation or sub-conversation. */
    async readConversation(id: string): Promise<ConversationInfo> {
      const own = await getConversationStub(id).read();
      const sub = !own.ok && own.failure.code === "not_found" ? await findSubConversation(id) : null;
      return sub === null
        ? unwrapResult(own)
        : toSubConversation(unwrapResult(await getConversationStub(sub.parent).read()), sub.task);
    },

    /**
     * Changes the title or status. Without a difference nothing is written, so the position in the list does not
     * change. Throws `conflict` for a sub-conversation, like all methods that change one.
     */
    async updateConversation(id: string, patch: UpdateConversationRequest): Promise<ConversationInfo> {
      const api = getConversationStub(id);
      const now = await changeConversation(id, () => api.read());
      const { title = now.title, status = now.status } = patch;
      return title === now.title && status === now.status ? now : unwrapResult(await api.update(patch));
    },

    /** Deletes a conversation with its threads and schedules, and the analyst's state of it. */
    async deleteConversation(id: string): Promise<{ conversation_id: string; deleted: true }> {
      const deleted = await changeConversation(id, (api) => api.remove());
      await deleteAnalysisState(env, userId, id);
      return deleted;
    },

    /**
     * Creates a ticket for one socket of a conversation. The socket is closed at `expiresAt` (ms since the epoch) at
     * the latest; null means that the authentication does not expire.
     */
    async issueTicket(id: string, expiresAt: number | null): Promise<SocketTicket> {
      await this.readConversation(id);
      return requireDirectory(issueTicket(env.DB, { userId, expiresAt }, id));
    },

    /**
     * Sends to an existing conversation. A repeated command id is executed once (T2); without one, every call is a new
     * message.
     */
    async send(id: string, message: SendCommand, commandId: string = createId("cmd")): Promise<AcceptedCommand> {
      return changeConversation(id, (api) => api.send(commandId, message, { create: false }));
    },

    /**
     * Sends to the conversation with this id, and creates it if it does not exist; without an id, creates a new one. A
     * repeated command finds the conversation that it has created (T2). `push` is notified about the thread. Throws
     * `invalid_request` for an invalid id, and `conflict` for a sub-conversation.
     */
    async start(
      id: string | undefined,
      message: SendCommand,
      commandId?: string,
      push?: PushConfig,
    ): Promise<AcceptedCommand> {
      const command = parseOrThrow(commandIdSchema.optional(), commandId);
      const name = id ?? (command === undefined ? createId("conv") : await deriveConversationId(command));
      parseNamedValue("conversation_id", conversationIdSchema, name);
      const send = (create: boolean): Promise<InternalResult<AcceptedCommand>> =>
        getConversationStub(name).send(command ?? createId("cmd"), message, {
          create,
          ...(push === undefined ? {} : { push }),
        });
      if (id === undefined || parseConversationDigest(id) === null) return unwrapResult(await send(true));
      // The id may be that of a sub-conversation or of an existing conversation.
      const sent = await send(false);
      if (sent.ok || sent.failure.code !== "not_found") return unwrapResult(sent);
      await refuseSubConversation(id);
      return unwrapResult(await send(true));
    },

    /** Answers an open question; `request_id` is required if several are open. */
    async resume(id: string, answer: ResumeCommand, commandId: string = createId("cmd")): Promise<AcceptedCommand> {
      return changeConversation(id, (api) => api.resume(commandId, answer));
    },

    /** Cancels a thread or a task; without a target, the oldest open message. Returns its id in a list. */
    async cancel(
      id: string,
      target: CancelCommand,
      commandId: string = createId("cmd"),
    ): Promise<{ cancelled: string[] }> {
      return changeConversation(id, (api) => api.cancel(commandId, target));
    },

    /** Returns at most `limit` events with a `seq` greater than `after`, oldest first. */
    async events(id: string, after: number, limit: number): Promise<EventPage<Frame>> {
      const page = await readConversationOrTask(id, (from, task) => from.events(after, limit, task));
      return { ...page, events: page.events.map((frame) => withConversationId(id, frame)) };
    },

    /** Returns the items of a conversation in order. */
    async items(id: string): Promise<Item[]> {
      const items = await readConversationOrTask(id, (from, task) => from.items(task));
      return items.map((item) => ({ ...item, conversation_id: id }));
    },

    /**
     * Returns JSON lines of frames with a `seq` greater than `after`. With `thread`, the stream contains only this
     * thread and ends after its `done`; otherwise it stays open until it is cancelled. Throws `too_many_requests` if
     * too many readers follow the conversation.
     */
    async follow(id: string, after: number, thread?: string): Promise<ReadableStream<Uint8Array>> {
      return readConversationOrTask(id, async (from, task) => {
        const lines = await from.follow(after, thread);
        return lines.ok && task !== undefined ? { ok: true, value: filterTaskLines(lines.value, id, task) } : lines;
      });
    },

    /**
     * Follows an accepted thread to its end, including the first events of the conversation if the message created it.
     */
    followThread({ conversation_id, thread_id, seq, is_first }: AcceptedCommand): Promise<ReadableStream<Uint8Array>> {
      return this.follow(conversation_id, is_first ? 0 : seq - 1, thread_id);
    },

    /** Returns all plans with the current state of their tasks. A sub-conversation has none. */
    async plans(id: string): Promise<Plan[]> {
      return readConversationOrTask(id, async (from, task) => (task === undefined ? from.plans() : NO_PLANS));
    },

    /** Returns the tasks of all plans, or those with this status. */
    async tasks(id: string, status?: TaskStatus): Promise<Task[]> {
      const filter = status === undefined ? {} : { status };
      return readConversationOrTask(id, async (from, task) => {
        const tasks = await from.tasks(filter);
        if (!tasks.ok || task === undefined) return tasks;
        return { ok: true, value: tasks.value.filter(({ task_id }) => task_id === task) };
      });
    },

    /** Returns the open questions and where the waiting thread stopped. */
    async context(id: string): Promise<QuestionContext> {
      const context = await readConversationOrTask(id, (from, task) => from.context(task));
      return context.conversation_id === undefined ? context : { ...context, conversation_id: id };
    },

    /** Returns a task by its id alone. Throws `not_found`. */
    async task(taskId: string): Promise<Task> {
      const task = await findTask(await findConversationId(taskId), taskId);
      if (task === undefined) throw createFault("not_found", "task.notFound");
      return task;
    },

    /** Cancels a task by its id alone, and ends the schedule of a recurring task. Throws `not_found`, or `conflict`. */
    async cancelTask(taskId: string): Promise<{ cancelled: string[] }> {
      return unwrapResult(
        await getConversationStub(await findConversationId(taskId)).cancel(createId("cmd"), { task_id: taskId }),
      );
    },
  };
}

/** A sub-conversation has one task and no plan. */
const NO_PLANS = { ok: true as const, value: [] };

/** Derives the id of a conversation from the command that creates it, so that a repeated command finds it. */
async function deriveConversationId(commandId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(commandId));
  const digits = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `conv-${digits.join("")}`;
}
