// Ends an instance: decides success or failure, runs the verification, and builds the last events of its thread.

import type { Language } from "../../protocol/words/language.ts";
import { must } from "../../protocol/assert.ts";
import type { Verification } from "../../protocol/verification.ts";
import type { PlanContext } from "../../protocol/plan-template.ts";
import type { Draft } from "../ports.ts";
import type { Scene } from "../scene.ts";
import { lastWord } from "../task-events.ts";
import { contextOf, verificationDraft } from "../verify/told.ts";
import { verify } from "../verify/verify.ts";
import type { Pair } from "../verify/words.ts";
import { conditionOf, type CompiledListener } from "./compile.ts";
import { headDraft, headOf, shown, taskDrafts, type Instance } from "./components.ts";
import { listenerIn, taskIn, type Halt, type State } from "./state.ts";
import { factsIn } from "./trouble.ts";
import { languageFor, WORDS } from "./words.ts";

/** The outcome of an instance with its last events, without `done`. */
export type Ended = { readonly status: "completed" | "failed"; readonly closing: readonly Draft[] };

/**
 * Ends an instance that has no further changes. It has failed if its main task is not `Done`, or if the verification
 * (only if `isVerified`) found a task that is not done. Throws the signal's reason if it aborts during verification.
 */
export async function conclude(scene: Scene, instance: Instance, state: State, isVerified: boolean): Promise<Ended> {
  const language = languageFor(scene.request);
  const failure = failureOf(instance, state, language);
  if (failure !== null || !isVerified) return endWith(scene, instance, state, failure);
  const pairs = pairsOf(instance, state);
  const verification = await verify(scene, pairs, subjectOf(instance, state), language);
  scene.signal.throwIfAborted();
  return endWith(scene, instance, state, doubtOf(verification, language), verification);
}

/** Builds the last events of a started instance. `halt` is the reason of a failure; null means success. */
export function endWith(
  { ports, request, threadId }: Pick<Scene, "ports" | "request" | "threadId">,
  instance: Instance,
  state: State,
  halt: Halt | null,
  verification?: Verification,
): Ended {
  const failure = halt === null ? null : { ...halt, content: ports.say(halt.content) };
  const { hold: _, error: __, ...running } = headOf(instance, state);
  const head = {
    ...running,
    ...(failure === null ? ({ status: "done" } as const) : ({ status: "error", error: failure.content } as const)),
    ...(verification === undefined ? {} : { verification }),
    ended_at: Math.max(ports.now(), state.at),
  };
  const closing: Draft[] = [
    headDraft(instance, head),
    ...leftOver(instance, state, ports.say("The plan ended without it.")),
  ];
  if (verification !== undefined) {
    const { mainTaskId } = instance.compiled;
    const main = taskIn(state, mainTaskId);
    const told = { ...main, context: { ...main.context, ...contextOf(verification) } };
    closing.unshift(
      ...taskDrafts(instance, mainTaskId, main, told),
      verificationDraft(threadId, verification, languageFor(request)),
    );
  }
  if (failure === null) return { status: "completed", closing };
  const data = { role: "system", thread_id: threadId, payload: failure } as const;
  return { status: "failed", closing: [...closing, { event: "system_failed", data }] };
}

/** Creates `task_cancelled` for each task without a terminal event. */
export function leftOver(instance: Instance, state: State, reason: string): Draft[] {
  return instance.plan.tasks.flatMap((task) => {
    const id = String(task.metadata["listener_id"]);
    const { status } = listenerIn(state, id);
    const isOver = state.active.has(id) || status === "done" || status === "cancelled" || status === "failed";
    return isOver ? [] : [lastWord(task, { status: "cancelled", error: reason }, [])];
  });
}

/** Returns the reason for the failure of a resting instance; null if its main task is `Done`. */
function failureOf({ compiled }: Instance, state: State, language: Language): Halt | null {
  if (state.halt !== undefined) return state.halt;
  const words = WORDS[language];
  const main = taskIn(state, compiled.mainTaskId);
  const name = must(compiled.tasks.get(compiled.mainTaskId), compiled.mainTaskId).name;
  if (main.status === "Done") return null;
  if (main.status === "Error") {
    const reason = main.status_trace.at(-1)?.reason ?? "";
    return { content: words.ended(name, reason), code: "plan_error" };
  }
  const silent = [...compiled.listeners].flatMap(([id, listener]) => {
    const { status } = listenerIn(state, id);
    if (status === "cancelled") return [words.cancelled(id)];
    return status === "idle" ? [waitingWords(listener, state, language)] : [];
  });
  const told =
    silent.length > MOST_TOLD ? [...silent.slice(0, MOST_TOLD), words.more(silent.length - MOST_TOLD)] : silent;
  return { content: words.stuck(name, main.status, told), code: "plan_not_done" };
}

/** The maximum number of idle listeners that a failure message describes. */
const MOST_TOLD = 10;

/** Describes an idle listener: its conditions and the current status of its trigger tasks. */
function waitingWords({ listener, triggers }: CompiledListener, { tasks }: State, language: Language): string {
  const { listener_id: id, trigger_condition: trigger, action_condition: action } = listener;
  const conditions = [conditionOf(trigger, "Any"), conditionOf(action, "true")].filter((text) => text !== "true");
  const standing = triggers.map((task) => [task, tasks.get(task)?.status ?? "unknown"] as const);
  return WORDS[language].waits(id, conditions.map(shown), standing);
}

/** Returns the agents with the tasks that they set to `Done`, once per pair. */
function pairsOf({ compiled }: Instance, { listeners, tasks }: State): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const [id, { listener }] of compiled.listeners) {
    const { listener_type: type, agent_id: agent, success_output: output } = listener;
    const { task_id, status } = output;
    const task = tasks.get(task_id);
    const isDone = listeners.get(id)?.status === "done" && status === "Done" && task?.status === "Done";
    if (type !== "agent" || agent === undefined || agent === null || !isDone) continue;
    const task_name = compiled.tasks.get(task_id)?.name ?? task_id;
    pairs.set(JSON.stringify([agent, task_id]), {
      agent_name: agent,
      task_id,
      task_name,
      facts: factsIn(task.context),
    });
  }
  return [...pairs.values()];
}

/** Returns the subject of the verification: the values of the main task. */
function subjectOf({ compiled }: Instance, { tasks }: State): PlanContext {
  return factsIn(tasks.get(compiled.mainTaskId)?.context ?? {});
}

/** Returns the failure that a verification causes; null unless a task was explicitly found not done. */
function doubtOf({ checklist, summary }: Verification, language: Language): Halt | null {
  if (!summary.has_explicit_failure) return null;
  const failed = checklist.filter(({ verified }) => verified === false);
  const names = failed.map(({ agent_id, task_id, task_name }) => `${agent_id} (${task_id} ${task_name})`);
  return { content: WORDS[language].unverified(names), code: "verification_failed" };
}
