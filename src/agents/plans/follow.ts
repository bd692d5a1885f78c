// Follows an instance until it ends or asks, and tells what has changed.

import { PLAN_INSTANCE, PLAN_TASK, type PlanInstance } from "../../protocol/plan-instance.ts";
import type { Pending } from "../../protocol/question.ts";
import { valueOf } from "../../protocol/result.ts";
import type { Said } from "../kit/agent.ts";
import { checkpoint } from "../kit/ask.ts";
import type { Office } from "./office.ts";
import { patiently } from "./patience.ts";
import type { Place, State } from "./state.ts";

export type Rest =
  | { readonly kind: "ended"; readonly instance: PlanInstance }
  | { readonly kind: "asks"; readonly instance: PlanInstance; readonly pending: Pending; readonly place: Place }
  /** It works on, but nobody will listen any longer. */
  | { readonly kind: "late" };

/** Between two looks at an instance whose stream broke off. */
const PAUSE_MS = 500;

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

/** An error may be one that waits for somebody. */
function isOver({ status, waiting_for_resume }: PlanInstance): boolean {
  return status === "done" || status === "cancelled" || (status === "error" && !waiting_for_resume);
}

/**
 * Reads the stream to its end, or to where it breaks: its host comes back with all that it had stored. What has
 * changed is told, and kept, from time to time.
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
    // A reader that is still reading is left alone: its stream is gone with it.
    await reader.cancel().catch(() => undefined);
  }
}

export function kept(place: Place): Said {
  return checkpoint({ at: "instance", place } satisfies State);
}

/** The line of a frame: its number, and whether the instance looks different after it. */
function read(line: string): { readonly seq: number; readonly isChange: boolean } | null {
  if (line.trim() === "") return null;
  const frame = JSON.parse(line) as { seq: number; data?: { payload?: { component_type?: string } } };
  const type = frame.data?.payload?.component_type;
  return { seq: frame.seq, isChange: type === PLAN_TASK || type === PLAN_INSTANCE };
}

/** How the instance stands, for readers of the conversation in which it was asked for: one component, replaced. */
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
