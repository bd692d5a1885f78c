// Client calls for schedules. Each response is validated.

import {
  runResultsSchema,
  schedulePageSchema,
  scheduleSchema,
  updatedScheduleSchema,
  type RunResults,
  type Schedule,
  type SchedulePage,
  type UpdatedSchedule,
  type UpdateSchedule,
} from "../protocol/recurring.ts";
import { doorOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type Schedules = {
  listSchedules(page?: { limit?: number; cursor?: string }): Promise<SchedulePage>;
  schedule(id: string): Promise<Schedule>;
  updateSchedule(id: string, patch: UpdateSchedule): Promise<UpdatedSchedule>;
  deleteSchedule(id: string): Promise<void>;
  /** Runs the schedule now, in addition to its times. The result arrives on the socket of its conversation. */
  runSchedule(id: string): Promise<void>;
  runResults(id: string, page?: { limit?: number; before?: number }): Promise<RunResults>;
};

/** Creates the calls for schedules. Sends nothing until a method is called. */
export function createSchedulesApi(options: ApiOptions): Schedules {
  const { call } = doorOf(options);
  const at = (id: string, part?: string) => pathOf("schedules", id, part);
  return {
    listSchedules: async (page = {}) =>
      schedulePageSchema.parse(await call("GET", `/api/v1/schedules${queryOf(page)}`)),
    schedule: async (id) => scheduleSchema.parse(await call("GET", at(id))),
    updateSchedule: async (id, patch) => updatedScheduleSchema.parse(await call("PATCH", at(id), patch)),
    deleteSchedule: async (id) => void (await call("DELETE", at(id))),
    runSchedule: async (id) => void (await call("POST", at(id, "/run"))),
    runResults: async (id, page = {}) => runResultsSchema.parse(await call("GET", at(id, `/results${queryOf(page)}`))),
  };
}
