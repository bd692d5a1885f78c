// Operations on schedules. The directory lists them; all other operations call the conversation that owns the schedule.

import { listUpcomingRuns } from "../../core/schedules/upcoming-runs.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { findParentId } from "../../directory/conversation-directory.ts";
import { listSchedules } from "../../directory/schedule-directory.ts";
import { unwrapResult, type AcceptedCommand } from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import type { Env } from "../../env.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { createId } from "../../protocol/wire/ids.ts";
import type {
  ScheduleRunResultList,
  Schedule,
  ScheduleList,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../../protocol/schedules/schedule.ts";
import { encodeCursor, decodeCursor } from "./list-cursor.ts";
import { isTaskId } from "./id-validation.ts";

/** Creates the operations for one user. `getConversationStub` returns the stub of a conversation. */
export function createScheduleOperations(
  env: Env,
  userId: string,
  getConversationStub: (id: string) => ConversationApi,
) {
  /** Returns the conversation of a schedule. Throws `not_found`, or `unavailable` while the directory is down. */
  const findConversation = async (id: string): Promise<ConversationApi> => {
    const parent = isTaskId(id) ? await requireDirectory(findParentId(env.DB, userId, id)) : null;
    if (parent === null) throw createFault("not_found", "schedule.notFound");
    return getConversationStub(parent);
  };

  return {
    /** Lists schedules of all conversations, newest first, with their next due times. */
    async listSchedules(limit: number, cursor?: string): Promise<ScheduleList> {
      const position = cursor === undefined ? null : decodeCursor(cursor);
      const after = position === null ? null : { createdAt: position.at, scheduleId: position.id };
      const schedules = await requireDirectory(listSchedules(env.DB, userId, limit, after));
      const last = schedules.length < limit ? undefined : schedules.at(-1);
      return {
        schedules: schedules.map(withUpcomingRuns),
        next_cursor: last === undefined ? null : encodeCursor(last.created_at, last.schedule_id),
      };
    },

    async schedule(id: string): Promise<Schedule> {
      return withUpcomingRuns(unwrapResult(await (await findConversation(id)).schedule(id)));
    },

    /** Changes a schedule. Only this result contains the secret of a webhook that the patch sets. */
    async updateSchedule(id: string, patch: UpdateScheduleRequest): Promise<UpdatedSchedule> {
      return withUpcomingRuns(unwrapResult(await (await findConversation(id)).updateSchedule(id, patch)));
    },

    /** Runs the schedule now, in addition to its due times. Throws `conflict` while a run is in progress. */
    async runSchedule(id: string, commandId: string = createId("cmd")): Promise<AcceptedCommand> {
      return unwrapResult(await (await findConversation(id)).runSchedule(commandId, id));
    },

    /** Deletes the schedule and cancels its current run. */
    async deleteSchedule(id: string): Promise<{ schedule_id: string; deleted: true }> {
      return unwrapResult(await (await findConversation(id)).removeSchedule(id));
    },

    /** Returns results, newest first; with `before`, those with an earlier due time in ms since the epoch. */
    async runResults(id: string, limit: number, before?: number): Promise<ScheduleRunResultList> {
      return unwrapResult(await (await findConversation(id)).runResults(id, limit, before));
    },
  };
}

/** Adds the next due times, which are computed for each response. */
function withUpcomingRuns<T extends Schedule>(schedule: T): T {
  return { ...schedule, next_runs: listUpcomingRuns(schedule, Date.now()) };
}
