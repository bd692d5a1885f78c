// Written doubles of the core's ports: a model that says what a script tells it, agents that are
// generators, and a journal in memory that can be interrupted and taken up again.

import type { ThreadLimits } from "../../src/core/budget.ts";
import { LogSequencer } from "../../src/core/log-sequencer.ts";
import { replayFrames, type LogRow } from "../../src/core/log-rows.ts";
import type {
  AgentRunner,
  ModelCompletion,
  EventDraft,
  Emit,
  Memo,
  Model,
  ModelDelta,
  ModelRequest,
  Ports,
  ThreadQuestion,
  QuestionState,
  StepRunner,
  ToolCall,
  StepOutcome,
  StepSpec,
} from "../../src/core/ports.ts";
import { createAnswerEvent } from "../../src/core/questions.ts";
import type { TurnInput } from "../../src/core/turn-context.ts";
import { runTurn } from "../../src/core/turn.ts";
import type { TurnOutcome } from "../../src/core/turn-outcome.ts";
import { agentCardSchema, type Agent, type AgentEvent, type AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { EventName, EventOf, Frame } from "../../src/protocol/wire/events.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";
import type { IdFactory } from "../../src/protocol/wire/ids.ts";
import { translateFailure } from "../../src/protocol/language/failure-messages.ts";
import { detectLanguage } from "../../src/protocol/language/detect-language.ts";

export type Reply = { text?: string; reasoning?: string; call?: Omit<ToolCall, "id">; calls?: ToolCall[] } | Error;

/** Answers each role's calls in the order of its script; a call beyond it fails the test. */
export function scriptedModel(script: Record<string, Reply[]>): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const left = new Map(Object.entries(script).map(([role, replies]) => [role, [...replies]]));
  return {
    requests,
    complete(request: ModelRequest, hear: (delta: ModelDelta) => void): Promise<ModelCompletion> {
      requests.push(request);
      const reply = left.get(request.role)?.shift();
      if (reply === undefined)
        return Promise.reject(new Error(`No reply scripted for another call of ${request.role}`));
      if (reply instanceof Error) return Promise.reject(reply);
      if (reply.reasoning !== undefined) hear({ type: "reasoning", text: reply.reasoning });
      for (const word of reply.text?.match(/\S+\s*|\s+/g) ?? []) hear({ type: "text", text: word });
      const toolCalls = reply.calls ?? (reply.call === undefined ? [] : [{ id: "call_1", ...reply.call }]);
      return Promise.resolve({ text: reply.text ?? "", toolCalls, usage: { inputTokens: 10, outputTokens: 5 } });
    },
  };
}

export function call(name: string, args: unknown): Reply {
  return { call: { name, arguments: JSON.stringify(args) } };
}

/** Calls that triage and planner make, and a task as the planner proposes it. */
export const handoff = (args: object) =>
  call("handoff_to_planner", { strategy: "needs_planning", reason: "work", ...args });
export const plan = (...tasks: object[]) => call("create_plan", { tasks, adequate: true, reason: "as asked" });
export const task = (id: string, agent_name: string, depends_on: string[] = []) => ({
  id,
  title: `Task ${id}`,
  query: `do ${id}`,
  agent_name,
  depends_on,
});

export type Script = (request: AgentRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;

/** Agents that run in the test. */
export function scriptedAgents(
  scripts: Record<string, Script>,
  cards: Record<string, Partial<Agent>> = {},
): AgentRunner & { readonly dismissed: readonly string[]; readonly left: readonly unknown[] } {
  const dismissed: string[] = [];
  const leftBehind: unknown[] = [];
  const agents = Object.keys(scripts).map((name): Agent => ({
    ...agentCardSchema.parse({ name }),
    source: "binding",
    enabled: true,
    ...cards[name],
  }));
  return {
    list: () => Promise.resolve(agents),
    run: (agent, request, signal) => scripts[agent.name]?.(request, signal) ?? silence(),
    cancel: (agent, remoteTaskId, left) => {
      dismissed.push(`${agent.name}/${remoteTaskId}`);
      leftBehind.push(left);
      return Promise.resolve();
    },
    dismissed,
    left: leftBehind,
  };
}

async function* silence(): AsyncGenerator<AgentEvent> {}

/** An agent that says one thing. */
export function saying(text: string): Script {
  return async function* () {
    yield { type: "accepted" };
    yield { type: "text", text };
    yield { type: "completed" };
  };
}

/** A crash: everything in memory is lost, what was stored is not. */
export class Crash extends Error {}

/** What a conversation object stores, and everything it has sent. */
export class Memory {
  readonly rows: LogRow[] = [];
  readonly steps = new Map<string, string>();
  /** What steps that are under way hold on to, and the last number that stays. */
  readonly kept = new Map<string, { readonly value: string; readonly since: number }>();
  readonly sent: Frame[] = [];
  readonly questions = new Map<string, { readonly question: ThreadQuestion; standing: QuestionState }>();
  readonly schedules = new Map<string, Schedule>();
  mostSchedules = 10;
  reserved = 0;
  #heard = Promise.withResolvers<void>();
  #book = new LogSequencer("conv-1", 0, counting());

  readonly publish: Emit = (...drafts: EventDraft[]) => {
    const commit = this.#book.append(drafts);
    for (const { scope, since } of commit.retract) {
      this.rows.splice(0, this.rows.length, ...this.rows.filter((row) => row.scope !== scope || row.seq <= since));
    }
    this.rows.push(...commit.rows);
    this.reserved = commit.reserve ?? this.reserved;
    this.sent.push(...commit.frames);
  };

  /** Frames after `n`, as a reader who comes back gets them. */
  framesAfter(n: number): Frame[] {
    const rows = [...this.rows, ...this.#book.openRows()].sort((a, b) => a.seq - b.seq);
    return [...replayFrames(rows, n)];
  }

  /** What is open, in the order in which it was asked. */
  open(): ThreadQuestion[] {
    return [...this.questions.values()].flatMap(({ question, standing }) =>
      standing.state === "open" ? [question] : [],
    );
  }

  /** Settles an open question; an answer becomes an event. */
  settle(requestId: string, standing: QuestionState): void {
    const asked = this.questions.get(requestId);
    if (asked === undefined) throw new Error(`No question ${requestId}`);
    if (standing.state === "answered") this.publish(createAnswerEvent(asked.question, standing.answer));
    asked.standing = standing;
    this.#heard.resolve();
    this.#heard = Promise.withResolvers<void>();
  }

  standing(requestId: string): QuestionState {
    return this.questions.get(requestId)?.standing ?? { state: "cancelled" };
  }

  settled(): Promise<void> {
    return this.#heard.promise;
  }

  restart(): void {
    this.#book = new LogSequencer("conv-1", this.reserved, counting("r"));
  }

  /** The journal of a run; `isCatchingUp` as after a crash. `crashAfter` dies when that step is stored. */
  step(options: { isCatchingUp?: boolean; crashAfter?: string } = {}): StepRunner {
    let isCatchingUp = options.isCatchingUp ?? false;
    return async <T>(
      spec: StepSpec,
      work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
    ): Promise<T> => {
      const stored = this.steps.get(spec.name);
      if (stored !== undefined) return JSON.parse(stored) as T;
      const kept = this.kept.get(spec.name);
      const answered = this.rows.findLast((row) => row.scope === spec.scope && row.entries[0]?.data.role === "user");
      const since = kept?.since ?? answered?.seq ?? 0;
      const isTold = isCatchingUp && spec.isAtomic !== true;
      if (isTold && (spec.continues === undefined || this.standing(spec.continues).state === "answered")) {
        const place = { thread_id: "th-1", task_id: spec.scope, agent_name: spec.agentName, role: "agent" } as const;
        const payload = { content: "again", attempt: 2, ...(since === 0 ? {} : { since }) };
        this.publish({ event: "task_retrying", data: { ...place, payload } });
      }
      const memo: Memo<unknown> = {
        saved: kept === undefined ? null : JSON.parse(kept.value),
        save: (kept) => {
          this.rows.push(...this.#book.close(spec.scope).rows);
          this.kept.set(spec.name, { value: JSON.stringify(kept), since: this.#book.last });
        },
      };
      const { value, closing, question: asks, newSchedule } = await work(this.publish, memo);
      if (newSchedule !== undefined) this.schedules.set(newSchedule.schedule_id, newSchedule);
      this.publish(...closing);
      if (asks !== undefined) this.questions.set(asks.request_id, { question: asks, standing: { state: "open" } });
      this.steps.set(spec.name, JSON.stringify(value));
      if (spec.isAtomic !== true) isCatchingUp = false;
      if (spec.name === options.crashAfter) throw new Crash(spec.name);
      return value;
    };
  }
}

export function counting(mark = ""): IdFactory {
  let n = 0;
  return (prefix) => `${prefix}-${mark}${++n}`;
}

export const LIMITS: ThreadLimits = {
  maxModelCalls: 20,
  maxTokens: 100_000,
  maxTasks: 8,
  maxConcurrentTasks: 3,
  questionSeconds: 3_600,
  maxFailures: 3,
  maxFirings: 200,
};

export type Played = { readonly memory: Memory; readonly end: TurnOutcome; readonly events: readonly string[] };

/** Plays one message through the core and returns everything that was sent. */
export async function play(
  world: { model: Model; agents: AgentRunner },
  message: string,
  options: { turn?: Partial<TurnInput>; memory?: Memory; step?: StepRunner; mint?: IdFactory } = {},
): Promise<Played> {
  const memory = options.memory ?? new Memory();
  const ports: Ports = {
    ...world,
    now: () => 1_000,
    mint: options.mint ?? counting("m"),
    translate: (words) => translateFailure(detectLanguage(message), words),
    report: () => {},
    schedules: () => Promise.resolve({ used: memory.schedules.size, most: memory.mostSchedules }),
    step: options.step ?? memory.step(),
  };
  const end = await runTurn(ports, {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request: { message },
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.standing(id),
    waitForChange: () => memory.settled(),
    signal: new AbortController().signal,
    taskSignal: () => new AbortController().signal,
    ...options.turn,
  });
  if (end.status !== "paused") memory.publish(...end.closing);
  return { memory, end, events: memory.sent.map((frame) => frame.event) };
}

/** The events of one name, typed. */
export function eventsOf<Name extends EventName>(played: { memory: Memory }, name: Name): EventOf<Name>["data"][] {
  return played.memory.sent.filter((frame) => frame.event === name).map((frame) => frame.data as EventOf<Name>["data"]);
}
