// Test doubles of the core's ports: a scripted model, agents as async generators, and an in-memory conversation with a
// journal that can be interrupted and resumed.

import { scriptSchedules } from "./scripted-schedules.ts";
import type { ThreadLimits } from "../../src/core/models/budget.ts";
import { findResultSeq } from "../../src/core/log/find-result-seq.ts";
import { LogSequencer } from "../../src/core/log/log-sequencer.ts";
import { replayFrames, type LogRow } from "../../src/core/log/log-rows.ts";
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
import type { Profile } from "../../src/protocol/agents/profile.ts";
import type { QuestionAnswer } from "../../src/protocol/wire/question.ts";
import { createAnswerEvent } from "../../src/core/turn/questions.ts";
import type { TurnInput } from "../../src/core/turn/turn-context.ts";
import { runTurn } from "../../src/core/turn/turn.ts";
import type { TurnOutcome } from "../../src/core/turn/turn-outcome.ts";
import { agentCardSchema, type Agent, type AgentEvent, type AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { EventName, EventOf, Frame } from "../../src/protocol/wire/events.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";
import type { IdFactory } from "../../src/protocol/wire/ids.ts";
import { formatMessage } from "../../src/language/messages.ts";
import { detectLanguage, type Language } from "../../src/language/detect-language.ts";

export type ScriptedReply =
  | { text?: string; reasoning?: string; call?: Omit<ToolCall, "id">; calls?: ToolCall[] }
  | Error;

/** Returns a model that replies per role in the order of its script. A call beyond the script fails the test. */
export function scriptModel(script: Record<string, ScriptedReply[]>): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const remaining = new Map(Object.entries(script).map(([role, replies]) => [role, [...replies]]));
  return {
    requests,
    complete(request: ModelRequest, onDelta: (delta: ModelDelta) => void): Promise<ModelCompletion> {
      requests.push(request);
      const reply = remaining.get(request.role)?.shift();
      if (reply === undefined)
        return Promise.reject(new Error(`No reply scripted for another call of ${request.role}`));
      if (reply instanceof Error) return Promise.reject(reply);
      if (reply.reasoning !== undefined) onDelta({ type: "reasoning", text: reply.reasoning });
      for (const word of reply.text?.match(/\S+\s*|\s+/g) ?? []) onDelta({ type: "text", text: word });
      const toolCalls = reply.calls ?? (reply.call === undefined ? [] : [{ id: "call_1", ...reply.call }]);
      return Promise.resolve({ text: reply.text ?? "", toolCalls, usage: { inputTokens: 10, outputTokens: 5 } });
    },
  };
}

export function call(name: string, args: unknown): ScriptedReply {
  return { call: { name, arguments: JSON.stringify(args) } };
}

/** Builders of the tool calls of triage and planner, and of a proposed task. */
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

/** Returns an agent runner whose agents run in the test process. */
export function scriptAgents(
  scripts: Record<string, Script>,
  cards: Record<string, Partial<Agent>> = {},
): AgentRunner & { readonly dismissed: readonly string[]; readonly cancelDetails: readonly unknown[] } {
  const dismissed: string[] = [];
  const cancelDetails: unknown[] = [];
  const agents = Object.keys(scripts).map((name): Agent => ({
    ...agentCardSchema.parse({ name }),
    source: "binding",
    enabled: true,
    ...cards[name],
  }));
  return {
    list: () => Promise.resolve(agents),
    run: (agent, request, signal) => scripts[agent.name]?.(request, signal) ?? emitNothing(),
    cancel: (agent, remoteTaskId, details) => {
      dismissed.push(`${agent.name}/${remoteTaskId}`);
      cancelDetails.push(details);
      return Promise.resolve();
    },
    dismissed,
    cancelDetails,
  };
}

async function* emitNothing(): AsyncGenerator<AgentEvent> {}

/** Returns an agent that sends one text. */
export function answerWith(text: string): Script {
  return async function* () {
    yield { type: "accepted" };
    yield { type: "text", text };
    yield { type: "completed" };
  };
}

/** A simulated crash: memory is lost, stored data is not. */
export class Crash extends Error {}

/** The storage of a conversation and all frames that it has sent. */
export class Memory {
  readonly rows: LogRow[] = [];
  readonly steps = new Map<string, string>();
  /** The memos of unfinished steps, each with the last sequence number that is not retracted. */
  readonly memos = new Map<string, { readonly value: string; readonly since: number }>();
  readonly sent: Frame[] = [];
  readonly questions = new Map<string, { readonly question: ThreadQuestion; state: QuestionState }>();
  readonly schedules = new Map<string, Schedule>();
  maxSchedules = 10;
  reserved = 0;
  #changed = Promise.withResolvers<void>();
  #sequencer = new LogSequencer("conv-1", 0, createIdFactory());

  readonly publish: Emit = (...drafts: EventDraft[]) => {
    const commit = this.#sequencer.append(drafts);
    for (const { scope, since } of commit.retract) {
      this.rows.splice(0, this.rows.length, ...this.rows.filter((row) => row.scope !== scope || row.seq <= since));
    }
    this.rows.push(...commit.rows);
    this.reserved = commit.reserve ?? this.reserved;
    this.sent.push(...commit.frames);
  };

  /** Returns the frames after `n`, as a reconnecting reader receives them. */
  readFrames(n: number): Frame[] {
    const rows = [...this.rows, ...this.#sequencer.listOpenRows()].sort((a, b) => a.seq - b.seq);
    return [...replayFrames(rows, n)];
  }

  /** Returns the open questions in the order in which they were asked. */
  listOpenQuestions(): ThreadQuestion[] {
    return [...this.questions.values()].flatMap(({ question, state }) => (state.state === "open" ? [question] : []));
  }

  listAnswers(): QuestionAnswer[] {
    return [...this.questions.values()].flatMap(({ state }) => (state.state === "answered" ? [state.answer] : []));
  }

  /** Sets the state of an open question. An answer also publishes an event. */
  settleQuestion(requestId: string, state: QuestionState): void {
    const entry = this.questions.get(requestId);
    if (entry === undefined) throw new Error(`No question ${requestId}`);
    if (state.state === "answered") this.publish(createAnswerEvent(entry.question, state.answer));
    entry.state = state;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** Sets the state of the oldest open question; a text is its answer. */
  settleFirst(state: QuestionState | string): void {
    this.settleQuestion(
      this.listOpenQuestions()[0]?.request_id ?? "",
      typeof state === "string" ? { state: "answered", answer: { message: state } } : state,
    );
  }

  /** Answers all questions that are open now. */
  answerAll(message: string): void {
    for (let open = this.listOpenQuestions().length; open > 0; open -= 1) this.settleFirst(message);
  }

  getQuestionState(requestId: string): QuestionState {
    return this.questions.get(requestId)?.state ?? { state: "cancelled" };
  }

  waitForChange(): Promise<void> {
    return this.#changed.promise;
  }

  restart(): void {
    this.#sequencer = new LogSequencer("conv-1", this.reserved, createIdFactory("r"));
  }

  /**
   * Returns the step runner of one run. `isCatchingUp`: the run follows a crash. `crashAfter`: throws a Crash once that
   * step is stored.
   */
  createStepRunner(options: { isCatchingUp?: boolean; crashAfter?: string } = {}): StepRunner {
    let isCatchingUp = options.isCatchingUp ?? false;
    return async <T>(
      spec: StepSpec,
      work: (emit: Emit, memo: Memo<unknown>) => Promise<StepOutcome<T>>,
    ): Promise<T> => {
      const stored = this.steps.get(spec.name);
      if (stored !== undefined) return JSON.parse(stored) as T;
      const saved = this.memos.get(spec.name);
      const answered = this.rows.findLast((row) => row.scope === spec.scope && row.entries[0]?.data.role === "user");
      const since = saved?.since ?? answered?.seq ?? 0;
      const mustRetry = isCatchingUp && spec.isAtomic !== true;
      if (mustRetry && (spec.continues === undefined || this.getQuestionState(spec.continues).state === "answered")) {
        const fields = { thread_id: "th-1", task_id: spec.scope, agent_name: spec.agentName, role: "agent" } as const;
        const payload = { content: "again", attempt: 2, ...(since === 0 ? {} : { since }) };
        this.publish({ event: "task_retrying", data: { ...fields, payload } });
      }
      const memo: Memo<unknown> = {
        saved: saved === undefined ? null : JSON.parse(saved.value),
        save: (saved) => {
          this.rows.push(...this.#sequencer.close(spec.scope).rows);
          this.memos.set(spec.name, { value: JSON.stringify(saved), since: this.#sequencer.last });
        },
      };
      const { value, closing, question, newSchedule } = await work(this.publish, memo);
      if (newSchedule !== undefined) this.schedules.set(newSchedule.schedule_id, newSchedule);
      this.publish(...closing);
      if (question !== undefined) this.questions.set(question.request_id, { question, state: { state: "open" } });
      this.steps.set(spec.name, JSON.stringify(value));
      if (spec.isAtomic !== true) isCatchingUp = false;
      if (spec.name === options.crashAfter) throw new Crash(spec.name);
      return value;
    };
  }
}

export function createIdFactory(mark = ""): IdFactory {
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

export type TurnResult = { readonly memory: Memory; readonly end: TurnOutcome; readonly events: readonly string[] };

/** Creates the port that formats messages in a language. */
export function createFormatter(language: Language): Ports["formatMessage"] {
  return (message) => formatMessage(language, message);
}

type ModelScript = Parameters<typeof scriptModel>[0];
type Doubles = {
  readonly model: Model | ModelScript;
  readonly agents: AgentRunner | Record<string, Script>;
};
type TurnOptions = {
  profile?: Profile;
  turn?: Partial<TurnInput>;
  memory?: Memory;
  step?: StepRunner;
  mint?: IdFactory;
};

const isModel = (model: Model | ModelScript): model is Model => typeof model["complete"] === "function";
const isRunner = (agents: AgentRunner | Record<string, Script>): agents is AgentRunner => "cancel" in agents;

/** Returns the script of a plan with these tasks and its summary. */
export const scriptPlan = (...tasks: object[]): ModelScript => ({
  triage: [handoff({ enriched_query: "q" })],
  planner: [plan(...tasks)],
  synthesis: [{ text: "All done." }],
});

/** Runs a plan with these tasks for the message "go". */
export const runPlan = (tasks: object[], agents: Doubles["agents"], options: TurnOptions = {}): Promise<TurnResult> =>
  runTestTurn({ model: scriptPlan(...tasks), agents }, "go", options);

/** Runs one message through the core and returns everything that was sent. */
export async function runTestTurn(
  { model, agents }: Doubles,
  message: string,
  options: TurnOptions = {},
): Promise<TurnResult> {
  const memory = options.memory ?? new Memory();
  const ports: Ports = {
    model: isModel(model) ? model : scriptModel(model),
    agents: isRunner(agents) ? agents : scriptAgents(agents),
    now: () => 1_000,
    mint: options.mint ?? createIdFactory("m"),
    formatMessage: createFormatter(detectLanguage(message)),
    report: () => {},
    schedules: scriptSchedules(memory.schedules, memory.maxSchedules),
    step: options.step ?? memory.createStepRunner(),
    profile: () => Promise.resolve(options.profile ?? {}),
  };
  const end = await runTurn(ports, {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request: { message },
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.getQuestionState(id),
    answers: () => memory.listAnswers(),
    findResultSeq: (id) => findResultSeq(memory.rows.toReversed(), id),
    waitForChange: () => memory.waitForChange(),
    signal: new AbortController().signal,
    taskSignal: () => new AbortController().signal,
    ...options.turn,
  });
  if (end.status !== "paused") memory.publish(...end.closing);
  return { memory, end, events: memory.sent.map((frame) => frame.event) };
}

/** Returns the data of the events with a name. */
export function getEvents<Name extends EventName>(result: { memory: Memory }, name: Name): EventOf<Name>["data"][] {
  return result.memory.sent.filter((frame) => frame.event === name).map((frame) => frame.data as EventOf<Name>["data"]);
}
