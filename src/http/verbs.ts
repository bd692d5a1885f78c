// Everything a user can ask of the runtime, whatever door they come through. HTTP and RPC are thin
// encodings of these functions; there is no second way to do a thing.
//
// All of them throw a `Fault`.

import { fetchCard } from "../dispatch/connect.ts";
import { PLANNER, SUPER_AGENT, type Frame } from "../protocol/events.ts";
import type { Agent } from "../protocol/agent.ts";
import type { Cancel, Resume, Send } from "../protocol/commands.ts";
import type { Conversation, UpdateConversation } from "../protocol/conversation.ts";
import { Fault } from "../protocol/fault.ts";
import { companion, mint } from "../protocol/ids.ts";
import type { Item } from "../protocol/items.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import { putAgent, removeAgent, setAgentEnabled } from "../directory/agents.ts";
import { conversationOfTask, findConversation, listConversations } from "../directory/conversations.ts";
import { objectName, valueOf, type Accepted, type ConversationApi, type Page, type Result } from "../durable/api.ts";
import { agentsOf } from "../durable/world.ts";
import type { Env } from "../env.ts";
import type { Settings } from "../settings.ts";
import { cursorOf, placeOf } from "./cursor.ts";

export type Verbs = ReturnType<typeof verbsOf>;

/** Ids that clients may choose. Anything else names nothing. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

export function verbsOf(env: Env, settings: Settings, userId: string) {
  const agents = agentsOf(env, settings, userId);

  const conversation = (id: string): ConversationApi => {
    if (!ID.test(id)) throw new Fault("not_found", "There is no such conversation.");
    return env.CONVERSATION.getByName(objectName(userId, id)) as unknown as ConversationApi;
  };

  /** Reads a conversation, or one task of its parent when it is a sub-conversation. */
  const readFrom = async <T>(
    id: string,
    read: (from: ConversationApi, task?: string) => Promise<Result<T>>,
  ): Promise<T> => {
    const own = await read(conversation(id));
    if (own.ok || own.failure.code !== "not_found") return valueOf(own);
    const parent = (await subConversation(id))?.parent_id;
    if (parent === undefined) return valueOf(own);
    return valueOf(await read(conversation(parent), companion(id, "task")));
  };

  /** A directory that is down knows no sub-conversations; everything else works without it. */
  const subConversation = async (id: string): Promise<Conversation | null> => {
    const row = await findConversation(env.DB, userId, id).catch(() => null);
    return row?.parent_id === undefined ? null : row;
  };

  const ofTask = async (taskId: string): Promise<string> => {
    const id = await fromDirectory(conversationOfTask(env.DB, userId, taskId));
    if (id === null) throw new Fault("not_found", "There is no such task.");
    return id;
  };

  const agentNamed = async (name: string): Promise<Agent> => {
    const agent = (await agents.list()).find((known) => known.name === name);
    if (agent === undefined) throw new Fault("not_found", "There is no such agent.");
    return agent;
  };

  return {
    userId,

    async createConversation(title?: string, message?: string): Promise<Conversation> {
      const api = conversation(mint("conv"));
      const created = valueOf(await api.create(title));
      if (message !== undefined) valueOf(await api.send(mint("cmd"), { message }, { create: false }));
      return created;
    },

    async listConversations(
      limit: number,
      cursor?: string,
    ): Promise<{ conversations: Conversation[]; next_cursor: string | null }> {
      const after = cursor === undefined ? null : placeOf(cursor);
      const conversations = await fromDirectory(listConversations(env.DB, userId, limit, after));
      const last = conversations.length < limit ? undefined : conversations.at(-1);
      return { conversations, next_cursor: last === undefined ? null : cursorOf(last) };
    },

    async readConversation(id: string): Promise<Conversation> {
      const own = await conversation(id).read();
      if (own.ok) return own.value;
      return (own.failure.code === "not_found" ? await subConversation(id) : null) ?? valueOf(own);
    },

    async updateConversation(id: string, patch: UpdateConversation): Promise<Conversation> {
      return valueOf(await conversation(id).update(patch));
    },

    async deleteConversation(id: string): Promise<{ conversation_id: string; deleted: true }> {
      return valueOf(await conversation(id).remove());
    },

    /** Sends to a conversation that exists. The command id makes it idempotent; without one, every call is a new message. */
    async send(id: string, message: Send, commandId: string = mint("cmd")): Promise<Accepted> {
      return valueOf(await conversation(id).send(commandId, message, { create: false }));
    },

    /** Sends to a new conversation, or to the one of that name, which is made if this user has none. */
    async start(id: string = mint("conv"), message: Send, commandId: string = mint("cmd")): Promise<Accepted> {
      if (!ID.test(id))
        throw new Fault("invalid_request", "conversation_id: use letters, digits, _ and -, at most 128", {
          field: "conversation_id",
        });
      return valueOf(await conversation(id).send(commandId, message, { create: true }));
    },

    async resume(id: string, answer: Resume, commandId: string = mint("cmd")): Promise<Accepted> {
      return valueOf(await conversation(id).resume(commandId, answer));
    },

    async cancel(id: string, target: Cancel, commandId: string = mint("cmd")): Promise<{ cancelled: string[] }> {
      return valueOf(await conversation(id).cancel(commandId, target));
    },

    async events(id: string, after: number, limit: number): Promise<Page<Frame>> {
      const page = await readFrom(id, (from, task) => from.events(after, limit, task));
      return {
        ...page,
        events: page.events.map((frame) => ({ ...frame, data: { ...frame.data, conversation_id: id } }) as Frame),
      };
    },

    async items(id: string): Promise<Item[]> {
      const items = await readFrom(id, (from, task) => from.items(task));
      return items.map((item) => ({ ...item, conversation_id: id }));
    },

    /** JSON lines of frames; of one thread, up to its end, or of everything, for as long as somebody reads. */
    async follow(id: string, after: number, thread?: string): Promise<ReadableStream<Uint8Array>> {
      return valueOf(await conversation(id).follow(after, thread));
    },

    async plans(id: string): Promise<Plan[]> {
      return valueOf(await conversation(id).plans());
    },

    async tasks(id: string, status?: TaskStatus): Promise<Task[]> {
      return valueOf(await conversation(id).tasks(status === undefined ? {} : { status }));
    },

    async context(id: string): Promise<{ pending: unknown[] }> {
      return valueOf(await conversation(id).context());
    },

    async task(taskId: string): Promise<Task> {
      const tasks = valueOf(await conversation(await ofTask(taskId)).tasks({}));
      const task = tasks.find((known) => known.task_id === taskId);
      if (task === undefined) throw new Fault("not_found", "There is no such task.");
      return task;
    },

    async cancelTask(taskId: string): Promise<{ cancelled: string[] }> {
      return valueOf(await conversation(await ofTask(taskId)).cancel(mint("cmd"), { task_id: taskId }));
    },

    async agents(): Promise<{ agents: readonly Agent[] }> {
      return { agents: await agents.list() };
    },

    agent: agentNamed,

    async setAgentEnabled(name: string, enabled: boolean): Promise<Agent> {
      await agentNamed(name);
      await fromDirectory(setAgentEnabled(env.DB, userId, name, enabled));
      return agentNamed(name);
    },

    /** Reads the card behind a URL and makes its agent one of this user's. */
    async registerAgent(url: string): Promise<Agent> {
      const { card, url: cardUrl } = await fetchCard(url, settings);
      const taken = (await agents.list()).find(({ name, source }) => name === card.name && source === "binding");
      const isReserved = [SUPER_AGENT, PLANNER].some((name) => name.toLowerCase() === card.name.toLowerCase());
      if (taken !== undefined || isReserved) {
        throw new Fault("conflict", `An agent called ${card.name} is part of this deployment.`, { field: "url" });
      }
      await fromDirectory(putAgent(env.DB, userId, card, cardUrl));
      return agentNamed(card.name);
    },

    async removeAgent(name: string): Promise<{ name: string; deleted: true }> {
      if (!(await fromDirectory(removeAgent(env.DB, userId, name)))) {
        throw new Fault("not_found", "There is no registered agent of that name.");
      }
      return { name, deleted: true };
    },
  };
}

/** What only the directory knows cannot be had while it is down. */
async function fromDirectory<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    throw new Fault(
      "unavailable",
      "The directory cannot be reached right now. Conversations go on; please try again.",
      { cause },
    );
  }
}
