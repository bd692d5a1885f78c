// The person's schedules for the turns of one conversation: its own from its storage, others through the directory and
// the conversations that own them.
//
// While the directory is down, schedules elsewhere are neither counted nor listed.

import type { PersonSchedules, ScheduleEdit } from "../../core/ports.ts";
import { LIST_START } from "../../directory/list-position.ts";
import { countSchedulesOutside, listSchedules } from "../../directory/schedule-directory.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { formatObjectName, unwrapResult, type ConversationKey } from "../conversation-api.ts";
import type { ConversationSchedules } from "./conversation-schedules.ts";
import type { ConversationApi } from "./operations.ts";

const DIRECTORY_TIMEOUT_MS = 5_000;
/** The maximum number of listed schedules. */
const MAX_LISTED = 100;

export type OwnSchedules = {
  /** Returns the stored schedules of this conversation. */
  readonly list: () => readonly Schedule[];
  /** Returns the part of the conversation that changes them. */
  readonly get: () => ConversationSchedules;
};

/** Creates the port. `report` receives the errors of the directory. */
export function createPersonSchedules(
  env: Env,
  { userId, conversationId }: ConversationKey,
  most: number,
  own: OwnSchedules,
  report: (thrown: unknown) => void,
): PersonSchedules {
  const readDirectory = <T>(reading: Promise<T>, fallback: T): Promise<T> =>
    withTimeout(DIRECTORY_TIMEOUT_MS, reading).catch((thrown: unknown) => {
      report(thrown);
      return fallback;
    });
  return {
    async count() {
      const db = openDirectory(env.DB);
      const others = await readDirectory(countSchedulesOutside(db, userId, conversationId), 0);
      return { used: others + own.list().filter(({ status }) => status !== "completed").length, most };
    },
    async list() {
      const all = await readDirectory(listSchedules(openDirectory(env.DB), userId, MAX_LISTED, LIST_START), []);
      const others = all.filter((schedule) => schedule.conversation_id !== conversationId);
      const here = own.list().toSorted((a, b) => b.created_at - a.created_at);
      return [...here, ...others].slice(0, MAX_LISTED);
    },
    async change({ schedule_id: id, conversation_id: owner }, edit) {
      try {
        if (owner === conversationId) return await editOwn(own.get(), id, edit);
        return await editElsewhere(env.CONVERSATION.getByName(formatObjectName(userId, owner)), id, edit);
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.code === "not_found") return null;
        throw thrown;
      }
    },
  };
}

async function editOwn(schedules: ConversationSchedules, id: string, edit: ScheduleEdit): Promise<Schedule | null> {
  if (edit.kind === "update") return schedules.update(id, edit.patch);
  await schedules.remove(id);
  return null;
}

async function editElsewhere(owner: ConversationApi, id: string, edit: ScheduleEdit): Promise<Schedule | null> {
  if (edit.kind === "update") return unwrapResult(await owner.updateSchedule(id, edit.patch));
  unwrapResult(await owner.removeSchedule(id));
  return null;
}
