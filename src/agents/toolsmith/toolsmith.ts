// The toolsmith. It splits a request into sub-tasks, carries out each with a saved or new tool, and writes the
// answer.
//
// Sub-tasks run one at a time, in their order. A checkpoint precedes every sub-task and every further stage, so that
// a crash normally repeats one stage. A failed sub-task does not stop the others (X19); only if all have failed and
// one of them threw, the run fails with its error. New code may need approval: then the run ends with a question
// whose state holds everything, and continues after the answer.

import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import type { Answer } from "../../protocol/question.ts";
import type { AgentDefinition, RunContext, Said } from "../kit/agent.ts";
import { stateOf, type Question } from "../kit/ask.ts";
import { failureOf } from "../kit/failure.ts";
import { Keeper } from "../kit/keeper.ts";
import { Allowance, type Limits } from "../kit/limits.ts";
import { openingOf } from "../kit/prompt.ts";
import { questionFor, ruleOn } from "./approval.ts";
import { isMeant, reasonOf, type Bench } from "./bench.ts";
import { card } from "./card.ts";
import type { Subtask } from "./contract.ts";
import { inLanguageOf, REFUSED } from "./phrases.ts";
import { progress } from "./progress.ts";
import { INSTRUCTIONS, type Situation } from "./prompts.ts";
import { split } from "./split.ts";
import { stateSchema, type Done, type Standing, type State } from "./state.ts";
import { advance, AT_FIRST, failedBecause } from "./subtask.ts";
import { word } from "./wording.ts";

const LIMITS: Limits = { modelCalls: 45, toolCalls: 0, tokens: 200_000, seconds: 240, resultChars: 0 };

/** The dependencies of a run besides the model. */
export type Surroundings = Pick<Bench, "sandbox" | "registry">;

/** Creates the agent. `createPorts` provides the sandbox and the tools of the user who asks. */
export function toolsmith(around: (request: AgentRequest, context: RunContext) => Surroundings): AgentDefinition {
  return {
    card,
    async *run(request, context) {
      const clock = AbortSignal.timeout(LIMITS.seconds * 1000);
      const signal = AbortSignal.any([context.signal, clock]);
      try {
        yield* work({ request, context, signal, ...around(request, context) });
      } catch (thrown) {
        yield failureOf(thrown, clock, LIMITS);
      }
    },
  };
}

type Order = Surroundings & {
  readonly request: AgentRequest;
  readonly context: RunContext;
  readonly signal: AbortSignal;
};

async function* work(order: Order): AsyncGenerator<Said> {
  const { request } = order;
  const kept = request.reply ?? request.checkpoint;
  let state = kept === undefined ? null : stateOf(request, stateSchema);
  const bench = benchFor(order, new Allowance(LIMITS, state?.used));
  if (state === null) {
    const tasks = yield* split(bench);
    if (tasks === null) return;
    state = { tasks, done: [], standing: AT_FIRST, used: bench.used.used };
  } else if (request.reply !== undefined) {
    const ruled = afterAnswer(request, state, request.reply.answer);
    if (ruled.kind === "asks") return void (yield asking(state, ruled.question));
    ({ state } = ruled);
  }
  const keeper = new Keeper(request.checkpoint);
  let trouble: unknown;
  for (let subtask = next(state); subtask !== undefined; subtask = next(state)) {
    yield* keeper.keep(state);
    yield progress(request.task_id, state.tasks, state.done);
    const end: Carried = yield* carryOut(bench, keeper, state, subtask);
    if (end.kind === "asks") return void (yield asking(end.state, end.question));
    trouble ??= end.trouble;
    state = { ...withDone(state, end.done), used: bench.used.used };
  }
  yield* keeper.keep(state);
  yield progress(request.task_id, state.tasks, state.done);
  if (trouble !== undefined && state.done.every(({ status }) => status === "failed")) throw trouble;
  yield* word(bench, state.done);
}

/** The end of a sub-task, or the question that interrupts it. */
type Carried =
  | { readonly kind: "done"; readonly done: Done; readonly trouble?: unknown }
  | { readonly kind: "asks"; readonly state: State; readonly question: Question };

/** Runs one sub-task to its end. Errors of the model and the sandbox fail only this sub-task (X19). */
async function* carryOut(bench: Bench, keeper: Keeper, before: State, subtask: Subtask): AsyncGenerator<Said, Carried> {
  const situation = situationOf(bench.request, before.done, subtask);
  let standing: Standing = before.standing;
  try {
    for (;;) {
      const step = yield* advance(bench, situation, standing);
      if (step.kind === "done") return step;
      const state = { ...before, standing, used: bench.used.used };
      if (step.kind === "asks") return { kind: "asks", state, question: questionFor(step.candidate) };
      ({ standing } = step);
      yield* keeper.keep({ ...state, standing });
    }
  } catch (thrown) {
    bench.signal.throwIfAborted();
    if (!isMeant(thrown)) console.error("A sub-task broke off", thrown);
    return { kind: "done", done: failedBecause(subtask, reasonOf(thrown)), trouble: thrown };
  }
}

/** The state after an answer, or the question again. */
type Ruled = { readonly kind: "on"; readonly state: State } | { readonly kind: "asks"; readonly question: Question };

/** Applies the person's answer to the code that waits. Throws a `Fault` (`conflict`) if no code waits. */
function afterAnswer(request: AgentRequest, state: State, answer: Answer): Ruled {
  const { at } = state.standing;
  const subtask = next(state);
  if (at.stage !== "try" || subtask === undefined) throw new Fault("conflict", "No code waits for an answer here.");
  const ruling = ruleOn(at.candidate, answer);
  switch (ruling.kind) {
    case "ask":
      return { kind: "asks", question: ruling.question };
    case "run":
      return {
        kind: "on",
        state: { ...state, standing: { ...state.standing, at: { stage: "try", candidate: ruling.candidate } } },
      };
    case "refused":
      return { kind: "on", state: withDone(state, failedBecause(subtask, inLanguageOf(request, REFUSED))) };
  }
}

function asking(state: State, question: Question): Said {
  return { type: "input_required", ...question, state: JSON.stringify(state) };
}

/** Returns the first sub-task that is not done; undefined at the end. */
function next({ tasks, done }: State): Subtask | undefined {
  return tasks[done.length];
}

function withDone(state: State, done: Done): State {
  return { ...state, done: [...state.done, done], standing: AT_FIRST };
}

function situationOf({ query, metadata }: AgentRequest, done: readonly Done[], subtask: Subtask): Situation {
  const earlier = (metadata.dependencies ?? []).map(({ title, result }) => ({ title, result }));
  const own = done.flatMap((one) =>
    one.status === "completed" ? [{ title: one.description, result: one.result }] : [],
  );
  return { query, subtask, found: [...earlier, ...own] };
}

function benchFor({ context, ...order }: Order, used: Allowance): Bench {
  const [system] = openingOf(INSTRUCTIONS, order.request);
  const { model, settings } = context;
  return {
    ...order,
    role: `agent:${card.name}`,
    model,
    used,
    system,
    needsApproval: settings.TOOLSMITH_NEEDS_APPROVAL,
  };
}
