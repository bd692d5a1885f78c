// Runs one instance of a listener plan from start to end.
//
// `InstanceEngine` owns the state and the running listeners. It loops: start all active listeners, wait for the next
// change (an outcome, a settled question, a hold), journal it as a step `apply:N`, apply it, repeat. `runInstance`
// calls it once per run of the thread; answers to questions resume the thread by running it again from the top.
//
// Invariants:
//   T4. The journal contains everything that decides the next change: the task ids and the bounds in the first steps,
//       each change in its own step, the outcome of a listener in the steps of its task. A run after a crash applies
//       the same changes in the same order and therefore fires the same listeners.
//   T5. No further change is applied after the thread's signal aborts.
//
// On failure, running listeners are awaited and the instance ends with status `error` and `system_failed`.

import { must } from "../../protocol/assert.ts";
import { Budget } from "../budget.ts";
import type { Ports, StepOutcome } from "../ports.ts";
import { askedDraft, expiryWords } from "../questions.ts";
import type { Scene, Turn } from "../scene.ts";
import { isCancelled } from "../stop.ts";
import { SPENT, type TaskEnd, type Waiting } from "../task-end.ts";
import { doneDraft, usageOf, wordsFor, type TurnEnd } from "../turn-end.ts";
import { begin, type Beginning } from "./begin.ts";
import { advance, type Change } from "./advance.ts";
import { placeIn, told, type Instance } from "./components.ts";
import { conclude, endWith, leftOver, type Ended } from "./end.ts";
import { holdQuestion, valuesIn } from "./hold.ts";
import { dismissListener, runListener } from "./leg.ts";
import { heldIn, type State } from "./state.ts";

/**
 * The input of the only thread of an instance's conversation. A held instance resumes by the answer to its question.
 */
export type InstanceTurn = Turn & {
  readonly instance: Beginning & { readonly verify: boolean };
};

/**
 * Runs an instance and returns its end, or `paused` with the open questions. Never rejects: a failure ends the instance
 * with an error. Running it again continues from the journal.
 */
export async function runInstance(ports: Ports, turn: InstanceTurn): Promise<TurnEnd> {
  const startedAt = ports.now();
  const budget = new Budget(turn.limits);
  let engine: Engine | null = null;
  const carriedOut = async (): Promise<Ended | Paused> => {
    const agents = await ports.agents.list();
    const scene: Scene = { ...turn, ports, budget, agents };
    const { instance, state } = await begin(scene, turn.instance);
    engine = new Engine(scene, instance, state);
    await engine.run();
    const request_ids = engine.openQuestions();
    if (request_ids.length > 0) return { status: "paused", request_ids };
    await engine.windDown();
    return conclude(scene, instance, engine.state, turn.instance.verify);
  };
  const ended = await carriedOut().catch((thrown: unknown) => brokenOff(ports, turn, engine, thrown));
  if (ended.status === "paused") return ended;
  const usage = usageOf(budget.spent, countOf(engine), ports.now() - startedAt);
  return { status: ended.status, closing: [...ended.closing, doneDraft(turn, usage)] };
}

/** The outcome of an instance that waits for answers. */
type Paused = Extract<TurnEnd, { status: "paused" }>;

/** The journaled form of a change, without a listener's outcome, which is journaled in the listener's own step. */
type Noted = Exclude<Change, { kind: "came" }> | Omit<Extract<Change, { kind: "came" }>, "outcome">;

/** Drives the state of one instance. See the header for the loop and its invariants. */
class Engine {
  readonly #scene: Scene;
  readonly #instance: Instance;
  /** The running listeners, by listener id. An entry stays until its outcome has been applied. */
  readonly #legs = new Map<string, Promise<TaskEnd | Waiting>>();
  readonly #stopped: Promise<null>;
  #state: State;
  #changes = 0;

  constructor(scene: Scene, instance: Instance, state: State) {
    this.#scene = scene;
    this.#instance = instance;
    this.#state = state;
    const { signal } = scene;
    this.#stopped = new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(null), { once: true });
    });
  }

  get instance(): Instance {
    return this.#instance;
  }

  get state(): State {
    return this.#state;
  }

  /** Applies changes until nothing can change without the person. Rejects if the signal aborts or a step fails. */
  async run(): Promise<void> {
    for (;;) {
      for (const id of this.#state.active) {
        if (this.#legs.has(id)) continue;
        const leg = runListener(this.#scene, this.#instance, this.#state, id);
        leg.catch(() => {});
        this.#legs.set(id, leg);
      }
      if (this.#isAtRest()) break;
      await this.#takeUp();
    }
    this.#scene.signal.throwIfAborted();
  }

  /** Returns the ids of the questions that the resting instance waits for; empty if it is halted or finished. */
  openQuestions(): readonly string[] {
    const { listeners, hold, halt } = this.#state;
    if (halt !== undefined) return [];
    const asked = [...listeners.values()].flatMap(({ status, waiting }) =>
      status === "waiting_input" && waiting !== null ? [waiting.request_id] : [],
    );
    return hold === undefined ? asked : [...asked, hold.request_id];
  }

  /**
   * Waits for the running listeners to settle and cancels all open questions of agents. Returns the ids of the
   * listeners whose task has already published its terminal event. Never rejects.
   */
  async windDown(): Promise<ReadonlySet<string>> {
    const { listeners, active } = this.#state;
    for (const [id, { waiting }] of listeners) if (waiting !== null && !active.has(id)) this.#dismiss(id, waiting);
    const over = new Set<string>();
    for (const [id, leg] of this.#legs) {
      const outcome = await leg.catch(() => null);
      if (outcome?.status === "waiting") this.#dismiss(id, outcome);
      else if (outcome !== null && isLast(outcome, this.#instance, id)) over.add(id);
    }
    return over;
  }

  /** Cancels the question of a listener's agent without waiting for the agent. */
  #dismiss(id: string, waiting: Waiting): void {
    void dismissListener(this.#scene, this.#instance, id, waiting);
  }

  /** True if nothing runs and no change can be detected before the person acts. */
  #isAtRest(): boolean {
    const { active, halt, hold, queue } = this.#state;
    if (active.size > 0) return false;
    if (halt !== undefined) return true;
    const isOpen = (id: string): boolean => this.#scene.standing(id).state === "open";
    const isToHold = queue.length > 0 || (hold === undefined && heldIn(this.#state).length > 0);
    return !isToHold && this.openQuestions().every(isOpen);
  }

  /** Applies one change: the journaled one if it exists, otherwise the next one that is detected. */
  async #takeUp(): Promise<void> {
    this.#changes += 1;
    const { task_id: scope, agent_name: agentName } = placeIn(this.#scene.threadId);
    const spec = { name: `apply:${this.#changes}`, scope, agentName, isAtomic: true } as const;
    let fresh: State | null = null;
    const noted = await this.#scene.ports.step<Noted>(spec, async (): Promise<StepOutcome<Noted>> => {
      const value = await this.#next();
      const after = await this.#after(value);
      this.#scene.signal.throwIfAborted();
      fresh = after;
      const closing = told(this.#instance, this.#state, after);
      const isAsked = value.kind === "held" && this.#state.hold === undefined;
      if (!isAsked) return { value, closing };
      const asks = holdQuestion(this.#scene, must(after.hold, "the hold"));
      return { value, closing: [...closing, askedDraft(asks)], asks };
    });
    this.#state = fresh ?? (await this.#after(noted));
    if (noted.kind === "came") this.#legs.delete(noted.listener_id);
  }

  /** Returns the state after a journaled change, with the outcome of its listener filled in. */
  async #after(noted: Noted): Promise<State> {
    const { compiled, bounds } = this.#instance;
    if (noted.kind !== "came") return advance(compiled, bounds, this.#state, noted);
    const outcome = await must(this.#legs.get(noted.listener_id), noted.listener_id);
    return advance(compiled, bounds, this.#state, { ...noted, outcome });
  }

  /** Waits for the next change. Rejects if the signal aborts first. */
  async #next(): Promise<Noted> {
    const { ports, signal } = this.#scene;
    for (;;) {
      signal.throwIfAborted();
      const settled = this.#scene.settled();
      const closed = this.#closedQuestion();
      if (closed !== null) return closed;
      if (this.#legs.size === 0) {
        return { kind: "held", at: ports.now(), request_id: this.#state.hold?.request_id ?? ports.mint("req") };
      }
      const legs = [...this.#legs].map(([id, leg]) => leg.then(() => id));
      const listener_id = await Promise.race([this.#stopped, ...legs, settled.then(() => null)]);
      if (listener_id !== null) return { kind: "came", at: ports.now(), listener_id };
    }
  }

  /** Returns the change that a no longer open question causes; null if all questions are open. */
  #closedQuestion(): Noted | null {
    const { listeners, hold, halt } = this.#state;
    const at = this.#scene.ports.now();
    if (halt !== undefined) return null;
    for (const [listener_id, { status, waiting }] of listeners) {
      if (status !== "waiting_input" || waiting === null) continue;
      if (this.#scene.standing(waiting.request_id).state !== "open") return { kind: "settled", at, listener_id };
    }
    if (hold === undefined) return null;
    const standing = this.#scene.standing(hold.request_id);
    switch (standing.state) {
      case "open":
        return null;
      case "answered":
        return { kind: "resumed", at, values: valuesIn(standing, hold) };
      case "expired": {
        const content = expiryWords(this.#scene.ports.say(hold.message));
        return { kind: "given_up", at, content, code: "question_expired" };
      }
      case "cancelled":
        return { kind: "given_up", at, content: "The question was withdrawn.", code: "question_cancelled" };
    }
  }
}

/** True if a task has published its terminal event, that is, if it is not retried. */
function isLast(outcome: TaskEnd, { compiled }: Instance, id: string): boolean {
  const isRetried = (compiled.listeners.get(id)?.listener.failure_output ?? null) === null;
  return outcome.status !== "failed" || outcome.code === SPENT || !isRetried;
}

/** Builds the end of an instance that was interrupted by an error. A cancellation is not a failure (T5). */
async function brokenOff(ports: Ports, turn: InstanceTurn, engine: Engine | null, thrown: unknown): Promise<Ended> {
  const { content, code } = wordsFor(ports, turn.signal, thrown);
  const over = await engine?.windDown();
  if (engine === null) {
    if (isCancelled(turn.signal)) return { status: "completed", closing: [] };
    const data = { role: "system", thread_id: turn.threadId, payload: { content, code } } as const;
    return { status: "failed", closing: [{ event: "system_failed", data }] };
  }
  const state = { ...engine.state, active: over ?? new Set<string>() };
  if (isCancelled(turn.signal)) return { status: "completed", closing: leftOver(engine.instance, state, content) };
  return endWith({ ...turn, ports }, engine.instance, state, { content, code });
}

/** Returns the number of listeners that have started at least once, for the usage. */
function countOf(engine: Engine | null): number {
  return [...(engine?.state.listeners.values() ?? [])].filter(({ attempts }) => attempts > 0).length;
}
