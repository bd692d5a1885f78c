// Operations that read the content of a conversation: events, items, plans, tasks and open questions.

import { openDirectory } from "../../directory/open-directory.ts";
import { findParentId } from "../../directory/conversation-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { unwrapResult } from "../../durable/conversation-api.ts";
import { withConversationId } from "../../durable/conversation/sub-conversation.ts";
import { createMessage } from "../../language/messages.ts";
import { conversationEndpoints } from "../../protocol/api/conversation-endpoints.ts";
import type { TaskStatus } from "../../protocol/plans/task-plan.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { createSseResponse } from "../sse.ts";
import { findTask, followConversation, getConversationStub, readConversationOrTask } from "./conversation-access.ts";
import { isTaskId } from "./id-validation.ts";
import { defineOperation, type Caller } from "./operation.ts";

const tag = "Reading";

export const contentOperations = {
  /**
   * Returns at most `limit` frames (1,000 by default, at most 10,000) with a `seq` greater than `after` (default 0), and
   * fewer if they are large. An empty page is the end.
   */
  events: defineOperation(conversationEndpoints.events, {
    http: {
      tag,
      summary: "Get the events after a `seq`, as a page or as a stream that stays open",
      headers: {
        "last-event-id":
          "The `seq` of the last received event, which browsers send when they reconnect. Overrides `after`.",
      },
      answer: "A page of events",
      streams: true,
    },
    rpc: (conversation: string, after?: number, limit?: number) => ({ id: conversation, query: { after, limit } }),
    async run(caller, { id, query: { after, limit } }) {
      const page = await readConversationOrTask(caller, id, (from, task) => from.events(after, limit, task));
      return { ...page, events: page.events.map((frame) => withConversationId(id, frame)) };
    },
    async stream({ request, caller, input: { id, query } }) {
      const lines = await followConversation(caller, id, readLastEventId(request) ?? query.after);
      return createSseResponse(lines, caller.expiresAt);
    },
  }),
  /** Returns all items in order. */
  items: defineOperation(conversationEndpoints.items, {
    http: { tag, summary: "List the items of a conversation in order", answer: "All items" },
    rpc: (conversation: string) => ({ id: conversation }),
    async run(caller, { id }) {
      const items = await readConversationOrTask(caller, id, (from, task) => from.items(task));
      return items.map((item) => ({ ...item, conversation_id: id }));
    },
    respond: (items) => ({ items }),
  }),
  /** Returns all plans with the current state of their tasks. A sub-conversation has one task and no plan. */
  plans: defineOperation(conversationEndpoints.plans, {
    http: { tag, summary: "List the plans with the current state of their tasks", answer: "All plans" },
    rpc: (conversation: string) => ({ id: conversation }),
    run: (caller, { id }) =>
      readConversationOrTask(caller, id, async (from, task) =>
        task === undefined ? from.plans() : { ok: true, value: [] },
      ),
    respond: (plans) => ({ plans }),
  }),
  /** Returns the tasks of all plans, or those with this status. */
  tasks: defineOperation(conversationEndpoints.tasks, {
    http: { tag, summary: "List the tasks of all plans", answer: "The tasks" },
    rpc: (conversation: string, status?: TaskStatus) => ({ id: conversation, query: { status } }),
    run: (caller, { id, query: { status } }) =>
      readConversationOrTask(caller, id, async (from, task) => {
        const tasks = await from.tasks(status === undefined ? {} : { status });
        if (!tasks.ok || task === undefined) return tasks;
        return { ok: true, value: tasks.value.filter(({ task_id }) => task_id === task) };
      }),
    respond: (tasks) => ({ tasks }),
  }),
  /** Returns the open questions and where the waiting thread stopped. */
  context: defineOperation(conversationEndpoints.context, {
    http: {
      tag,
      summary: "Get the open questions of a conversation",
      answer: "The open questions, and the stage at which each thread waits",
    },
    rpc: (conversation: string) => ({ id: conversation }),
    async run(caller, { id }) {
      const context = await readConversationOrTask(caller, id, (from, task) => from.context(task));
      return context.conversation_id === undefined ? context : { ...context, conversation_id: id };
    },
  }),
  /** Returns a task by its id alone. */
  task: defineOperation(conversationEndpoints.task, {
    http: { tag, summary: "Get a task", answer: "The task" },
    rpc: (task: string) => ({ id: task }),
    async run(caller, { id }) {
      const task = await findTask(caller, await findConversationId(caller, id), id);
      if (task === undefined) throw createFault("not_found", "task.notFound");
      return task;
    },
  }),
  /** Cancels a task, or ends the schedule of a recurring task. Returns its id in a list. `conflict` if it has ended. */
  cancelTask: defineOperation(conversationEndpoints.cancelTask, {
    http: {
      tag: "Talking",
      summary: "Cancel a task",
      answer: "The id of the cancelled thread or task, in a list",
    },
    rpc: (task: string) => ({ id: task }),
    run: async (caller, { id }) =>
      unwrapResult(
        await getConversationStub(caller, await findConversationId(caller, id)).cancel(createId("cmd"), {
          task_id: id,
        }),
      ),
  }),
};

/** Returns the id of the conversation that a task belongs to. Throws `not_found`. */
async function findConversationId({ env, userId }: Caller, taskId: string): Promise<string> {
  const id = isTaskId(taskId) ? await requireDirectory(findParentId(openDirectory(env.DB), userId, taskId)) : null;
  if (id === null) throw createFault("not_found", "task.notFound");
  return id;
}

/**
 * Returns the `Last-Event-ID` header, which an `EventSource` sends when it reconnects. Throws `invalid_request` if it
 * is not a number.
 */
function readLastEventId(request: Request): number | undefined {
  const text = request.headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    const field = "last-event-id";
    throw createFault("invalid_request", createMessage("field.notNonNegativeInteger", { field }), { field });
  }
  return Number(text);
}
