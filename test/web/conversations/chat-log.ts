// Builds the event log of a conversation, event by event.

import type { ConversationEvent, EventName, Frame } from "../../../src/protocol/wire/events.ts";
import type { Plan, Task } from "../../../src/protocol/plans/task-plan.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../../src/protocol/wire/view.ts";

type ChatEventOptions = {
  readonly thread?: string;
  readonly task?: string;
  readonly agent?: string;
  readonly item?: string;
};

export class ChatLog {
  readonly frames: Frame[] = [];

  /** Adds an event of the thread `th`, unless `options` names another. */
  addEvent(
    event: EventName,
    payload: object = {},
    options: ChatEventOptions & { role?: string; metadata?: object } = {},
  ): this {
    const seq = this.frames.length + 1;
    const { thread = "th", task, agent, item = `item-${seq}`, role = "agent", metadata } = options;
    const data = {
      conversation_id: "conv",
      role,
      item_id: item,
      thread_id: thread,
      ...(task === undefined ? {} : { task_id: task }),
      ...(agent === undefined ? {} : { agent_name: agent }),
      ...(metadata === undefined ? {} : { metadata }),
      payload,
    };
    this.frames.push({ seq, ...({ event, data } as unknown as ConversationEvent) });
    return this;
  }

  startThread(content: string, thread = "th"): this {
    return this.addEvent("thread_started", { content }, { thread, task: `ask-${thread}`, role: "user" });
  }

  plan(thread: string, ...tasks: readonly Partial<Task>[]): this {
    return this.addEvent(
      "plan_created",
      { plan: createPlan(thread, tasks) },
      { thread, agent: "Planner", role: "system" },
    );
  }

  addText(content: string, options: ChatEventOptions = {}): this {
    return this.addEvent("message_chunk", { content }, { task: "task", agent: "assistant", item: "text", ...options });
  }

  endThread(thread = "th", isCancelled = false): this {
    const usage = { model_calls: 1, input_tokens: 10, output_tokens: 2, tasks: 1, duration_ms: 5 };
    return this.addEvent(
      "done",
      {},
      { thread, role: "system", metadata: isCancelled ? { cancelled: true } : { usage } },
    );
  }

  view(upTo = this.frames.length): ConversationView {
    return foldFrames(EMPTY_VIEW, this.frames.slice(0, upTo));
  }
}

function createPlan(thread: string, tasks: readonly Partial<Task>[]): Plan {
  const common = { plan_id: `plan-${thread}`, conversation_id: "conv", thread_id: thread, query: "", created_at: 0 };
  const completeTasks = tasks.map((task, i) => ({
    ...common,
    task_id: `task-${i}`,
    title: `Part ${i}`,
    agent_name: "assistant",
    depends_on: [],
    pattern: "once" as const,
    handoff_from_super_agent: false,
    metadata: {},
    status: "pending" as const,
    ...task,
  }));
  return { ...common, user_id: "local", orig_query: "", reasoning: "", tasks: completeTasks };
}
