// HTTP routes of schedules.

import * as z from "zod";
import {
  scheduleRunResultListSchema,
  scheduleListSchema,
  scheduleSchema,
  updatedScheduleSchema,
  updateScheduleSchema,
} from "../../protocol/schedules/schedule.ts";
import { acceptedResponse, respondWithThread, resolveCommandId } from "./thread-response.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";

const limit = createIntegerParameter(20, { min: 1, max: 100 });

export const scheduleRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/schedules",
    tag: "Schedules",
    summary: "List your schedules in all conversations, newest first",
    query: z.strictObject({ limit, cursor: z.string().optional() }),
    answer: { status: 200, description: "A page of schedules", schema: scheduleListSchema },
    handle: ({ operations, query }) => operations.listSchedules(query.limit, query.cursor),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/schedules/{id}",
    tag: "Schedules",
    summary: "Get a schedule; its id is the id of its task",
    answer: { status: 200, description: "The schedule", schema: scheduleSchema },
    handle: ({ operations, params }) => operations.schedule(params.id),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/schedules/{id}",
    tag: "Schedules",
    summary: "Pause, resume or change a schedule, or set its webhook",
    body: updateScheduleSchema,
    example: { schedule_config: "weekdays at 18:30", webhook: { url: "https://hooks.example.com/orrery" } },
    answer: {
      status: 200,
      description: "The schedule. Only this response contains the secret of a webhook that was set",
      schema: updatedScheduleSchema,
    },
    handle: ({ operations, params, body }) => operations.updateSchedule(params.id, body),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/schedules/{id}",
    tag: "Schedules",
    summary: "Delete a schedule and cancel its current run",
    answer: {
      status: 200,
      description: "The schedule was deleted",
      schema: z.object({ schedule_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deleteSchedule(params.id),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/schedules/{id}/run",
    tag: "Schedules",
    summary: "Run a schedule now, in addition to its due times",
    headers: { "idempotency-key": "Repeated requests with the same key start one run." },
    answer: acceptedResponse,
    streams: true,
    handle: async (call) =>
      respondWithThread(call, await call.operations.runSchedule(call.params.id, resolveCommandId(call.request))),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/schedules/{id}/results",
    tag: "Schedules",
    summary: "List the results of the runs of a schedule, newest first",
    query: z.strictObject({
      limit,
      before: createIntegerParameter(Number.MAX_SAFE_INTEGER, { min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    answer: {
      status: 200,
      description: "A page of results. `next` is the `before` of the next page",
      schema: scheduleRunResultListSchema,
    },
    handle: ({ operations, params, query }) => operations.runResults(params.id, query.limit, query.before),
  }),
];
