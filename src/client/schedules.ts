// Client calls for schedules. Each response is validated.

import {
  scheduleRunResultListSchema,
  scheduleListSchema,
  scheduleSchema,
  updatedScheduleSchema,
  type ScheduleRunResultList,
  type Schedule,
  type ScheduleList,
  type UpdatedSchedule,
  type UpdateScheduleRequest,
} from "../protocol/schedules/schedule.ts";
import { createHttpClient, buildResourcePath, buildQueryString, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type SchedulesClient = {
  /** Lists schedules, newest first. */
  listSchedules(page?: { limit?: number; cursor?: string }): Promise<ScheduleList>;
  schedule(id: string): Promise<Schedule>;
  /** Updates the given members. Only this response contains the secret of a webhook that the update set. */
  updateSchedule(id: string, patch: UpdateScheduleRequest): Promise<UpdatedSchedule>;
  deleteSchedule(id: string): Promise<void>;
  /** Runs the schedule now, in addition to its times. The result arrives on the socket of its conversation. */
  runSchedule(id: string): Promise<void>;
  /** Lists the results of runs, newest first. `before` is the `next` of the previous page. */
  runResults(id: string, page?: { limit?: number; before?: number }): Promise<ScheduleRunResultList>;
};

/** Creates the calls for schedules. Sends nothing until a method is called. */
export function createSchedulesApi(options: ApiOptions): SchedulesClient {
  const { call } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("schedules", id, part);
  return {
    listSchedules: async (page = {}) =>
      scheduleListSchema.parse(await call("GET", `/api/v1/schedules${buildQueryString(page)}`)),
    schedule: async (id) => scheduleSchema.parse(await call("GET", at(id))),
    updateSchedule: async (id, patch) => updatedScheduleSchema.parse(await call("PATCH", at(id), patch)),
    deleteSchedule: async (id) => void (await call("DELETE", at(id))),
    runSchedule: async (id) => void (await call("POST", at(id, "/run"))),
    runResults: async (id, page = {}) =>
      scheduleRunResultListSchema.parse(await call("GET", at(id, `/results${buildQueryString(page)}`))),
  };
}
