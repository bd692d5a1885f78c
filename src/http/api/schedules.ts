// Operations on schedules. The directory lists them; all other operations call the conversation that owns the schedule.

import { listUpcomingRuns } from "../../core/schedules/next-run.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import { findParentId } from "../../directory/conversation-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { listSchedules } from "../../directory/schedule-directory.ts";
import { unwrapResult } from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import { scheduleEndpoints } from "../../protocol/api/schedule-endpoints.ts";
import type { Schedule, ScheduleList, UpdateScheduleRequest } from "../../protocol/schedules/schedule.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getConversationStub } from "./conversation-access.ts";
import { isTaskId } from "./id-validation.ts";
import { computeNextCursor, decodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";
import { respondWithThread, THREAD_ANSWER } from "./respond-with-thread.ts";

const tag = "Schedules";

export const scheduleOperations = {
  /** Lists newest first. */
  listSchedules: defineOperation(scheduleEndpoints.listSchedules, {
    http: {
      tag,
      summary: "List your schedules in all conversations, newest first",
      answer: "A page of schedules",
    },
    rpc: (options?: PageQuery) => ({ query: options }),
    async run({ env, userId }, { query: { limit, cursor } }): Promise<ScheduleList> {
      const schedules = await requireDirectory(
        listSchedules(openDirectory(env.DB), userId, limit, decodeCursor(cursor)),
      );
      return {
        schedules: schedules.map(withUpcomingRuns),
        next_cursor: computeNextCursor(schedules, limit, (last) => [last.created_at, last.schedule_id]),
      };
    },
  }),
  /** Returns a schedule. Its id is the id of its task. */
  schedule: defineOperation(scheduleEndpoints.schedule, {
    http: { tag, summary: "Get a schedule; its id is the id of its task", answer: "The schedule" },
    rpc: (schedule: string) => ({ id: schedule }),
    run: async (caller, { id }) =>
      withUpcomingRuns(unwrapResult(await (await findScheduleOwner(caller, id)).schedule(id))),
  }),
  /** Changes a schedule. Only this result contains the secret of a webhook that the patch sets. */
  updateSchedule: defineOperation(scheduleEndpoints.updateSchedule, {
    http: {
      tag,
      summary: "Pause, resume or change a schedule, or set its webhook",
      example: { schedule_config: "weekdays at 18:30", webhook: { url: "https://hooks.example.com/orrery" } },
      answer: "The schedule. Only this response contains the secret of a webhook that was set",
    },
    rpc: (schedule: string, patch: UpdateScheduleRequest) => ({ id: schedule, body: patch }),
    run: async (caller, { id, body }) =>
      withUpcomingRuns(unwrapResult(await (await findScheduleOwner(caller, id)).updateSchedule(id, body))),
  }),
  /** Deletes the schedule and cancels its current run. */
  deleteSchedule: defineOperation(scheduleEndpoints.deleteSchedule, {
    http: { tag, summary: "Delete a schedule and cancel its current run", answer: "The schedule was deleted" },
    rpc: (schedule: string) => ({ id: schedule }),
    run: async (caller, { id }) => unwrapResult(await (await findScheduleOwner(caller, id)).removeSchedule(id)),
  }),
  /** Runs the schedule now, in addition to its due times. `conflict` while it runs. */
  runSchedule: defineOperation(scheduleEndpoints.runSchedule, {
    http: {
      tag,
      summary: "Run a schedule now, in addition to its due times",
      headers: {
        "idempotency-key":
          "Repeated requests with the same key start one run; a request for another schedule is refused with 422.",
      },
      ...THREAD_ANSWER,
    },
    rpc: (schedule: string, commandId?: string) => ({ id: schedule, commandId }),
    run: async (caller, { id, commandId = createId("cmd") }) =>
      unwrapResult(await (await findScheduleOwner(caller, id)).runSchedule(commandId, id)),
    respond: respondWithThread,
  }),
  /** Returns the results of runs, newest first; with `before`, those with an earlier due time (epoch milliseconds). */
  runResults: defineOperation(scheduleEndpoints.runResults, {
    http: {
      tag,
      summary: "List the results of the runs of a schedule, newest first",
      answer: "A page of results. `next` is the `before` of the next page",
    },
    rpc: (schedule: string, options?: { limit?: number; before?: number }) => ({ id: schedule, query: options }),
    run: async (caller, { id, query: { limit, before } }) =>
      unwrapResult(await (await findScheduleOwner(caller, id)).runResults(id, limit, before)),
  }),
};

/** Returns the conversation of a schedule. Throws `not_found`, or `unavailable` while the directory is down. */
async function findScheduleOwner(caller: Caller, id: string): Promise<ConversationApi> {
  const parent = isTaskId(id)
    ? await requireDirectory(findParentId(openDirectory(caller.env.DB), caller.userId, id))
    : null;
  if (parent === null) throw createFault("not_found", "schedule.notFound");
  return getConversationStub(caller, parent);
}

/** Adds the next due times, which are computed for each response. */
function withUpcomingRuns<T extends Schedule>(schedule: T): T {
  return { ...schedule, next_runs: listUpcomingRuns(schedule, Date.now()) };
}
