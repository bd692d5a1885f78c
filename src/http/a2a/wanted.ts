// Which tasks a list is of, and how many there are.

import { TaskState } from "@a2a-js/sdk";
import type { ThreadRecord } from "../../durable/api.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Verbs } from "../verbs.ts";
import type { Desk } from "./desk.ts";
import { stateOf } from "./snapshot.ts";
import { isOf } from "./tasks.ts";
import { STATES } from "./words.ts";

export type Wanted = {
  readonly desk: Desk;
  /** Of one context; empty for all. */
  readonly contextId: string;
  readonly status: TaskState;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly pageSize: number;
};

export function isWanted({ desk, status, since }: Wanted, record: ThreadRecord): boolean {
  if (!isOf(desk, record) || record.updated_at < since) return false;
  return status === TaskState.TASK_STATE_UNSPECIFIED || STATES[stateOf(record).status] === status;
}

/** Threads of a conversation whose last event comes before a number. One that is gone has none. */
export async function threadsOf(verbs: Verbs, id: string, before: number, limit: number) {
  try {
    return await verbs.threads(id, before, limit);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return { threads: [], next: null };
    throw thrown;
  }
}

/** Conversations whose tasks are counted, those last updated first. Tasks of older ones are not. */
const MOST_COUNTED = 100;
/** Threads that are read of a conversation at once. */
const PORTION = 100;

/** How many tasks are wanted in all. */
export async function totalOf(wanted: Wanted): Promise<number> {
  const ids = wanted.contextId === "" ? await recentIds(wanted) : [wanted.contextId];
  const counts = await Promise.all(ids.map((id) => countIn(wanted, id)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function recentIds({ desk, since }: Wanted): Promise<string[]> {
  const { conversations } = await desk.verbs.listConversations(MOST_COUNTED, undefined, { isTop: true });
  return conversations.filter((one) => one.updated_at >= since).map((one) => one.conversation_id);
}

async function countIn(wanted: Wanted, id: string): Promise<number> {
  let count = 0;
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
    const page: Awaited<ReturnType<typeof threadsOf>> = await threadsOf(wanted.desk.verbs, id, before, PORTION);
    count += page.threads.filter((record) => isWanted(wanted, record)).length;
    before = page.next;
  }
  return count;
}
