// Conducts one workflow instance from start to end: a client starts it, resumes it whenever it is held, approves calls,
// or cancels it. The client repeats requests that were not answered because the host was killed.

import { setTimeout as sleep } from "node:timers/promises";
import {
  instanceHoldSchema,
  workflowInstanceDetailsSchema,
  startedInstanceSchema,
  type WorkflowInstanceDetails,
} from "../../src/protocol/workflows/workflow-instance.ts";
import { MAX_BACKOFF_MS } from "../../src/durable/conversation/threads/interruptions.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { createApiUser } from "../../test/support/api-user.ts";
import { randomBetween } from "../../test/support/random.ts";
import type { Breach } from "../breach.ts";
import { newReader, type Reader, type Seen } from "../reader.ts";
import type { Ordeal } from "./plans.ts";

/** A host that is killed repeatedly, as its clients see it. */
export type Site = {
  readonly url: string;
  readonly random: () => number;
  readonly kills: () => number;
  /** Suspends the kills until the returned function is called. */
  readonly suspendKills: () => () => void;
  /** Rejects when the run is over. */
  readonly abandoned: Promise<never>;
  /** For each instance in progress, a function that returns the number of kills before its last finished step. */
  readonly underway: Set<() => number>;
};

/** An acknowledged resumption or approval, and its `seq`. */
export type Resumed = { readonly requestId: string; readonly seq: number };

/** The history of an instance as its clients saw it. */
export type Story = {
  readonly ordeal: Ordeal;
  readonly conversationId: string;
  readonly readers: readonly Reader[];
  readonly resumed: readonly Resumed[];
  /** The times of the first approvals (`performance.now()`), by task id. */
  readonly approved: ReadonlyMap<string, number>;
  /** The number of holds that were unchanged after a kill. */
  readonly survivedHolds: number;
  /** Time and log at the acknowledgement of the cancellation; null if there was none, or if it was too late. */
  readonly cancelled: { readonly at: number; readonly log: string } | null;
  readonly instance: WorkflowInstanceDetails;
  readonly log: readonly Frame[];
  readonly bornAt: number;
  /** True if it ended only after the kills were suspended: each process had been killed too early for progress. */
  readonly isLate: boolean;
  readonly breaches: readonly Breach[];
};

const POLL_MS = 40;
const RETRY_MS = 10;
const PATIENCE_MS = 90_000;
/** The longest wait of a thread without progress, and time for the rest of its work. */
const CALM_MS = MAX_BACKOFF_MS + 60_000;
/** The share of holds that are kept until a kill, at most for `HOLD_MS`. */
const SURVIVED_HOLDS = 0.3;
const HOLD_MS = 2_000;
/** The maximum number of resumptions of one instance. */
const MOST_RESUMED = 12;

type Answer = { readonly status: number; readonly body: unknown };

/** Repeats a request while the host is down. Rejects when the run is over. */
export async function insist({ url, abandoned }: Site, method: string, path: string, body?: object): Promise<Answer> {
  for (;;) {
    try {
      const response = await createApiUser(url).request(method, `/api/v1${path}`, body);
      return { status: response.status, body: await response.json() };
    } catch {
      await Promise.race([sleep(RETRY_MS), abandoned]);
    }
  }
}

export async function historyOf(site: Site, conversationId: string): Promise<Frame[]> {
  for (;;) {
    try {
      return await createApiUser(site.url).history(conversationId);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message.includes(" answered ")) throw thrown;
      await Promise.race([sleep(RETRY_MS), site.abandoned]);
    }
  }
}

export async function conduct(site: Site, ordeal: Ordeal, isToCancel: boolean): Promise<Story> {
  const it = await begin(site, ordeal);
  try {
    let until = performance.now() + PATIENCE_MS;
    const cancelAt = performance.now() + randomBetween(site.random, 0, 2_500);
    let cancelled: Story["cancelled"] = null;
    for (;;) {
      const instance = await it.read();
      if (isOver(instance)) break;
      const isAsked = instance.listeners.some(({ status }) => status === "waiting_input");
      it.rest(isAsked || instance.hold !== undefined);
      if (performance.now() > until) {
        if (it.isLate) throw new Error(`${ordeal.subject} is ${instance.status} ${CALM_MS} ms after the last kill`);
        it.suspendKills();
        until = performance.now() + CALM_MS;
      }
      if (isToCancel && cancelled === null && performance.now() >= cancelAt) cancelled = await it.cancel();
      else if (isAsked) await it.approve();
      else if (instance.hold !== undefined) await it.resume(instance);
      else await sleep(POLL_MS);
    }
    return await it.end(cancelled);
  } finally {
    it.rest(true);
    it.resumeKills();
    for (const reader of it.readers) reader.close();
  }
}

function isOver({ status, ended_at, waiting_for_resume: isWaiting, log }: WorkflowInstanceDetails): boolean {
  return !isWaiting && (status === "cancelled" || ended_at !== undefined || log.at(-1)?.type === "PLAN_COMPLETED");
}

async function begin(site: Site, ordeal: Ordeal) {
  const { plan, context, subject } = ordeal;
  const breaches: Breach[] = [];
  const resumed: Resumed[] = [];
  const approved = new Map<string, number>();
  let survivedHolds = 0;
  let tried = 0;
  const bornAt = site.kills();
  const made = await insist(site, "POST", "/plan-templates", { ...plan, status: "released" });
  if (made.status !== 201 && made.status !== 409) throw new Error(`The plan was refused: ${JSON.stringify(made.body)}`);
  const start = () =>
    insist(site, "POST", `/plan-templates/${plan.plan_id}/instances`, { id: `start-${subject}`, context });
  const [first, second] = await Promise.all([start(), site.random() < 0.3 ? start() : null]);
  const { plan_instance_id: id, conversation_id: conversationId } = startedInstanceSchema.parse(first.body);
  if (second !== null && JSON.stringify(second.body) !== JSON.stringify(first.body))
    breaches.push({ rule: "T2", words: `One command started ${JSON.stringify([first.body, second.body])}`, seqs: [] });
  let aheadAt = site.kills();
  const onEvent = ({ frame, kills }: Seen): void => {
    if (isStepEnd(frame)) aheadAt = kills;
  };
  const isAhead = (): number => aheadAt;
  let resumeKills: (() => void) | undefined;
  const reader = newReader({ url: site.url, conversationId, kills: site.kills, onEvent });
  const readers = [reader];
  reader.connect();
  let holdSeen: { readonly requestId: string; readonly kills: number } | null = null;

  const read = async (): Promise<WorkflowInstanceDetails> => {
    const { body } = await insist(site, "GET", `/plan-instances/${id}`);
    return workflowInstanceDetailsSchema.parse(body);
  };
  return {
    readers,
    read,
    get isLate() {
      return resumeKills !== undefined;
    },
    suspendKills(): void {
      resumeKills = site.suspendKills();
    },
    resumeKills(): void {
      resumeKills?.();
    },
    rest: (isResting: boolean): void => {
      if (isResting) site.underway.delete(isAhead);
      else site.underway.add(isAhead);
    },
    /** Pauses, then resumes the instance once, or twice at the same time. */
    async resume(held: WorkflowInstanceDetails): Promise<void> {
      const hold = instanceHoldSchema.parse(held.hold);
      holdSeen = { requestId: hold.request_id, kills: site.kills() };
      await sleep(randomBetween(site.random, 0, 250));
      const isToSurvive = site.random() < SURVIVED_HOLDS;
      const until = performance.now() + HOLD_MS;
      while (isToSurvive && site.kills() === holdSeen.kills && performance.now() < until) await sleep(POLL_MS);
      const again = await read();
      if (again.hold?.request_id !== holdSeen.requestId)
        breaches.push({ rule: "H1", words: `The hold ${holdSeen.requestId} went away by itself`, seqs: [] });
      if (site.kills() > holdSeen.kills) survivedHolds += 1;
      const count = (tried += 1);
      if (count > MOST_RESUMED) throw new Error(`${subject} was resumed ${count - 1} times and is held again`);
      const values = hold.missing.length > 0 ? { context: { "001": ordeal.lacking } } : {};
      const one = (name: string) =>
        insist(site, "POST", `/plan-instances/${id}/resume`, { id: `resume-${subject}-${count}-${name}`, ...values });
      const answers = await Promise.all([one("a"), ...(site.random() < 0.5 ? [one("b")] : [])]);
      const taken = answers.filter(({ status }) => status === 202);
      if (taken.length !== 1 || answers.some(({ status }) => status !== 202 && status !== 409))
        breaches.push({
          rule: "H1",
          words: `${answers.length} resumptions at once: ${JSON.stringify(answers)}`,
          seqs: [],
        });
      for (const { body } of taken)
        resumed.push({ requestId: hold.request_id, seq: startedInstanceSchema.parse(body).seq });
      if ((await read()).hold?.request_id === hold.request_id)
        breaches.push({ rule: "H1", words: `${hold.request_id} was resumed, and holds still`, seqs: [] });
    },
    /** Approves each waiting task once, or twice at the same time. */
    async approve(): Promise<void> {
      for (const { frame } of reader.seen) {
        if (frame.event !== "task_waiting" || approved.has(frame.data.task_id)) continue;
        await sleep(randomBetween(site.random, 0, 150));
        approved.set(frame.data.task_id, performance.now());
        const { request_id } = frame.data.payload;
        const one = (name: string) =>
          reader.submit({ type: "resume", id: `leave-${request_id}-${name}`, message: "approve", request_id });
        const answers = await Promise.all([one("a"), ...(site.random() < 0.5 ? [one("b")] : [])]);
        const taken = answers.flatMap((answer) => (answer.type === "ack" ? [answer] : []));
        if (taken.length !== 1)
          breaches.push({
            rule: "H1",
            words: `${answers.length} leaves at once: ${JSON.stringify(answers)}`,
            seqs: [],
          });
        for (const { seq } of taken) resumed.push({ requestId: request_id, seq });
      }
      await sleep(POLL_MS);
    },
    async cancel(): Promise<Story["cancelled"]> {
      const { status, body } = await insist(site, "POST", `/plan-instances/${id}/cancel`);
      // The cancellation may have been executed before a kill lost its acknowledgement.
      if (status === 409 && (await read()).status !== "cancelled") return null;
      if (status !== 200 && status !== 409) throw new Error(`A cancellation was refused: ${JSON.stringify(body)}`);
      const at = performance.now();
      return { at, log: JSON.stringify(await historyOf(site, conversationId)) };
    },
    async end(cancelled: Story["cancelled"]): Promise<Story> {
      const log = await historyOf(site, conversationId);
      const last = log.at(-1)?.seq ?? 0;
      await Promise.race([
        Promise.all(readers.map((each) => each.until(({ seq }) => seq >= last))),
        reader.broken,
        late(),
      ]);
      const instance = await read();
      return {
        ordeal,
        conversationId,
        readers,
        resumed,
        approved,
        survivedHolds,
        cancelled,
        instance,
        log,
        bornAt,
        isLate: resumeKills !== undefined,
        breaches,
      };
    },
  };
}

async function late(): Promise<never> {
  await sleep(20_000);
  throw new Error("A reader did not get the last event within 20 s");
}

/** True for events that are published only at the end of a step. */
function isStepEnd({ event, data }: Frame): boolean {
  if (event === "component_generator") return data.payload.component_type.startsWith("plan_");
  return event === "task_completed" || event === "task_failed" || event === "plan_created";
}
