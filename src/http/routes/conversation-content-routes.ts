// HTTP routes that read the content of a conversation: events, items, plans, tasks and open questions.

import * as z from "zod";
import {
  cancelledTasksSchema,
  eventListSchema,
  itemListSchema,
  planListSchema,
  taskListSchema,
} from "../../protocol/wire/http-responses.ts";
import { questionContextSchema } from "../../protocol/wire/question.ts";
import { taskSchema, taskStatusSchema } from "../../protocol/plans/task-plan.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";
import { createSseResponse, acceptsEventStream } from "../sse.ts";

const MAX_SEQ = Number.MAX_SAFE_INTEGER;

export const conversationContentRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/events",
    tag: "Reading",
    summary: "Get the events after a `seq`, as a page or as a stream that stays open",
    query: z.strictObject({
      after: createIntegerParameter(0, { min: 0, max: MAX_SEQ }),
      limit: createIntegerParameter(1_000, { min: 1, max: 10_000 }),
    }),
    answer: {
      status: 200,
      description: "A page of events",
      schema: eventListSchema,
    },
    headers: {
      "last-event-id":
        "The `seq` of the last received event, which browsers send when they reconnect. Overrides `after`.",
    },
    streams: true,
    async handle({ operations, params, query, request, identity }) {
      const id = params.id;
      if (!acceptsEventStream(request)) return operations.events(id, query.after, query.limit);
      return createSseResponse(
        await operations.follow(id, readLastEventId(request) ?? query.after),
        identity.expiresAt,
      );
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/items",
    tag: "Reading",
    summary: "List the items of a conversation in order",
    answer: { status: 200, description: "All items", schema: itemListSchema },
    handle: async ({ operations, params }) => ({ items: await operations.items(params.id) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/plans",
    tag: "Reading",
    summary: "List the plans with the current state of their tasks",
    answer: { status: 200, description: "All plans", schema: planListSchema },
    handle: async ({ operations, params }) => ({ plans: await operations.plans(params.id) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/tasks",
    tag: "Reading",
    summary: "List the tasks of all plans",
    query: z.strictObject({ status: taskStatusSchema.optional() }),
    answer: { status: 200, description: "The tasks", schema: taskListSchema },
    handle: async ({ operations, params, query }) => ({ tasks: await operations.tasks(params.id, query.status) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/context",
    tag: "Reading",
    summary: "Get the open questions of a conversation",
    answer: {
      status: 200,
      description: "The open questions, and the stage at which each thread waits",
      schema: questionContextSchema,
    },
    handle: ({ operations, params }) => operations.context(params.id),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/tasks/{id}",
    tag: "Reading",
    summary: "Get a task",
    answer: { status: 200, description: "The task", schema: taskSchema },
    handle: ({ operations, params }) => operations.task(params.id),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/tasks/{id}/cancel",
    tag: "Talking",
    summary: "Cancel a task",
    answer: {
      status: 200,
      description: "The id of the cancelled thread or task, in a list",
      schema: cancelledTasksSchema,
    },
    handle: ({ operations, params }) => operations.cancelTask(params.id),
  }),
];

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
