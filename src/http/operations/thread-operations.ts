// Operations on the threads of a user's conversations. The A2A interface uses them.

import {
  unwrapResult,
  type PushChange,
  type ThreadFilter,
  type ThreadRecord,
  type ThreadRecordPage,
} from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import type { PushConfig } from "../../protocol/agents/a2a-push.ts";
import { ensurePresent } from "../../lib/assert.ts";

/** Creates the operations. `getConversationStub` returns the stub of a conversation. */
export function createThreadOperations(getConversationStub: (id: string) => ConversationApi) {
  return {
    /** Returns one thread. Throws `not_found`. */
    async getThread(id: string, threadId: string): Promise<ThreadRecord> {
      const { threads } = unwrapResult(await getConversationStub(id).threads({ thread_id: threadId }));
      return ensurePresent(threads[0], "the requested thread");
    },

    /** Returns at most `limit` matching threads whose last event has a `seq` below `before`, last updated first. */
    async listThreads(id: string, filter: ThreadFilter, before: number, limit: number): Promise<ThreadRecordPage> {
      return unwrapResult(await getConversationStub(id).threads({ sought: filter, before, limit }));
    },

    /** Applies a change, if given, and returns the push notification settings of a thread. */
    async updatePushes(id: string, threadId: string, change?: PushChange): Promise<PushConfig[]> {
      return unwrapResult(await getConversationStub(id).pushes(threadId, change));
    },
  };
}
