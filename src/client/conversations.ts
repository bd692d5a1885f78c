// Client calls for conversations, their content, and the health of the server. Each response is validated.

import {
  cancelledTasksSchema,
  conversationListSchema,
  eventListSchema,
  healthSchema,
  itemListSchema,
  planListSchema,
  taskListSchema,
  socketTicketSchema,
  type ConversationList,
  type Health,
} from "../protocol/wire/http-responses.ts";
import {
  conversationInfoSchema,
  type ConversationInfo,
  type CreateConversationRequest,
} from "../protocol/wire/conversation-info.ts";
import type { Frame } from "../protocol/wire/events.ts";
import type { Item } from "../protocol/wire/items.ts";
import { taskSchema, type Plan, type Task, type TaskStatus } from "../protocol/plans/task-plan.ts";
import { questionContextSchema, type QuestionContext } from "../protocol/wire/question.ts";
import {
  createHttpClient,
  toResponseFault,
  buildResourcePath,
  buildQueryString,
  type ApiOptions,
} from "./http-client.ts";

export type ConversationListQuery = {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Words that must all occur in the title, in any case. */
  readonly q?: string | undefined;
  /** True to list only conversations that the user started, without those of tasks and of plan instances. */
  readonly top?: boolean | undefined;
};

export type ConversationsClient = {
  /** Creates a conversation. A `message` in the input is sent as its first message. */
  createConversation(input?: CreateConversationRequest): Promise<ConversationInfo>;
  /** Lists conversations, newest first. */
  listConversations(query?: ConversationListQuery): Promise<ConversationList>;
  conversation(id: string): Promise<ConversationInfo>;
  renameConversation(id: string, title: string): Promise<ConversationInfo>;
  deleteConversation(id: string): Promise<void>;
  /** Lists the events with a `seq` greater than `after`, from the first one by default. `next` is the next `after`. */
  events(conversationId: string, page?: { after?: number; limit?: number }): Promise<{ events: Frame[]; next: number }>;
  /** Lists the items in the order of their first events. */
  items(conversationId: string): Promise<Item[]>;
  /** Lists the plans with the current state of their tasks. */
  plans(conversationId: string): Promise<Plan[]>;
  /** Lists the tasks of all plans, or those with this status. */
  tasks(conversationId: string, status?: TaskStatus): Promise<Task[]>;
  /** Returns the open questions and the paused thread; only an empty `pending` if nothing is paused. */
  context(conversationId: string): Promise<QuestionContext>;
  task(id: string): Promise<Task>;
  /** Cancels one task; for a recurring task also its schedule. Resolves with the ids of the cancelled tasks. */
  cancelTask(id: string): Promise<string[]>;
  /** Creates a ticket that opens one socket of the conversation, once. Browsers cannot set headers on sockets. */
  ticket(conversationId: string): Promise<string>;
  /** Returns the health also of a server that is not ready; `missing` then names the missing part. */
  health(): Promise<Health>;
};

/**
 * Creates the calls for conversations. All methods reject with a `Fault` (the problem that the server returned, or
 * `unavailable` if it cannot be reached), or with a `ZodError` if the response does not match its schema.
 */
export function createConversationsApi(options: ApiOptions): ConversationsClient {
  const { call, send } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("conversations", id, part);
  return {
    createConversation: async (input = {}) =>
      conversationInfoSchema.parse(await call("POST", "/api/v1/conversations", input)),
    listConversations: async (query = {}) =>
      conversationListSchema.parse(await call("GET", `/api/v1/conversations${buildQueryString(query)}`)),
    conversation: async (id) => conversationInfoSchema.parse(await call("GET", at(id))),
    renameConversation: async (id, title) => conversationInfoSchema.parse(await call("PATCH", at(id), { title })),
    deleteConversation: async (id) => void (await call("DELETE", at(id))),
    events: async (id, page = {}) => {
      const { events, next } = eventListSchema.parse(await call("GET", at(id, `/events${buildQueryString(page)}`)));
      return { events: events as Frame[], next };
    },
    items: async (id) => itemListSchema.parse(await call("GET", at(id, "/items"))).items as Item[],
    plans: async (id) => planListSchema.parse(await call("GET", at(id, "/plans"))).plans,
    tasks: async (id, status) =>
      taskListSchema.parse(await call("GET", at(id, `/tasks${buildQueryString({ status })}`))).tasks,
    context: async (id) => questionContextSchema.parse(await call("GET", at(id, "/context"))),
    task: async (id) => taskSchema.parse(await call("GET", buildResourcePath("tasks", id))),
    cancelTask: async (id) =>
      cancelledTasksSchema.parse(await call("POST", buildResourcePath("tasks", id, "/cancel"))).cancelled,
    ticket: async (id) =>
      socketTicketSchema.parse(await call("POST", "/api/v1/tickets", { conversation_id: id })).ticket,
    health: async () => {
      const response = await send("GET", "/health");
      const answer: unknown = await response.json().catch(() => null);
      const health = healthSchema.safeParse(answer).data;
      if (health === undefined) throw toResponseFault(response.status, answer);
      return health;
    },
  };
}
