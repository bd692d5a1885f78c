// Schedules. Everything answered is validated.

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

export type Schedules = {
  listSchedules(page?: { limit?: number; cursor?: string }): Promise<SchedulePage>;
  schedule(id: string): Promise<Schedule>;
  updateSchedule(id: string, patch: UpdateSchedule): Promise<UpdatedSchedule>;
  deleteSchedule(id: string): Promise<void>;
  /** Runs it now, besides its times. What comes of it is told on the socket of its conversation. */
  runSchedule(id: string): Promise<void>;
  runResults(id: string, page?: { limit?: number; before?: number }): Promise<RunResults>;
};

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
