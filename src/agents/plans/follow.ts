// Follows a plan instance until it ends or asks a question, and yields its changes.
//
// It owns the cursor into the log of the instance (`after`) and the reader of one stream at a time. The loop reads a
// stream to its end, fetches the instance, and decides: ended, question, too late, or read again from the cursor. A
// broken stream is not an error: the host comes back with everything it stored. Every change yields the component
// `plan_instance_link` and a checkpoint with the new cursor, so a crash continues from there. Requests are repeated
// by `withRetry`; a failure that persists is thrown as a `Fault`.

import { PLAN_INSTANCE, PLAN_TASK, type PlanInstance } from "../../protocol/plan-instance.ts";
import type { Pending } from "../../protocol/question.ts";
import { valueOf } from "../../protocol/result.ts";
import type { Said } from "../kit/agent.ts";
import { checkpoint } from "../kit/ask.ts";
import type { Office } from "./office.ts";
import { patiently } from "./patience.ts";
import type { Place, State } from "./state.ts";

/** The reason why following ended. */
export type Rest =
  | { readonly kind: "ended"; readonly instance: PlanInstance }
  | { readonly kind: "asks"; readonly instance: PlanInstance; readonly pending: Pending; readonly place: Place }
  /** The instance continues, but the time in which anyone reads this agent is over. */
  | { readonly kind: "late" };

/** Pause before the stream is opened again. */
const PAUSE_MS = 500;

/**
 * Follows the instance from a position. Yields components and checkpoints and returns how it ended. Throws the abort
 * reason of the signal.
 */
export async function* follow(office: Office, from: Place): AsyncGenerator<Said, Rest> {
  const { api, userId, signal } = office;
  let place = from;
  for (;;) {
    const { conversation_id, thread_id, plan_instance_id } = place;
    const { after } = place;
    const stream = valueOf(await patiently(office, () => api.follow(userId, conversation_id, after, thread_id)));
    place = yield* listen(office, place, stream);
    signal.throwIfAborted();
    const instance = await instanceOf(office, plan_instance_id);
    yield link(instance);
    if (isOver(instance)) return { kind: "ended", instance };
    const { pending } = valueOf(await patiently(office, () => api.context(userId, conversation_id)));
    const ours = pending.find((asked) => asked.thread_id === thread_id);
    if (ours !== undefined) return { kind: "asks", instance, pending: ours, place };
    if (Date.now() >= office.until) return { kind: "late" };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function instanceOf(office: Office, id: string): Promise<PlanInstance> {
  return valueOf(await patiently(office, () => office.api.planInstance(office.userId, id)));
}

/** True if the instance has ended. An error that waits for a resume is not the end. */
function isOver({ status, waiting_for_resume }: PlanInstance): boolean {
  return status === "done" || status === "cancelled" || (status === "error" && !waiting_for_resume);
}

/**
 * Reads one stream to its end, its break or the deadline, and returns the new position. Yields a checkpoint at least
 * every `keepaliveMs`, which shows that the agent is alive.
 */
async function* listen(office: Office, from: Place, stream: ReadableStream<Uint8Array>): AsyncGenerator<Said, Place> {
  const { signal, patience, until } = office;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const stop = Promise.withResolvers<"stop">();
  const leave = (): void => stop.resolve("stop");
  signal.addEventListener("abort", leave, { once: true });
  let place = from;
  let rest = "";
  try {
    const next = () => reader.read().catch(() => ({ done: true as const, value: undefined }));
    let reading = next();
    while (!signal.aborted && Date.now() < until) {
      const sign = Promise.withResolvers<"sign">();
      const timer = setTimeout(() => sign.resolve("sign"), Math.min(patience, until - Date.now()));
      const heard = await Promise.race([reading, sign.promise, stop.promise]);
      clearTimeout(timer);
      if (heard === "stop") break;
      if (heard === "sign") {
        yield kept(place);
        continue;
      }
      if (heard.done) break;
      const lines = (rest + heard.value).split("\n");
      rest = lines.pop() ?? "";
      const news = lines.map(read).filter((line) => line !== null);
      place = { ...place, after: Math.max(place.after, ...news.map(({ seq }) => seq)) };
      if (news.some(({ isChange }) => isChange)) {
        yield link(await instanceOf(office, place.plan_instance_id));
        yield kept(place);
      }
      reading = next();
    }
    return place;
  } finally {
    signal.removeEventListener("abort", leave);
    // A pending read is left alone: it ends with its stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** Creates a checkpoint from which following continues. */
export function kept(place: Place): Said {
  return checkpoint({ at: "instance", place } satisfies State);
}

/**
 * Parses a line of the stream: its sequence number, and true if it changes how the instance is displayed. Returns
 * null for an empty line.
 */
function read(line: string): { readonly seq: number; readonly isChange: boolean } | null {
  if (line.trim() === "") return null;
  const frame = JSON.parse(line) as { seq: number; data?: { payload?: { component_type?: string } } };
  const type = frame.data?.payload?.component_type;
  return { seq: frame.seq, isChange: type === PLAN_TASK || type === PLAN_INSTANCE };
}

/** Creates the component that shows the state of the instance. Each one replaces the one before. */
function link({
  plan_instance_id,
  plan_id,
  name,
  conversation_id,
  status,
  waiting_for_resume,
  tasks,
}: PlanInstance): Said {
  const content = {
    plan_instance_id,
    plan_id,
    name,
    conversation_id,
    status,
    waiting_for_resume,
    tasks: tasks.map((task) => ({ task_id: task.task_id, name: task.name, status: task.status })),
  };
  return {
    type: "component",
    component_type: "plan_instance_link",
    component_id: plan_instance_id,
    content: JSON.stringify(content),
  };
}
