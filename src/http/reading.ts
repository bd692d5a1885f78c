// HTTP routes that read the content of a conversation: events, items, plans, tasks and open questions.

import * as z from "zod";
import { cancelledSchema, eventPageSchema, itemsSchema, plansSchema, tasksSchema } from "../protocol/answers.ts";
import { contextSchema } from "../protocol/question.ts";
import { taskSchema, taskStatusSchema } from "../protocol/plan.ts";
import { Fault } from "../protocol/fault.ts";
import { route, wholeNumber } from "./route.ts";
import { sseResponse, wantsStream } from "./sse.ts";

const MAX_SEQ = Number.MAX_SAFE_INTEGER;

export const readingRoutes = [
  route({
    method: "get",
    path: "/api/v1/conversations/{id}/events",
    tag: "Reading",
    summary: "The events after a number, as a page, or as a stream that stays open and honours Last-Event-ID",
    query: z.strictObject({
      after: wholeNumber(0, { min: 0, max: MAX_SEQ }),
      limit: wholeNumber(1_000, { min: 1, max: 10_000 }),
    }),
    answer: {
      status: 200,
      description: "A page of events",
      schema: eventPageSchema,
    },
    headers: { "last-event-id": "The last event seen, as browsers send it when they come back; wins over `after`." },
    streams: true,
    async handle({ verbs, params, query, request, identity }) {
      const id = params.id;
      if (!wantsStream(request)) return verbs.events(id, query.after, query.limit);
      return sseResponse(await verbs.follow(id, lastEventId(request) ?? query.after), identity.expiresAt);
    },
  }),
  route({
    method: "get",
    path: "/api/v1/conversations/{id}/items",
    tag: "Reading",
    summary: "What there is to see, in order",
    answer: { status: 200, description: "All items", schema: itemsSchema },
    handle: async ({ verbs, params }) => ({ items: await verbs.items(params.id) }),
  }),
  route({
    method: "get",
    path: "/api/v1/conversations/{id}/plans",
    tag: "Reading",
    summary: "The plans, with their tasks as they stand",
    answer: { status: 200, description: "All plans", schema: plansSchema },
    handle: async ({ verbs, params }) => ({ plans: await verbs.plans(params.id) }),
  }),
  route({
    method: "get",
    path: "/api/v1/conversations/{id}/tasks",
    tag: "Reading",
    summary: "The tasks of all plans",
    query: z.strictObject({ status: taskStatusSchema.optional() }),
    answer: { status: 200, description: "The tasks", schema: tasksSchema },
    handle: async ({ verbs, params, query }) => ({ tasks: await verbs.tasks(params.id, query.status) }),
  }),
  route({
    method: "get",
    path: "/api/v1/conversations/{id}/context",
    tag: "Reading",
    summary: "What the conversation waits for",
    answer: { status: 200, description: "Open questions", schema: contextSchema },
    handle: ({ verbs, params }) => verbs.context(params.id),
  }),
  route({
    method: "get",
    path: "/api/v1/tasks/{id}",
    tag: "Reading",
    summary: "One task",
    answer: { status: 200, description: "The task", schema: taskSchema },
    handle: ({ verbs, params }) => verbs.task(params.id),
  }),
  route({
    method: "post",
    path: "/api/v1/tasks/{id}/cancel",
    tag: "Talking",
    summary: "Stop one task",
    answer: { status: 200, description: "What was stopped", schema: cancelledSchema },
    handle: ({ verbs, params }) => verbs.cancelTask(params.id),
  }),
];

/**
 * Returns the `Last-Event-ID` header, which an `EventSource` sends when it reconnects. Throws `invalid_request` if it
 * is not a number.
 */
function lastEventId(request: Request): number | undefined {
  const text = request.headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new Fault("invalid_request", "last-event-id: must be a whole number", { field: "last-event-id" });
  return Number(text);
}
