// A released plan template as an agent. It extracts the inputs from the request, starts an instance, follows it,
// passes its questions to the person and summarizes the result.
//
// The state of a run is stored with its questions and checkpoints: values being asked, instance being followed, or
// question passed on. Commands to the runtime have ids made from the message, so a repeated run starts no second
// instance. A cancelled task cancels its instance; a task whose reader only disconnected does not. Failures end the
// run with a `failed` event.

import { inputsOf } from "../../core/listeners/rules.ts";
import { cardOf } from "../../directory/plan-templates.ts";
import type { AgentReply } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import type { PlanInstance } from "../../protocol/plan-instance.ts";
import type { PlanContext } from "../../protocol/plan-template.ts";
import { valueOf } from "../../protocol/result.ts";
import { within } from "../../protocol/within.ts";
import type { AgentDefinition, Said } from "../kit/agent.ts";
import { ask, stateOf } from "../kit/ask.ts";
import { failureOf } from "../kit/failure.ts";
import { DEFAULT_LIMITS } from "../kit/limits.ts";
import { follow, kept, type Rest } from "./follow.ts";
import { commandFor, officeFor, type Office, type Owner } from "./office.ts";
import { patiently } from "./patience.ts";
import { AGAIN, CHECKED, endOf, isAgain, isStop, STATUS, STOP, WORDS } from "./phrases.ts";
import { stateSchema, type Place, type State } from "./state.ts";
import { knownOf, valuesIn } from "./values.ts";

/**
 * Creates the agent of a template. `waitUntil` keeps the Worker alive for the cleanup after the reader disconnected.
 */
export function planAgent(owner: Owner, waitUntil: (work: Promise<unknown>) => void): AgentDefinition {
  return {
    card: cardOf(owner.template),
    async *run(request, context) {
      const office = officeFor(owner, request, context);
      const running: Running = { place: null };
      const over = Promise.withResolvers<void>();
      waitUntil(over.promise);
      try {
        yield* work(office, running);
      } catch (thrown) {
        context.signal.throwIfAborted();
        yield failureOf(thrown, new AbortController().signal, DEFAULT_LIMITS);
      } finally {
        if (context.signal.aborted && running.place !== null) await abandon(office, running.place);
        over.resolve();
      }
    },
    async dismiss(request) {
      const state = stateOf(request, stateSchema);
      if (state.at === "question") await abandon({ ...owner, request }, state.place);
    },
  };
}

/** The instance that is being followed; null until it has started. */
type Running = { place: Place | null };

async function* work(office: Office, running: Running): AsyncGenerator<Said> {
  const { request } = office;
  const isBegun = request.reply !== undefined || request.checkpoint !== undefined;
  const state = isBegun ? stateOf(request, stateSchema) : null;
  const place = yield* placeFor(office, state);
  if (place === null) return;
  running.place = place;
  yield kept(place);
  yield* conclude(office, yield* follow(office, place));
}

/**
 * Returns the position of the running instance and starts it if needed. Returns null after a question or a final
 * event.
 */
async function* placeFor(office: Office, state: State | null): AsyncGenerator<Said, Place | null> {
  const { request } = office;
  switch (state?.at) {
    case undefined:
      return yield* begin(office, knownOf(office, inputsOf(office.template)), null);
    case "values":
      return yield* begin(office, state.context, request.reply?.answer.message ?? null);
    case "instance":
      return state.place;
    case "question":
      return request.reply === undefined ? state.place : yield* passOn(office, state, request.reply);
  }
}

/** Extracts the inputs and starts the instance. Asks for missing inputs and returns null in that case. */
async function* begin(office: Office, known: PlanContext, answer: string | null): AsyncGenerator<Said, Place | null> {
  const { api, userId, template, request, language } = office;
  const lacking = inputsOf(template).filter((name) => !(name in known));
  const context = { ...known, ...(yield* valuesIn(office, lacking, answer)) };
  const missing = lacking.filter((name) => !(name in context));
  if (missing.length > 0) {
    const state: State = { at: "values", context, missing };
    yield ask(WORDS[language].ask(template.name, missing), { state });
    return null;
  }
  const { timezone } = request.metadata;
  const start = { context, language, ...(timezone === undefined ? {} : { timezone }) };
  const command = commandFor(office, "start");
  const started = await patiently(office, () => api.startPlanInstance(userId, template.plan_id, start, command));
  const { plan_instance_id, conversation_id, thread_id } = valueOf(started);
  return { plan_instance_id, conversation_id, thread_id, after: 0 };
}

/** Sends the person's reply to the instance that asked. Returns its position, or null if the person stopped it. */
async function* passOn(
  office: Office,
  { place, request_id, held, missing }: Extract<State, { at: "question" }>,
  { answer }: AgentReply,
): AsyncGenerator<Said, Place | null> {
  const { api, userId, language } = office;
  const { plan_instance_id, conversation_id } = place;
  const command = commandFor(office, "resume");
  const { message, arguments: edited } = answer;
  if (held && isStop(message)) {
    allowed(await api.cancelPlanInstance(userId, plan_instance_id));
    yield { type: "failed", reason: WORDS[language].stopped, code: "plan_cancelled" };
    return null;
  }
  if (held) {
    const context = isAgain(message) ? {} : yield* lackingValues(office, missing, message);
    allowed(await patiently(office, () => api.resumePlanInstance(userId, plan_instance_id, { context }, command)));
    return place;
  }
  const reply = { message, request_id, ...(edited === undefined ? {} : { arguments: edited }) };
  allowed(await patiently(office, () => api.resume(userId, conversation_id, reply, command)));
  return place;
}

/**
 * Throws the failure of a result, except conflicts: someone may have answered in the conversation of the instance,
 * which then continues anyway.
 */
function allowed(
  result: { readonly ok: true } | { readonly ok: false; readonly failure: { readonly code: string } },
): void {
  if (result.ok || /^(conflict|question_)/.test(result.failure.code)) return;
  valueOf(result as Parameters<typeof valueOf>[0]);
}

async function* lackingValues(
  office: Office,
  missing: readonly { readonly task_id: string; readonly name: string }[],
  message: string,
): AsyncGenerator<Said, Record<string, PlanContext>> {
  const names = [...new Set(missing.map(({ name }) => name))];
  const values = yield* valuesIn(office, names, message);
  const context: Record<string, PlanContext> = {};
  for (const { task_id, name } of missing) {
    const value = values[name];
    if (value !== undefined) context[task_id] = { ...context[task_id], [name]: value };
  }
  return context;
}

/** Creates the final events of a run: a question that is passed on, or the end of the instance. */
function* conclude({ language, template }: Office, rest: Rest): Generator<Said> {
  switch (rest.kind) {
    case "late":
      yield { type: "text", text: WORDS[language].goesOn(template.name) };
      return;
    case "asks": {
      const { pending, instance, place } = rest;
      const { prompt, request_id, options, approval } = pending;
      const held = instance.hold?.request_id === request_id;
      const missing = held ? (instance.hold?.missing ?? []) : [];
      const state: State = { at: "question", place, request_id, held, missing };
      const own = held && missing.length === 0 ? [AGAIN[language], STOP[language]] : options;
      const said = { prompt, state: JSON.stringify(state), ...(own === undefined ? {} : { options: own }) };
      yield { type: "input_required", ...said, ...(approval === undefined ? {} : { approval }) };
      return;
    }
    case "ended": {
      const { instance } = rest;
      const words = summaryOf(instance, language);
      if (instance.status === "done") return void (yield { type: "text", text: words });
      const reason = instance.error === undefined ? words : `${words}\n${instance.error}`;
      yield { type: "failed", reason, code: instance.status === "cancelled" ? "plan_cancelled" : "plan_failed" };
    }
  }
}

/** Formats the end of the instance: its outcome, its tasks and the verification. */
function summaryOf(
  { name, status, tasks, main_task_id, verification }: PlanInstance,
  language: Office["language"],
): string {
  const done = tasks
    .filter((task) => task.task_id !== main_task_id && task.status !== "NotStarted")
    .map((task) => `- ${task.name}: ${STATUS[task.status][language]}`);
  const checked = (verification?.checklist ?? []).map(
    (entry) => `- ${entry.task_name} (${entry.agent_id}): ${CHECKED[entry.status][language]}`,
  );
  const lines = checked.length === 0 ? [] : ["", WORDS[language].checklist, ...checked];
  return [endOf(status, name, language), ...done, ...lines].join("\n");
}

/** Number of checks for the cancellation of the task: it becomes visible a moment after the signal aborts. */
const LOOKS = 5;
const LOOK_MS = 400;
/** Maximum time of one check. */
const MOST_LOOK_MS = 5_000;

/**
 * Cancels the instance if the task was cancelled. If the reader disconnected or the question expired, the instance
 * continues. Never rejects.
 */
async function abandon(left: Left, place: Place): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    if (await within(MOST_LOOK_MS, isStopped(left, place)).catch(unknown)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function unknown(thrown: unknown): false {
  console.error("An instance that was left behind could not be stopped yet", thrown);
  return false;
}

type Left = Owner & Pick<Office, "request">;

/** Returns true once the task is cancelled and its instance has been cancelled too. */
async function isStopped({ api, userId, request }: Left, { plan_instance_id }: Place): Promise<boolean> {
  const task = await api.task(userId, request.task_id);
  const isCancelled = task.ok && task.value.status === "cancelled";
  return isCancelled && (await api.cancelPlanInstance(userId, plan_instance_id)).ok;
}

/** Returns the runtime's API. Throws a `Fault` (`unavailable`) if this deployment has no binding `ORRERY`. */
export function apiIn(env: Readonly<Record<string, unknown>>): Owner["api"] {
  const api = env["ORRERY"];
  if (api === undefined) throw new Fault("unavailable", "Plans cannot run here: the binding ORRERY is not configured.");
  return api as Owner["api"];
}
