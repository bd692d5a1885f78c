// Instances whose host crashes, at any point and any number of times.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StepRunner } from "../../../src/core/ports.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { Memory, type Script } from "../../support/scripted-ports.ts";
import {
  getInstance,
  runTestInstance,
  getStatuses,
  createTemplate,
  getView,
  type InstanceScenario,
} from "./instance-fixture.ts";
import { codeListener, listener } from "./instance-fixture.ts";
import { pickByLength } from "../../support/run-length.ts";

const TEMPLATE = createTemplate({
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
    { ...codeListener("H", "006,007", "Done", "009"), code_snippet: "() => ({ sum: 3 })" },
    listener("I", "008,009", "008.status == Error && 009.status == Done", "plain", "010"),
    // Exactly one of K and L fires, depending on whether 002 or 003 is Done first.
    listener("K", "002", "002.status == Done && 003.status != Done", "plain", "011"),
    listener("L", "003", "003.status == Done && 002.status != Done", "plain", "011"),
    // M is held once and resumed.
    listener("M", "001", "Running", "stubborn", "012"),
    codeListener("J", "010,011,012", "Done"),
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

const RUNS = pickByLength(50, 2_000);

const never = new Promise<never>(() => {});

/** A host that crashes after `lifetime` operations. It produces no output after that. */
class Host {
  readonly died: Promise<"died">;
  readonly #die: (value: "died") => void;
  readonly #lifetime: number;
  /** The number of operations so far. */
  operations = 0;

  constructor(lifetime: number) {
    const { promise, resolve } = Promise.withResolvers<"died">();
    this.died = promise;
    this.#die = resolve;
    this.#lifetime = lifetime;
  }

  get isDead(): boolean {
    return this.operations >= this.#lifetime;
  }

  /** Counts one operation. Never returns from the operation that crashes the host. */
  async countOperation<T>(value?: T): Promise<T | undefined> {
    this.operations += 1;
    if (!this.isDead) return value;
    this.#die("died");
    return never;
  }

  /** Adds an operation, a possible crash, before, within and after every step. */
  step(inner: StepRunner): StepRunner {
    return async (spec, work) => {
      await this.countOperation();
      const value = await inner(spec, async (emit, memo) => {
        const save = (saved: unknown): void => (this.isDead ? undefined : memo.save(saved));
        const outcome = await work((...drafts) => (this.isDead ? undefined : emit(...drafts)), { ...memo, save });
        await this.countOperation();
        return outcome;
      });
      await this.countOperation();
      return value;
    };
  }
}

type Call = { readonly message: string; readonly isRepeated: boolean };

/** Returns agents that wait as `pace` says and record their calls. */
function createAgents(host: Host, memory: Memory, pace: () => number, calls: Call[]): Record<string, Script> {
  const recordCall = (request: AgentRequest): void => {
    const { message_id: message, reply } = request;
    const step = `task:${reply === undefined ? message : message.replace(/-(\d+)$/, ":$1")}`;
    calls.push({ message, isRepeated: memory.steps.has(step) });
  };
  const pause = async (): Promise<void> => {
    for (let i = pace(); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    await host.countOperation();
  };
  const withOutput = (then: Script): Script =>
    async function* (request, signal) {
      recordCall(request);
      await pause();
      yield { type: "text", text: "Said " };
      await pause();
      yield* then(request, signal);
    };
  const done: Script = async function* () {
    await pause();
    yield { type: "tool_completed", call_id: "c", tool: "make", result: '{"made":"it"}' };
    yield { type: "text", text: "once." };
    yield { type: "completed" };
  };
  return {
    plain: withOutput(done),
    flaky: withOutput(async function* (request, signal) {
      if (request.message_id.includes("#")) yield* done(request, signal);
      else yield { type: "failed", reason: "Not today." };
    }),
    stubborn: withOutput(async function* (request, signal) {
      if (request.message_id.endsWith("#3")) yield* done(request, signal);
      else yield { type: "failed", reason: "Not unless I am told to." };
    }),
    asking: withOutput(async function* (request, signal) {
      if (request.reply === undefined) yield { type: "input_required", prompt: "May I?", state: "s" };
      else yield* done(request, signal);
    }),
    broken: withOutput(async function* () {
      yield { type: "failed", reason: "It is broken." };
    }),
  };
}

function answerAllQuestions(memory: Memory): void {
  memory.answerAll("Yes.");
}

/** Runs the instance to its end on a sequence of hosts with the given lifetimes. */
async function runThroughCrashes(lifetimes: readonly number[], paces: readonly number[], isAnsweredEarly: boolean) {
  const memory = new Memory();
  const calls: Call[] = [];
  let n = 0;
  const pace = (): number => paces[n++ % paces.length] ?? 0;
  let isCatchingUp = false;
  let deaths = 0;
  let alive = new Host(lifetimes[0] ?? Infinity);
  for (let run = 0; run < lifetimes.length + 9; run++) {
    const host = alive;
    const scenario: InstanceScenario = {
      template: TEMPLATE,
      agents: createAgents(host, memory, pace, calls),
      turn: {
        waitForChange: () => {
          if (isAnsweredEarly && !host.isDead) queueMicrotask(() => answerAllQuestions(memory));
          return memory.waitForChange();
        },
      },
      code: {
        run: async () => {
          await host.countOperation();
          return { kind: "returned", value: { sum: 3 } };
        },
      },
    };
    const step = host.step(memory.createStepRunner({ isCatchingUp }));
    const outcome = await Promise.race([host.died, runTestInstance(scenario, memory, step)]);
    if (outcome === "died") {
      memory.restart();
      isCatchingUp = true;
      alive = new Host(lifetimes[++deaths] ?? Infinity);
      continue;
    }
    if (outcome.end.status !== "paused") return { memory, calls, end: outcome.end, lived: host.operations };
    answerAllQuestions(memory);
    isCatchingUp = false;
  }
  throw new Error("The instance did not end.");
}

function checkResult({ memory, calls, end }: Awaited<ReturnType<typeof runThroughCrashes>>): void {
  expect(end.status).toBe("completed");
  expect(calls.filter(({ isRepeated }) => isRepeated)).toEqual([]);
  const instance = getInstance(memory);
  expect(getStatuses(instance)).toEqual(EXPECTED);
  const agents = instance.listeners.filter(({ listener_type: type }) => type === "agent");
  expect(agents.map(({ listener_id: id, status, attempts }) => [id, status, attempts])).toEqual(
    agents.map(({ listener_id: id, status }) => {
      if (id === "K" || id === "L") return [id, status, status === "done" ? 1 : 0];
      return [id, id === "G" ? "failed" : "done", id === "M" ? 3 : id === "B" ? 2 : 1];
    }),
  );
  expect(agents.filter(({ status }) => status === "idle")).toHaveLength(1);
  // Each agent was called only for attempts that the instance shows: one twice, one three times, and one again with its
  // answer.
  const attemptIds = agents.flatMap(({ task_id: id = "", attempts }) => [id, `${id}#2`, `${id}#3`].slice(0, attempts));
  const [asking = ""] = agents.flatMap(({ agent_id, task_id = "" }) => (agent_id === "asking" ? [task_id] : []));
  expect(new Set(calls.map(({ message }) => message))).toEqual(new Set([...attemptIds, `${asking}-2`]));
  const { plans } = getView(memory);
  expect(plans).toHaveLength(1);
  const results = (plans[0]?.tasks ?? []).map(({ task_id, status, result }) => [task_id, status, result]);
  expect(results).toEqual(
    agents.map(({ task_id, status }) => {
      if (status === "idle") return [task_id, "cancelled", undefined];
      return status === "failed" ? [task_id, "failed", "Said "] : [task_id, "completed", "Said once."];
    }),
  );
  expect(memory.sent.filter(({ event }) => event === "done")).toHaveLength(1);
  expect(memory.readFrames(0).at(-1)?.event).toBe("done");
}

describe("instance whose host crashes", () => {
  test("[T4] runs every listener once without a crash", async () => {
    const uninterrupted = await runThroughCrashes([], [1], false);
    checkResult(uninterrupted);
    expect(uninterrupted.calls).toHaveLength(14);
  });

  test("[T4] repeats nothing and ends the same after one crash at every point", { timeout: 60_000 }, async () => {
    const { lived: operations } = await runThroughCrashes([], [0, 2, 1], true);
    expect(operations).toBeGreaterThan(100);
    for (let lifetime = 1; lifetime <= operations; lifetime++)
      checkResult(await runThroughCrashes([lifetime], [0, 2, 1], lifetime % 2 === 0));
  });

  test(
    "[T4] repeats nothing and ends the same after random crashes with random agent speeds",
    { timeout: 60_000 },
    async () => {
      const lifetimes = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 });
      const paces = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 23 });
      await fc.assert(
        fc.asyncProperty(lifetimes, paces, fc.boolean(), async (drawnLifetimes, pace, isEarly) => {
          checkResult(await runThroughCrashes(drawnLifetimes, pace, isEarly));
        }),
        { numRuns: RUNS },
      );
    },
  );
});
