// Which tasks a list is of, and how many there are.

import type { Sought, ThreadRecords } from "../../durable/api.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Verbs } from "../verbs.ts";

export type Wanted = {
  readonly verbs: Verbs;
  /** Of one context; empty for all. */
  readonly contextId: string;
  readonly sought: Sought;
  readonly pageSize: number;
};

/** What of a conversation is wanted and comes before a number. One that is gone has nothing. */
export async function threadsOf(wanted: Wanted, id: string, before: number, limit: number): Promise<ThreadRecords> {
  try {
    return await wanted.verbs.threads(id, wanted.sought, before, limit);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return { threads: [], next: null, total: 0 };
    throw thrown;
  }
}

/** Conversations whose tasks are counted, those last updated first. Tasks of older ones are not. */
const MOST_COUNTED = 100;

/** How many tasks are wanted in all. */
export async function totalOf(wanted: Wanted): Promise<number> {
  const ids = wanted.contextId === "" ? await recentIds(wanted) : [wanted.contextId];
  const totals = await Promise.all(ids.map((id) => threadsOf(wanted, id, 0, 0).then(({ total }) => total)));
  return totals.reduce((sum, total) => sum + total, 0);
}

async function recentIds({ verbs, sought }: Wanted): Promise<string[]> {
  const { conversations } = await verbs.listConversations(MOST_COUNTED, undefined, { isTop: true });
  return conversations.filter((one) => one.updated_at >= sought.since).map((one) => one.conversation_id);
}
