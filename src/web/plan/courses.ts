// Start, end and retries of the tasks of a plan.
//
// Combines observations in this page with the times that the server stores. The hook owns the observations of one
// mounted plan. The plans are fetched only while a time is missing, and again after each change of a task status,
// because the known response may be older than the change.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Plan } from "../../protocol/plan.ts";
import { api } from "../first.ts";
import { isLacking, look, spanOf, type Sight, type Span } from "./spans.ts";

const NONE: readonly Plan[] = [];

export type Course = { readonly span: Span; readonly retries: number };

/** Returns a lookup by task id. `isWatching` must be true once the view is caught up; earlier changes are history. */
export function useCourses(plan: Plan, isWatching: boolean): (taskId: string) => Course {
  const [sight, setSight] = useState<Sight>(new Map());
  const statuses = plan.tasks.map(({ status }) => status).join();
  const stages = useMemo(
    () => plan.tasks.map(({ task_id, status }) => ({ task_id, status })),
    // Only statuses matter here; the tasks also change with every token of their results.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [plan.plan_id, statuses],
  );
  useEffect(() => {
    if (isWatching) setSight((before) => look(before, stages, Date.now()));
  }, [stages, isWatching]);

  const [isWanted, setWanted] = useState(false);
  const { data = NONE, refetch } = useQuery({
    queryKey: ["plans-of", plan.conversation_id],
    queryFn: () => api.plans(plan.conversation_id),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const spans = new Map(plan.tasks.map((task) => [task.task_id, spanOf(task, sight, data)]));
  const lacking = plan.tasks.some((task) => isLacking(task, spans.get(task.task_id) ?? {}));
  useEffect(() => {
    if (!isWatching || !lacking) return;
    // The known plans may be older than the last change of a status, so fetch them again after each.
    if (isWanted) void refetch({ cancelRefetch: false });
    else setWanted(true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [statuses, isWatching, isWanted]);
  return (taskId) => ({ span: spans.get(taskId) ?? {}, retries: sight.get(taskId)?.retries ?? 0 });
}
