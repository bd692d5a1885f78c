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
import { Fault } from "../../protocol/wire/fault.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";
import { createSseResponse, acceptsEventStream } from "../sse.ts";

const MAX_SEQ = Number.MAX_SAFE_INTEGER;

export const conversationContentRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/events",
    tag: "Reading",
    summary: "The events after a number, as a page, or as a stream that stays open and honours Last-Event-ID",
    query: z.strictObject({
      after: createIntegerParameter(0, { min: 0, max: MAX_SEQ }),
      limit: createIntegerParameter(1_000, { min: 1, max: 10_000 }),
    }),
    answer: {
      status: 200,
      description: "A page of events",
      schema: eventListSchema,
    },
    headers: { "last-event-id": "The last event seen, as browsers send it when they come back; wins over `after`." },
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
    summary: "What there is to see, in order",
    answer: { status: 200, description: "All items", schema: itemListSchema },
    handle: async ({ operations, params }) => ({ items: await operations.items(params.id) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/plans",
    tag: "Reading",
    summary: "The plans, with their tasks as they stand",
    answer: { status: 200, description: "All plans", schema: planListSchema },
    handle: async ({ operations, params }) => ({ plans: await operations.plans(params.id) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/tasks",
    tag: "Reading",
    summary: "The tasks of all plans",
    query: z.strictObject({ status: taskStatusSchema.optional() }),
    answer: { status: 200, description: "The tasks", schema: taskListSchema },
    handle: async ({ operations, params, query }) => ({ tasks: await operations.tasks(params.id, query.status) }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}/context",
    tag: "Reading",
    summary: "What the conversation waits for",
    answer: { status: 200, description: "Open questions", schema: questionContextSchema },
    handle: ({ operations, params }) => operations.context(params.id),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/tasks/{id}",
    tag: "Reading",
    summary: "One task",
    answer: { status: 200, description: "The task", schema: taskSchema },
    handle: ({ operations, params }) => operations.task(params.id),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/tasks/{id}/cancel",
    tag: "Talking",
    summary: "Stop one task",
    answer: { status: 200, description: "What was stopped", schema: cancelledTasksSchema },
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
  if (!/^\d{1,15}$/.test(text))
    throw new Fault("invalid_request", "last-event-id: must be a whole number", { field: "last-event-id" });
  return Number(text);
}
