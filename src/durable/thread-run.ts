// Runs one thread: the turn of the core, with steps that outlive a crash.
//
// Invariants:
//   T3. `done` is the last event of the thread and stored together with its end.
//   T4. A finished step is never repeated; an interrupted one starts over, and says so.
//   T5. Once the thread has been told to stop, its steps publish nothing but their last events.

import type { Limits } from "../core/budget.ts";
import type { Draft, Emit, Ports, Step, StepOutcome, StepSpec } from "../core/ports.ts";
import { Stop } from "../core/stop.ts";
import { runTurn } from "../core/turn.ts";
import { must } from "../protocol/assert.ts";
import { mintWithin } from "../protocol/ids.ts";
import type { Settings } from "../settings.ts";
import { historyOf } from "./history.ts";
import type { Log } from "./log.ts";
import type { Head, OpenThread, Store } from "./store.ts";

/** How often a thread may be begun again after its host died under it, before it is given up. */
const MAX_ATTEMPTS = 3;

export class ThreadRun {
  readonly thread: OpenThread;
  readonly #log: Log;
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #world: Pick<Ports, "model" | "agents" | "report">;
  readonly #stop = new AbortController();
  readonly #taskStops = new Map<string, AbortController>();
  /** True until the first step of this run has finished: what is found unfinished till then was interrupted. */
  #isCatchingUp: boolean;

  constructor(
    thread: OpenThread,
    log: Log,
    store: Store,
    settings: Settings,
    world: Pick<Ports, "model" | "agents" | "report">,
  ) {
    this.thread = thread;
    this.#log = log;
    this.#store = store;
    this.#settings = settings;
    this.#world = world;
    this.#isCatchingUp = thread.attempts > 1;
  }

  /** Takes effect at once: what is under way publishes nothing more but its end. */
  cancel(): void {
    this.#stop.abort(new Stop("person", "You cancelled this."));
  }

  cancelTask(taskId: string): void {
    this.#taskStop(taskId).abort(new Stop("person", "You cancelled this task."));
  }

  /** Runs the thread to its end. Rejects only when the object is about to be reset. */
  async run(): Promise<void> {
    const { request } = must(this.#store.command(this.thread.command_id), "the command of an open thread");
    const { conversation, open } = this.#log.head;
    this.#stopAgain();
    const openThreads = new Set(open.map(({ thread_id }) => thread_id));
    const clock = setTimeout(
      () => this.#stop.abort(new Stop("clock", "This message took too long and was stopped.")),
      this.#settings.MAX_THREAD_SECONDS * 1000,
    );
    try {
      const end = await runTurn(
        { ...this.#world, now: Date.now, mint: mintWithin(conversation.conversation_id), step: this.#step },
        {
          conversationId: conversation.conversation_id,
          threadId: this.thread.thread_id,
          userId: conversation.user_id,
          request,
          history: () => historyOf(this.#store.newestRows(), openThreads),
          limits: limitsOf(this.#settings),
          signal: this.#stop.signal,
          taskSignal: (taskId) => this.#taskStop(taskId).signal,
        },
      );
      this.#end(end.status, end.closing);
    } finally {
      clearTimeout(clock);
    }
  }

  /** What was stopped before the host died is not begun again, nor what has killed it too often. */
  #stopAgain(): void {
    const { attempts, is_cancelled: isCancelled, cancelled_tasks: tasks = [] } = this.thread;
    for (const task of tasks) this.cancelTask(task);
    if (isCancelled === true) this.cancel();
    else if (attempts > MAX_ATTEMPTS) {
      const words = "This message kept being interrupted and was given up. Please try again.";
      this.#stop.abort(new Stop("host", words));
    }
  }

  readonly #step: Step = async <T>(spec: StepSpec, work: (emit: Emit) => Promise<StepOutcome<T>>): Promise<T> => {
    const threadId = this.thread.thread_id;
    const stored = this.#store.step(threadId, spec.name);
    if (stored !== null) return JSON.parse(stored) as T;
    if (this.#isCatchingUp) this.#startOver(spec);
    let isOver = false;
    const emit: Emit = (...drafts) => {
      if (!isOver && !this.#stop.signal.aborted) this.#log.publish(drafts);
    };
    try {
      const { value, closing } = await work(emit);
      this.#log.publish(closing, undefined, () => this.#store.putStep(threadId, spec.name, JSON.stringify(value)));
      this.#isCatchingUp = false;
      return value;
    } finally {
      isOver = true;
    }
  };

  /** Takes back what an interrupted step had said. A task that has left no trace had not begun. */
  #startOver({ name, scope, agentName }: StepSpec): void {
    const isTask = name.startsWith("task:");
    if (isTask && !this.#store.hasRowsOf(scope, this.thread.seq)) return;
    const place = { thread_id: this.thread.thread_id, task_id: scope, agent_name: agentName, role: "agent" } as const;
    const content = this.#stop.signal.aborted
      ? "The work was interrupted."
      : "The work was interrupted and starts over.";
    const payload = { content, attempt: this.thread.attempts };
    this.#log.publish([{ event: "task_retrying", data: { ...place, payload } }]);
  }

  #end(status: "completed" | "failed", closing: readonly Draft[]): void {
    this.#log.settle(closing, (head) => without(head, this.thread.thread_id, status));
  }

  #taskStop(taskId: string): AbortController {
    let controller = this.#taskStops.get(taskId);
    if (controller === undefined) this.#taskStops.set(taskId, (controller = new AbortController()));
    return controller;
  }
}

/** The head once a thread is over: the next one in line becomes the running one. */
function without(head: Head, threadId: string, status: "completed" | "failed"): Head {
  const open = head.open.filter(({ thread_id }) => thread_id !== threadId);
  const conversation = {
    ...head.conversation,
    status: open.length > 0 ? ("active" as const) : status,
    updated_at: Date.now(),
  };
  return { ...head, open, conversation };
}

function limitsOf(settings: Settings): Limits {
  return {
    maxModelCalls: settings.MAX_MODEL_CALLS,
    maxTokens: settings.MAX_TOKENS,
    maxTasks: settings.MAX_TASKS,
    maxConcurrentTasks: settings.MAX_CONCURRENT_TASKS,
  };
}
