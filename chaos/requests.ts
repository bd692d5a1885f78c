// Requests that clients repeat while their host is down.

import { setTimeout as sleep } from "node:timers/promises";
import type { ConversationInfo } from "../src/protocol/wire/conversation-info.ts";
import type { Frame } from "../src/protocol/wire/events.ts";
import { createApiUser } from "../test/support/api-user.ts";
import type { Lane } from "./lane.ts";

const RETRY_MS = 10;

export async function newConversation({ url, abandoned }: Lane): Promise<string> {
  const create = async () => (await createApiUser(url).request("POST", "/api/v1/conversations", {})).json();
  return ((await insist(create, abandoned)) as ConversationInfo).conversation_id;
}

export function historyOf({ url, abandoned }: Lane, conversationId: string): Promise<Frame[]> {
  return insist(() => createApiUser(url).history(conversationId), abandoned);
}

/** Repeats a request while the host is down. Rejects if the runtime rejects the request, or if the run is over. */
export async function insist<T>(ask: () => Promise<T>, abandoned: Promise<never>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message.includes(" answered ")) throw thrown;
      await Promise.race([sleep(RETRY_MS), abandoned]);
    }
  }
}
