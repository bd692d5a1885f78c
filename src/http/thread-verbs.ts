// Operations on the threads of a user's conversations. The A2A interface uses them.

import {
  valueOf,
  type ConversationApi,
  type PushChange,
  type Sought,
  type ThreadRecord,
  type ThreadRecords,
} from "../durable/api.ts";
import type { Push } from "../protocol/a2a-push.ts";
import { must } from "../protocol/assert.ts";

/** Creates the operations. `getConversationStub` returns the stub of a conversation. */
export function threadVerbsOf(conversation: (id: string) => ConversationApi) {
  return {
    /** Returns one thread. Throws `not_found`. */
    async thread(id: string, threadId: string): Promise<ThreadRecord> {
      const { threads } = valueOf(await conversation(id).threads({ thread_id: threadId }));
      return must(threads[0], "the thread that was asked for");
    },

    /** Returns at most `limit` matching threads whose last event has a `seq` below `before`. */
    async threads(id: string, sought: Sought, before: number, limit: number): Promise<ThreadRecords> {
      return valueOf(await conversation(id).threads({ sought, before, limit }));
    },

    /** Applies a change, if given, and returns the push notification settings of a thread. */
    async pushes(id: string, threadId: string, change?: PushChange): Promise<Push[]> {
      return valueOf(await conversation(id).pushes(threadId, change));
    },
  };
}
