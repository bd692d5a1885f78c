// Selects the threads that ListTasks returns, and counts them.

import type { Sought, ThreadRecords } from "../../durable/api.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Verbs } from "../verbs.ts";

/** The filter of one ListTasks request. */
export type Wanted = {
  readonly verbs: Verbs;
  /** The conversation to list; "" for all. */
  readonly contextId: string;
  readonly sought: Sought;
  readonly pageSize: number;
};

/**
 * Returns up to `limit` matching threads of a conversation before a `seq`, newest first. A deleted conversation yields
 * none.
 */
export async function threadsOf(wanted: Wanted, id: string, before: number, limit: number): Promise<ThreadRecords> {
  try {
    return await wanted.verbs.threads(id, wanted.sought, before, limit);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return { threads: [], next: null, total: 0 };
    throw thrown;
  }
}

/**
 * The maximum number of conversations whose tasks are counted, most recently updated first. The total is a lower bound
 * if there are more.
 */
const MOST_COUNTED = 100;

/** Returns the number of matching tasks. */
export async function totalOf(wanted: Wanted): Promise<number> {
  const ids = wanted.contextId === "" ? await recentIds(wanted) : [wanted.contextId];
  const totals = await Promise.all(ids.map((id) => threadsOf(wanted, id, 0, 0).then(({ total }) => total)));
  return totals.reduce((sum, total) => sum + total, 0);
}

/** Returns the ids of recent conversations that may contain matching tasks. */
async function recentIds({ verbs, sought }: Wanted): Promise<string[]> {
  const { conversations } = await verbs.listConversations(MOST_COUNTED, undefined, { isTop: true });
  return conversations.filter((one) => one.updated_at >= sought.since).map((one) => one.conversation_id);
}
