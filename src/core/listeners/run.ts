// One instance of a listener plan, start to finish: the loop that turns what comes of listeners into changes.
//
// Invariants:
//   T4. Everything that decides what happens next is in the journal: the ids of the tasks and how much may happen in its
//       first steps, every change in a step of its own, what came of a listener in the steps of its task. A run after a
//       crash takes up the same changes in the same order, and so fires the same listeners.
//   T5. Nothing is taken up any more once the thread has to stop.

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

/** The thread of an instance's own conversation. Resuming it is the answer to the question by which it is held. */
export type InstanceTurn = Turn & {
  readonly instance: Beginning & { readonly verify: boolean };
};

/** Never rejects, as `runTurn`. */
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

type Paused = Extract<TurnEnd, { status: "paused" }>;

/** A change as the journal has it: what came of a listener stands in that listener's own step. */
type Noted = Exclude<Change, { kind: "came" }> | Omit<Extract<Change, { kind: "came" }>, "outcome">;

class Engine {
  readonly #scene: Scene;
  readonly #instance: Instance;
  /** What runs. */
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

  /** Goes on until nothing moves any more without the person. */
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

  /** The questions that the instance waits for, once it is at rest. */
  openQuestions(): readonly string[] {
    const { listeners, hold, halt } = this.#state;
    if (halt !== undefined) return [];
    const asked = [...listeners.values()].flatMap(({ status, waiting }) =>
      status === "waiting_input" && waiting !== null ? [waiting.request_id] : [],
    );
    return hold === undefined ? asked : [...asked, hold.request_id];
  }

  /** Waits for what still runs, and says which of it has had its last word. Agents that ask hear that nobody answers. */
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

  #dismiss(id: string, waiting: Waiting): void {
    void dismissListener(this.#scene, this.#instance, id, waiting);
  }

  #isAtRest(): boolean {
    const { active, halt, hold, queue } = this.#state;
    if (active.size > 0) return false;
    if (halt !== undefined) return true;
    const isOpen = (id: string): boolean => this.#scene.standing(id).state === "open";
    const isToHold = queue.length > 0 || (hold === undefined && heldIn(this.#state).length > 0);
    return !isToHold && this.openQuestions().every(isOpen);
  }

  /** One change, out of the journal or out of what happens next. */
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

  async #after(noted: Noted): Promise<State> {
    const { compiled, bounds } = this.#instance;
    if (noted.kind !== "came") return advance(compiled, bounds, this.#state, noted);
    const outcome = await must(this.#legs.get(noted.listener_id), noted.listener_id);
    return advance(compiled, bounds, this.#state, { ...noted, outcome });
  }

  /** What happens next. Rejects when the thread has to stop before anything does. */
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

  /** A question that does not stand open any more. */
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

/** Whether a task has had its last event: not when it is to be tried again. */
function isLast(outcome: TaskEnd, { compiled }: Instance, id: string): boolean {
  const isRetried = (compiled.listeners.get(id)?.listener.failure_output ?? null) === null;
  return outcome.status !== "failed" || outcome.code === SPENT || !isRetried;
}

/** The end of an instance that could not be carried on. A cancellation is no failure: the person knows (T5). */
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

function countOf(engine: Engine | null): number {
  return [...(engine?.state.listeners.values() ?? [])].filter(({ attempts }) => attempts > 0).length;
}
