// Operations on schedules. The directory lists them; all other operations call the conversation that owns the schedule.

import { upcomingRuns } from "../core/schedules/upcoming.ts";
import { fromDirectory } from "../directory/availability.ts";
import { parentOf } from "../directory/conversations.ts";
import { listSchedules } from "../directory/schedules.ts";
import { valueOf, type Accepted, type ConversationApi } from "../durable/api.ts";
import type { Env } from "../env.ts";
import { Fault } from "../protocol/fault.ts";
import { mint } from "../protocol/ids.ts";
import type { RunResults, Schedule, SchedulePage, UpdatedSchedule, UpdateSchedule } from "../protocol/recurring.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isTaskId } from "./ids.ts";

/** Creates the operations for one user. `getConversationStub` returns the stub of a conversation. */
export function scheduleVerbsOf(env: Env, userId: string, conversation: (id: string) => ConversationApi) {
  /** Returns the conversation of a schedule. Throws `not_found`, or `unavailable` while the directory is down. */
  const conversationOf = async (id: string): Promise<ConversationApi> => {
    const parent = isTaskId(id) ? await fromDirectory(parentOf(env.DB, userId, id)) : null;
    if (parent === null) throw new Fault("not_found", "There is no such schedule.");
    return conversation(parent);
  };

  return {
    async listSchedules(limit: number, cursor?: string): Promise<SchedulePage> {
      const place = cursor === undefined ? null : placeIn(cursor);
      const after = place === null ? null : { createdAt: place.at, scheduleId: place.id };
      const schedules = await fromDirectory(listSchedules(env.DB, userId, limit, after));
      const last = schedules.length < limit ? undefined : schedules.at(-1);
      return {
        schedules: schedules.map(withRuns),
        next_cursor: last === undefined ? null : cursorOf(last.created_at, last.schedule_id),
      };
    },

    async schedule(id: string): Promise<Schedule> {
      return withRuns(valueOf(await (await conversationOf(id)).schedule(id)));
    },

    async updateSchedule(id: string, patch: UpdateSchedule): Promise<UpdatedSchedule> {
      return withRuns(valueOf(await (await conversationOf(id)).updateSchedule(id, patch)));
    },

    async runSchedule(id: string, commandId: string = mint("cmd")): Promise<Accepted> {
      return valueOf(await (await conversationOf(id)).runSchedule(commandId, id));
    },

    async deleteSchedule(id: string): Promise<{ schedule_id: string; deleted: true }> {
      return valueOf(await (await conversationOf(id)).removeSchedule(id));
    },

    async runResults(id: string, limit: number, before?: number): Promise<RunResults> {
      return valueOf(await (await conversationOf(id)).runResults(id, limit, before));
    },
  };
}

/** Adds the next due times, which are computed for each response. */
function withRuns<T extends Schedule>(schedule: T): T {
  return { ...schedule, next_runs: upcomingRuns(schedule, Date.now()) };
}
