// Conversations: which there are, what happened in them, and the server itself. Everything answered is validated.

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
  /** Words that are all in the title, in any case. */
  readonly q?: string | undefined;
  /** Only those that the person began: no conversations of tasks, no instances of plans. */
  readonly top?: boolean | undefined;
};

export type Conversations = {
  /** With a message, that is sent as its first. */
  createConversation(input?: CreateConversation): Promise<Conversation>;
  /** The newest first. */
  listConversations(wanted?: ConversationsWanted): Promise<ConversationPage>;
  conversation(id: string): Promise<Conversation>;
  renameConversation(id: string, title: string): Promise<Conversation>;
  deleteConversation(id: string): Promise<void>;
  /** What happened after a number; `next` is the `after` of the next page. */
  events(conversationId: string, page?: { after?: number; limit?: number }): Promise<{ events: Frame[]; next: number }>;
  /** What there is to see, in order. */
  items(conversationId: string): Promise<Item[]>;
  /** With their tasks as they stand. */
  plans(conversationId: string): Promise<Plan[]>;
  tasks(conversationId: string, status?: TaskStatus): Promise<Task[]>;
  /** What it waits for. */
  context(conversationId: string): Promise<Context>;
  task(id: string): Promise<Task>;
  /** Stops one task, and a schedule that it is. Resolves with the ids of what was stopped. */
  cancelTask(id: string): Promise<string[]>;
  /** A single-use key to one conversation's socket, for where headers cannot be set. */
  ticket(conversationId: string): Promise<string>;
  /** Also of a server that is not ready: then `missing` says why. */
  health(): Promise<Health>;
};

/** Every method rejects with a `Fault`: the server's own problem, or `unavailable` when it cannot be reached. */
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
