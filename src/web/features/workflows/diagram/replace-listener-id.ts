import type { WorkflowTaskStatus } from "../../../../protocol/workflows/workflow-template.ts";

/** The names of listeners by their ids. */
export type ListenerNames = ReadonlyMap<string, string>;

/** Replaces the id of a listener at the start of a sentence of the server by its name; unchanged for an unknown id. */
export function replaceListenerId(sentence: string, names: ListenerNames): string {
  const [id = ""] = sentence.split(" ", 1);
  return (names.get(id) ?? id) + sentence.slice(id.length);
}

/**
 * Returns the reason of a change to `Error`, `Retrying` or `Pending` for people, in the language of the run; "" for
 * other changes, which the log and the listener explain already.
 */
export function formatStatusReason(status: WorkflowTaskStatus, reason: string, names: ListenerNames): string {
  return EXPLAINED_STATUSES.has(status) ? replaceListenerId(reason, names) : "";
}

const EXPLAINED_STATUSES: ReadonlySet<WorkflowTaskStatus> = new Set(["Error", "Retrying", "Pending"]);
