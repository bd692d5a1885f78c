// What a user can ask about the threads of their conversations.

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

export function threadVerbsOf(conversation: (id: string) => ConversationApi) {
  return {
    async thread(id: string, threadId: string): Promise<ThreadRecord> {
      const { threads } = valueOf(await conversation(id).threads({ thread_id: threadId }));
      return must(threads[0], "the thread that was asked for");
    },

    /** Those of a kind whose last event comes before a number. */
    async threads(id: string, sought: Sought, before: number, limit: number): Promise<ThreadRecords> {
      return valueOf(await conversation(id).threads({ sought, before, limit }));
    },

    /** Who is notified of a thread, after a change if there is one. */
    async pushes(id: string, threadId: string, change?: PushChange): Promise<Push[]> {
      return valueOf(await conversation(id).pushes(threadId, change));
    },
  };
}
