// Start, end and retries of the tasks of a plan.
//
// Combines observations in this page with the times that the server stores. The hook owns the observations of one
// mounted plan. The plans are fetched only while a time is missing, and again after each change of a task status,
// because the known response may be older than the change.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Plan } from "../../../../protocol/plans/task-plan.ts";
import type { TimeSpan } from "../../../ui/format/elapsed-time.tsx";
import { api } from "../../../session/initial-api.ts";
import { isSpanIncomplete, observeTasks, computeTaskSpan, type ObservedTasks } from "./task-spans.ts";

const NO_PLANS: readonly Plan[] = [];

/** `retries`: the number of retries that this page has observed. */
export type TaskTiming = { readonly span: TimeSpan; readonly retries: number };

/**
 * Returns a lookup by task id; an unknown id has an empty span. `isWatching` must be true once the view is caught up;
 * earlier changes are history. The plans of the server are cached under `["plans-of", <conversation id>]`.
 */
export function useTaskTimings(plan: Plan, isWatching: boolean): (taskId: string) => TaskTiming {
  const [observed, setObserved] = useState<ObservedTasks>(new Map());
  const statuses = plan.tasks.map(({ status }) => status).join();
  const stages = useMemo(
    () => plan.tasks.map(({ task_id, status }) => ({ task_id, status })),
    // Only statuses matter here; the tasks also change with every token of their results.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [plan.plan_id, statuses],
  );
  useEffect(() => {
    if (isWatching) setObserved((before) => observeTasks(before, stages, Date.now()));
  }, [stages, isWatching]);

  const [isRequested, setRequested] = useState(false);
  const { data = NO_PLANS, refetch } = useQuery({
    queryKey: ["plans-of", plan.conversation_id],
    queryFn: async () => (await api.plans(plan.conversation_id)).plans,
    enabled: isRequested,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const spans = new Map(plan.tasks.map((task) => [task.task_id, computeTaskSpan(task, observed, data)]));
  const isIncomplete = plan.tasks.some((task) => isSpanIncomplete(task, spans.get(task.task_id) ?? {}));
  useEffect(() => {
    if (!isWatching || !isIncomplete) return;
    // The known plans may be older than the last change of a status, so fetch them again after each.
    if (isRequested) void refetch({ cancelRefetch: false });
    else setRequested(true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [statuses, isWatching, isRequested]);
  return (taskId) => ({ span: spans.get(taskId) ?? {}, retries: observed.get(taskId)?.retries ?? 0 });
}
