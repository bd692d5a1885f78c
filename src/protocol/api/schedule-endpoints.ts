// The endpoints of schedules.

import * as z from "zod";
import {
  scheduleListSchema,
  scheduleRunResultListSchema,
  scheduleSchema,
  updatedScheduleSchema,
  updateScheduleSchema,
} from "../schedules/schedule.ts";
import { acceptedCommandSchema } from "../wire/http-responses.ts";
import { defineEndpoints, pageQuerySchema } from "./endpoint.ts";

export const scheduleEndpoints = defineEndpoints({
  /** Lists schedules in all conversations, newest first. */
  listSchedules: { method: "get", path: "/api/v1/schedules", query: pageQuerySchema, output: scheduleListSchema },
  /** Returns a schedule. Its id is the id of its task. */
  schedule: { method: "get", path: "/api/v1/schedules/{id}", output: scheduleSchema },
  /** Changes the given members. Only this response contains the secret of a webhook that the patch sets. */
  updateSchedule: {
    method: "patch",
    path: "/api/v1/schedules/{id}",
    body: updateScheduleSchema,
    output: updatedScheduleSchema,
  },
  /** Deletes the schedule and cancels its current run. */
  deleteSchedule: {
    method: "delete",
    path: "/api/v1/schedules/{id}",
    output: z.object({ schedule_id: z.string(), deleted: z.literal(true) }),
  },
  /** Runs the schedule now, in addition to its due times. The result arrives in its conversation. */
  runSchedule: { method: "post", path: "/api/v1/schedules/{id}/run", isCommand: true, output: acceptedCommandSchema },
  /** Returns the results of runs, newest first. `before` is the `next` of the previous page: a due time in ms. */
  runResults: {
    method: "get",
    path: "/api/v1/schedules/{id}/results",
    query: z.strictObject({
      limit: pageQuerySchema.shape.limit,
      before: z.int().min(0).default(Number.MAX_SAFE_INTEGER),
    }),
    output: scheduleRunResultListSchema,
  },
});
