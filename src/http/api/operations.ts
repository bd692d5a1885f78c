// The table of operations: everything that a user can do, for all interfaces. HTTP and RPC are derived from it; A2A,
// AG-UI, OpenAI and MCP call it through `Operations`.
//
// The operations own no state; the conversation objects, the library and the directory do. They may run concurrently.

import {
  unwrapResult,
  type AcceptedCommand,
  type PushChange,
  type ThreadFilter,
  type ThreadRecord,
  type ThreadRecordPage,
} from "../../durable/conversation-api.ts";
import type { PushView } from "../../durable/conversation/deliveries/sealed-receiver.ts";
import { ensurePresent } from "../../lib/assert.ts";
import type { Agent } from "../../protocol/agents/agent.ts";
import type { Endpoint } from "../../protocol/api/endpoint.ts";
import { agentOperations, getEnabledAgent } from "./agents.ts";
import { analysisOperations } from "./analysis.ts";
import { getConversationStub, followThread } from "./conversation-access.ts";
import { contentOperations } from "./conversation-content.ts";
import { conversationOperations, ticketOperations } from "./conversations.ts";
import { datasetOperations } from "./datasets.ts";
import { continueConversation, messageOperations, start, type StartInput } from "./messages.ts";
import type { AnyOperation, Caller, Operation, OperationInput } from "./operation.ts";
import { pageOperations } from "./pages.ts";
import { planInstanceOperations } from "./plan-instances.ts";
import { planTemplateOperations } from "./plan-templates.ts";
import { profileOperations } from "./profile.ts";
import { scheduleOperations } from "./schedules.ts";
import { toolOperations } from "./tools.ts";

export const OPERATIONS = {
  ...conversationOperations,
  ...messageOperations,
  ...ticketOperations,
  ...contentOperations,
  ...scheduleOperations,
  ...agentOperations,
  ...planTemplateOperations,
  ...planInstanceOperations,
  ...toolOperations,
  ...profileOperations,
  ...datasetOperations,
  ...analysisOperations,
  ...pageOperations,
};

/** Returns the names and operations of a table, by default of the whole one. */
export function listOperations(
  table: object = OPERATIONS,
): readonly (readonly [name: string, operation: AnyOperation])[] {
  return Object.entries(table) as unknown as [string, AnyOperation][];
}

type BoundOperation<Entry> =
  Entry extends Operation<infer E extends Endpoint, infer _Args, infer Result>
    ? (input: OperationInput<E>) => Promise<Result>
    : never;

type BoundOperations = { readonly [Name in keyof typeof OPERATIONS]: BoundOperation<(typeof OPERATIONS)[Name]> };

/** The operations of one user, each with its input as only argument, and those that only some interfaces need. */
export type Operations = BoundOperations & {
  readonly userId: string;
  /** Sends a message and creates its conversation if it does not exist. */
  start(input: StartInput): Promise<AcceptedCommand>;
  /** Sends a message to an existing conversation. Throws `not_found`. */
  continueConversation(input: Omit<StartInput, "push"> & { readonly id: string }): Promise<AcceptedCommand>;
  /** Follows an accepted thread, including the first events of the conversation if the message created it. */
  followThread(accepted: AcceptedCommand): Promise<ReadableStream<Uint8Array>>;
  getEnabledAgent(name: string): Promise<Agent>;
  /** Returns one thread. Throws `not_found`. */
  getThread(id: string, threadId: string): Promise<ThreadRecord>;
  /** Returns at most `limit` matching threads whose last event has a `seq` below `before`, last updated first. */
  listThreads(id: string, filter: ThreadFilter, before: number, limit: number): Promise<ThreadRecordPage>;
  /** Applies a change, if given, and returns the push notification settings of a thread without their secrets. */
  updatePushes(id: string, threadId: string, change?: PushChange): Promise<PushView[]>;
};

/**
 * Creates the operations of a user. An unknown conversation, or that of another user, is `not_found`. Operations that
 * need the directory throw `unavailable` while it is down.
 */
export function createOperations(caller: Caller): Operations {
  const bound = listOperations().map(([name, { run }]) => [name, run.bind(null, caller)]);
  return {
    ...(Object.fromEntries(bound) as BoundOperations),
    userId: caller.userId,
    start: (input) => start(caller, input),
    continueConversation: (input) => continueConversation(caller, input),
    followThread: (accepted) => followThread(caller, accepted),
    getEnabledAgent: (name) => getEnabledAgent(caller, name),
    async getThread(id, threadId) {
      const { threads } = unwrapResult(await getConversationStub(caller, id).threads({ thread_id: threadId }));
      return ensurePresent(threads[0], "the requested thread");
    },
    listThreads: async (id, filter, before, limit) =>
      unwrapResult(await getConversationStub(caller, id).threads({ sought: filter, before, limit })),
    updatePushes: async (id, threadId, change) =>
      unwrapResult(await getConversationStub(caller, id).pushes(threadId, change)),
  };
}
