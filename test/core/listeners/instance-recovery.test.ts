// Instances whose host dies, at any point and as often as it takes.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StepRunner } from "../../../src/core/ports.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { Memory, type Script } from "../../support/scripted.ts";
import { instanceIn, playInstance, statuses, templateOf, viewOf, type World } from "./playing.ts";
import { closing, listener, tasks } from "./playing.ts";

const TEMPLATE = templateOf({
  name: "Everything at once",
  tasks: tasks("001", "002", "003", "004", "005", "006", "007", "008", "009", "010", "011", "012"),
  max_retries: 1,
  listeners: [
    listener("A", "001", "Running", "plain", "002", {
      success_output: { task_id: "002", status: "Done", context: { from: "{{result.made}}" } },
    }),
    listener("B", "001", "Running", "flaky", "003"),
    listener("C", "001", "Running", "asking", "004"),
    listener("D", "001", "Running", "plain", "005"),
    listener("E", "002,003", "002.status == Done && 003.status == Done", "plain", "006", {
      action_prompt: "go on from {002.context.from}",
    }),
    listener("F", "004,005", "Done", "plain", "007"),
    listener("G", "005", "Done", "broken", "008", { failure_output: { task_id: "008", status: "Error" } }),
    { ...closing("H", "006,007", "Done", "009"), code_snippet: "() => ({ sum: 3 })" },
    listener("I", "008,009", "008.status == Error && 009.status == Done", "plain", "010"),
    // One of them fires, as 002 or 003 was Done first.
    listener("K", "002", "002.status == Done && 003.status != Done", "plain", "011"),
    listener("L", "003", "003.status == Done && 002.status != Done", "plain", "011"),
    // It is held once, and resumed.
    listener("M", "001", "Running", "stubborn", "012"),
    closing("J", "010,011,012", "Done"),
  ],
});

const EXPECTED = {
  "001": "Done",
  "002": "Done",
  "003": "Done",
  "004": "Done",
  "005": "Done",
  "006": "Done",
  "007": "Done",
  "008": "Error",
  "009": "Done",
  "010": "Done",
  "011": "Done",
  "012": "Done",
};

const RUNS = Number(process.env["CRASH_ROUNDS"] ?? 100);

const never = new Promise<never>(() => {});

/** A host that dies after so many things have happened in it. Nothing of it is heard of after that. */
class Host {
  readonly died: Promise<"died">;
  readonly #die: (word: "died") => void;
  readonly #life: number;
  /** How many things have happened. */
  lived = 0;

  constructor(life: number) {
    const { promise, resolve } = Promise.withResolvers<"died">();
    this.died = promise;
    this.#die = resolve;
    this.#life = life;
  }

  get isDead(): boolean {
    return this.lived >= this.#life;
  }

  /** One more thing happens. Never comes back from the one that is too many. */
  async live<T>(value?: T): Promise<T | undefined> {
    this.lived += 1;
    if (!this.isDead) return value;
    this.#die("died");
    return never;
  }

  /** Before, within and after every step there is a moment to die. */
  step(inner: StepRunner): StepRunner {
    return async (spec, work) => {
      await this.live();
      const value = await inner(spec, async (emit, memo) => {
        const save = (kept: unknown): void => (this.isDead ? undefined : memo.save(kept));
        const outcome = await work((...drafts) => (this.isDead ? undefined : emit(...drafts)), { ...memo, save });
        await this.live();
        return outcome;
      });
      await this.live();
      return value;
    };
  }
}

type Call = { readonly message: string; readonly isRepeated: boolean };

/** Agents that take their time, as the numbers say, and note who calls them. */
function agentsOn(host: Host, memory: Memory, pace: () => number, calls: Call[]): Record<string, Script> {
  const called = (request: AgentRequest): void => {
    const { message_id: message, reply } = request;
    const step = `task:${reply === undefined ? message : message.replace(/-(\d+)$/, ":$1")}`;
    calls.push({ message, isRepeated: memory.steps.has(step) });
  };
  const rest = async (): Promise<void> => {
    for (let i = pace(); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    await host.live();
  };
  const acting = (then: Script): Script =>
    async function* (request, signal) {
      called(request);
      await rest();
      yield { type: "text", text: "Said " };
      await rest();
      yield* then(request, signal);
    };
  const done: Script = async function* () {
    await rest();
    yield { type: "tool_completed", call_id: "c", tool: "make", result: '{"made":"it"}' };
    yield { type: "text", text: "once." };
    yield { type: "completed" };
  };
  return {
    plain: acting(done),
    flaky: acting(async function* (request, signal) {
      if (request.message_id.includes("#")) yield* done(request, signal);
      else yield { type: "failed", reason: "Not today." };
    }),
    stubborn: acting(async function* (request, signal) {
      if (request.message_id.endsWith("#3")) yield* done(request, signal);
      else yield { type: "failed", reason: "Not unless I am told to." };
    }),
    asking: acting(async function* (request, signal) {
      if (request.reply === undefined) yield { type: "input_required", prompt: "May I?", state: "s" };
      else yield* done(request, signal);
    }),
    broken: acting(async function* () {
      yield { type: "failed", reason: "It is broken." };
    }),
  };
}

function answerAll(memory: Memory): void {
  for (const { request_id } of memory.open()) {
    memory.settle(request_id, { state: "answered", answer: { message: "Yes." } });
  }
}

/** Runs the plan to its end on one host after another, each of which lives as long as it is given. */
async function survive(lives: readonly number[], paces: readonly number[], isAnsweredEarly: boolean) {
  const memory = new Memory();
  const calls: Call[] = [];
  let n = 0;
  const pace = (): number => paces[n++ % paces.length] ?? 0;
  let isCatchingUp = false;
  let deaths = 0;
  let alive = new Host(lives[0] ?? Infinity);
  for (let run = 0; run < lives.length + 9; run++) {
    const host = alive;
    const world: World = {
      template: TEMPLATE,
      agents: agentsOn(host, memory, pace, calls),
      turn: {
        waitForChange: () => {
          if (isAnsweredEarly && !host.isDead) queueMicrotask(() => answerAll(memory));
          return memory.settled();
        },
      },
      code: {
        run: async () => {
          await host.live();
          return { kind: "returned", value: { sum: 3 } };
        },
      },
    };
    const step = host.step(memory.step({ isCatchingUp }));
    const outcome = await Promise.race([host.died, playInstance(world, memory, step)]);
    if (outcome === "died") {
      memory.restart();
      isCatchingUp = true;
      alive = new Host(lives[++deaths] ?? Infinity);
      continue;
    }
    if (outcome.end.status !== "paused") return { memory, calls, end: outcome.end, lived: host.lived };
    answerAll(memory);
    isCatchingUp = false;
  }
  throw new Error("It never came to its end");
}

function check({ memory, calls, end }: Awaited<ReturnType<typeof survive>>): void {
  expect(end.status).toBe("completed");
  expect(calls.filter(({ isRepeated }) => isRepeated)).toEqual([]);
  const instance = instanceIn(memory);
  expect(statuses(instance)).toEqual(EXPECTED);
  const agents = instance.listeners.filter(({ listener_type: type }) => type === "agent");
  expect(agents.map(({ listener_id: id, status, attempts }) => [id, status, attempts])).toEqual(
    agents.map(({ listener_id: id, status }) => {
      if (id === "K" || id === "L") return [id, status, status === "done" ? 1 : 0];
      return [id, id === "G" ? "failed" : "done", id === "M" ? 3 : id === "B" ? 2 : 1];
    }),
  );
  expect(agents.filter(({ status }) => status === "idle")).toHaveLength(1);
  // Nobody was asked but for what the instance tells of; one is tried twice, one thrice, and one goes on from its answer.
  const tried = agents.flatMap(({ task_id: id = "", attempts }) => [id, `${id}#2`, `${id}#3`].slice(0, attempts));
  const [asking = ""] = agents.flatMap(({ agent_id, task_id = "" }) => (agent_id === "asking" ? [task_id] : []));
  expect(new Set(calls.map(({ message }) => message))).toEqual(new Set([...tried, `${asking}-2`]));
  const { plans } = viewOf(memory);
  expect(plans).toHaveLength(1);
  const results = (plans[0]?.tasks ?? []).map(({ task_id, status, result }) => [task_id, status, result]);
  expect(results).toEqual(
    agents.map(({ task_id, status }) => {
      if (status === "idle") return [task_id, "cancelled", undefined];
      return status === "failed" ? [task_id, "failed", "Said "] : [task_id, "completed", "Said once."];
    }),
  );
  expect(memory.sent.filter(({ event }) => event === "done")).toHaveLength(1);
  expect(memory.framesAfter(0).at(-1)?.event).toBe("done");
}

describe("an instance whose host dies", () => {
  test("[T4] undisturbed, every listener runs once", async () => {
    const calm = await survive([], [1], false);
    check(calm);
    expect(calm.calls).toHaveLength(14);
  });

  test(
    "[T4] at every point once: nothing that has finished is repeated, and it comes to the same",
    { timeout: 60_000 },
    async () => {
      const { lived } = await survive([], [0, 2, 1], true);
      expect(lived).toBeGreaterThan(100);
      for (let life = 1; life <= lived; life++) check(await survive([life], [0, 2, 1], life % 2 === 0));
    },
  );

  test("[T4] again and again, whoever finishes first each time", { timeout: 60_000 }, async () => {
    const lives = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 });
    const paces = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 23 });
    await fc.assert(
      fc.asyncProperty(lives, paces, fc.boolean(), async (given, pace, isEarly) => {
        check(await survive(given, pace, isEarly));
      }),
      { numRuns: RUNS },
    );
  });
});
