// Client calls for conversations, their content, and the health of the server. Each response is validated.

import {
  cancelledSchema,
  conversationPageSchema,
  eventPageSchema,
  healthSchema,
  itemsSchema,
  plansSchema,
  tasksSchema,
  ticketSchema,
  type ConversationPage,
  type Health,
} from "../protocol/answers.ts";
import { conversationSchema, type Conversation, type CreateConversation } from "../protocol/conversation.ts";
import type { Frame } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import { taskSchema, type Plan, type Task, type TaskStatus } from "../protocol/plan.ts";
import { contextSchema, type Context } from "../protocol/question.ts";
import { doorOf, faultOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

export type ConversationsWanted = {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Words that must all occur in the title, in any case. */
  readonly q?: string | undefined;
  /** True to list only conversations that the user started, without those of tasks and of plan instances. */
  readonly top?: boolean | undefined;
};

export type Conversations = {
  /** Creates a conversation. A `message` in the input is sent as its first message. */
  createConversation(input?: CreateConversation): Promise<Conversation>;
  /** Lists conversations, newest first. */
  listConversations(wanted?: ConversationsWanted): Promise<ConversationPage>;
  conversation(id: string): Promise<Conversation>;
  renameConversation(id: string, title: string): Promise<Conversation>;
  deleteConversation(id: string): Promise<void>;
  /** Lists events after a `seq`. `next` is the `after` of the next page. */
  events(conversationId: string, page?: { after?: number; limit?: number }): Promise<{ events: Frame[]; next: number }>;
  /** Lists the items in the order of their first events. */
  items(conversationId: string): Promise<Item[]>;
  /** Lists the plans with the current state of their tasks. */
  plans(conversationId: string): Promise<Plan[]>;
  tasks(conversationId: string, status?: TaskStatus): Promise<Task[]>;
  /** Returns the open questions and the paused thread; only an empty `pending` if nothing is paused. */
  context(conversationId: string): Promise<Context>;
  task(id: string): Promise<Task>;
  /** Cancels one task; for a recurring task also its schedule. Resolves with the ids of the cancelled tasks. */
  cancelTask(id: string): Promise<string[]>;
  /** Creates a ticket that opens one socket of the conversation, once. Browsers cannot set headers on sockets. */
  ticket(conversationId: string): Promise<string>;
  /** Returns the health also of a server that is not ready; `missing` then contains the reason. */
  health(): Promise<Health>;
};

/**
 * Creates the calls for conversations. All methods reject with a `Fault` (the problem that the server returned, or
 * `unavailable` if it cannot be reached), or with a `ZodError` if the response does not match its schema.
 */
export function createConversationsApi(options: ApiOptions): Conversations {
  const { call, send } = doorOf(options);
  const at = (id: string, part?: string) => pathOf("conversations", id, part);
  return {
    createConversation: async (input = {}) =>
      conversationSchema.parse(await call("POST", "/api/v1/conversations", input)),
    listConversations: async (wanted = {}) =>
      conversationPageSchema.parse(await call("GET", `/api/v1/conversations${queryOf(wanted)}`)),
    conversation: async (id) => conversationSchema.parse(await call("GET", at(id))),
    renameConversation: async (id, title) => conversationSchema.parse(await call("PATCH", at(id), { title })),
    deleteConversation: async (id) => void (await call("DELETE", at(id))),
    events: async (id, page = {}) => {
      const { events, next } = eventPageSchema.parse(await call("GET", at(id, `/events${queryOf(page)}`)));
      return { events: events as Frame[], next };
    },
    items: async (id) => itemsSchema.parse(await call("GET", at(id, "/items"))).items as Item[],
    plans: async (id) => plansSchema.parse(await call("GET", at(id, "/plans"))).plans,
    tasks: async (id, status) => tasksSchema.parse(await call("GET", at(id, `/tasks${queryOf({ status })}`))).tasks,
    context: async (id) => contextSchema.parse(await call("GET", at(id, "/context"))),
    task: async (id) => taskSchema.parse(await call("GET", pathOf("tasks", id))),
    cancelTask: async (id) => cancelledSchema.parse(await call("POST", pathOf("tasks", id, "/cancel"))).cancelled,
    ticket: async (id) => ticketSchema.parse(await call("POST", "/api/v1/tickets", { conversation_id: id })).ticket,
    health: async () => {
      const response = await send("GET", "/health");
      const answer: unknown = await response.json().catch(() => null);
      const health = healthSchema.safeParse(answer).data;
      if (health === undefined) throw faultOf(response.status, answer);
      return health;
    },
  };
}
