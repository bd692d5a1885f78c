// Checks T4 from the log alone: later states of an instance only extend earlier ones.

import { isDeepStrictEqual } from "node:util";
import type { Frame } from "../../src/protocol/wire/events.ts";
import {
  instanceListenerSchema,
  INSTANCE_LISTENER_COMPONENT,
  INSTANCE_TASK_COMPONENT,
  taskComponentSchema,
} from "../../src/protocol/workflows/workflow-instance.ts";
import type { Breach } from "../breach.ts";

/** Finds states that do not extend their predecessors: a changed trace, a second firing, a change after the end. */
export function rewrittenBreaches(log: readonly Frame[]): Breach[] {
  const breaches: Breach[] = [];
  const latest = new Map<string, Told>();
  for (const frame of log) {
    if (frame.event !== "component_generator") continue;
    const told = toldIn(frame.data.payload);
    const before = latest.get(frame.data.item_id);
    if (told === null) continue;
    latest.set(frame.data.item_id, told);
    if (before === undefined || isContinued(before, told)) continue;
    const words = `${JSON.stringify(before)} was told, and then ${JSON.stringify(told)}`;
    breaches.push({ rule: "T4", words, seqs: [frame.seq] });
  }
  return breaches;
}

type Told =
  | { readonly kind: "task"; readonly trace: readonly unknown[] }
  | { readonly kind: "listener"; readonly attempts: number; readonly triggeredAt: number; readonly isOver: boolean };

const MAX_TRACE = 50;

function toldIn({ component_type: type, content }: { component_type: string; content: string }): Told | null {
  if (type === INSTANCE_TASK_COMPONENT)
    return { kind: "task", trace: taskComponentSchema.parse(JSON.parse(content)).status_trace };
  if (type !== INSTANCE_LISTENER_COMPONENT) return null;
  const { attempts, triggered_at: triggeredAt = 0, status } = instanceListenerSchema.parse(JSON.parse(content));
  return { kind: "listener", attempts, triggeredAt, isOver: status === "done" || status === "failed" };
}

function isContinued(before: Told, after: Told): boolean {
  if (before.kind === "task") {
    if (after.kind !== "task") return false;
    return (
      after.trace.length === MAX_TRACE || isDeepStrictEqual(after.trace.slice(0, before.trace.length), before.trace)
    );
  }
  if (after.kind !== "listener") return false;
  const isSame = before.triggeredAt === 0 || before.triggeredAt === after.triggeredAt;
  return isSame && !before.isOver && after.attempts >= before.attempts;
}
