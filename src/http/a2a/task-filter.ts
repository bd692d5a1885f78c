// Selects the threads that ListTasks returns, and counts them.

import type { ThreadFilter, ThreadRecordPage } from "../../durable/conversation-api.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { Operations } from "../api/operations.ts";

/** The filter of one ListTasks request. */
export type TaskFilter = {
  readonly operations: Operations;
  /** The conversation to list; "" for all. */
  readonly contextId: string;
  readonly threadFilter: ThreadFilter;
  readonly pageSize: number;
};

/**
 * Returns up to `limit` matching threads of a conversation whose last `seq` is less than `before`, last updated first.
 * A deleted conversation yields none.
 */
export async function listThreads(
  taskFilter: TaskFilter,
  id: string,
  before: number,
  limit: number,
): Promise<ThreadRecordPage> {
  try {
    return await taskFilter.operations.listThreads(id, taskFilter.threadFilter, before, limit);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return { threads: [], next: null, total: 0 };
    throw thrown;
  }
}

/**
 * The maximum number of conversations whose tasks are counted, most recently updated first. The total is a lower bound
 * if there are more.
 */
const MAX_COUNTED_CONVERSATIONS = 100;

/** Returns the number of matching tasks, in at most `MAX_COUNTED_CONVERSATIONS` conversations. */
export async function countTasks(taskFilter: TaskFilter): Promise<number> {
  const ids = taskFilter.contextId === "" ? await listRecentConversationIds(taskFilter) : [taskFilter.contextId];
  const totals = await Promise.all(ids.map((id) => listThreads(taskFilter, id, 0, 0).then(({ total }) => total)));
  return totals.reduce((sum, total) => sum + total, 0);
}

/** Returns the ids of recent conversations that may contain matching tasks. */
async function listRecentConversationIds({ operations, threadFilter }: TaskFilter): Promise<string[]> {
  const { conversations } = await operations.listConversations({
    query: { limit: MAX_COUNTED_CONVERSATIONS, top: true },
  });
  return conversations
    .filter((conversation) => conversation.updated_at >= threadFilter.since)
    .map((conversation) => conversation.conversation_id);
}
