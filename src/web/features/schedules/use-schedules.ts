// Queries and mutations of schedules.

import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from "@tanstack/react-query";
import type {
  Schedule,
  ScheduleList,
  UpdateScheduleRequest,
  ScheduleRunResult,
  ScheduleRunResultList,
} from "../../../protocol/schedules/schedule.ts";
import { api } from "../../session/full-api.ts";
import { showErrorToast } from "../../ui/toast.tsx";
import { useState } from "react";

const SCHEDULES_PER_PAGE = 30;
/** Schedules run by themselves, so the lists are polled. */
const POLL_INTERVAL_MS = 10_000;

/** Queries the schedules of the user in pages of 30, under the key `["schedules"]`. Polls every 10 s. */
export function useSchedules() {
  return useInfiniteQuery({
    queryKey: ["schedules"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      api.listSchedules({ limit: SCHEDULES_PER_PAGE, ...(cursor === undefined ? {} : { cursor }) }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: POLL_INTERVAL_MS,
  });
}

/** Queries one schedule. Polls every 10 s. */
export const useSchedule = (id: string) =>
  useQuery({ queryKey: ["schedule", id], queryFn: () => api.schedule(id), refetchInterval: POLL_INTERVAL_MS });

/** Invalidates the queries of a schedule and of the list. Resolves when those on the screen are refetched. */
function refreshSchedule(queries: QueryClient, id: string): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: ["schedules"] }),
    queries.invalidateQueries({ queryKey: ["schedule", id] }),
  ]);
}

/**
 * Returns the mutation that pauses or resumes a schedule. The caches change at once; on any error the schedule gets the
 * opposite status again and the error is shown as a toast. Afterwards schedule and list are refetched.
 */
export function useSetScheduleStatus() {
  const queries = useQueryClient();
  const updateCaches = (id: string, status: Schedule["status"]) => {
    const withStatus = (schedule: Schedule): Schedule =>
      schedule.schedule_id === id ? { ...schedule, status } : schedule;
    queries.setQueryData<InfiniteData<ScheduleList>>(
      ["schedules"],
      (list) =>
        list && { ...list, pages: list.pages.map((page) => ({ ...page, schedules: page.schedules.map(withStatus) })) },
    );
    queries.setQueryData<Schedule>(["schedule", id], (schedule) => schedule && withStatus(schedule));
  };
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: "active" | "paused" }) => api.updateSchedule(id, { status }),
    onMutate: async ({ id, status }) => {
      await Promise.all([
        queries.cancelQueries({ queryKey: ["schedules"] }),
        queries.cancelQueries({ queryKey: ["schedule", id] }),
      ]);
      updateCaches(id, status);
    },
    onError: (error, { id, status }) => {
      updateCaches(id, status === "active" ? "paused" : "active");
      showErrorToast(error);
    },
    onSettled: (_data, _error, { id }) => refreshSchedule(queries, id),
  });
}

/**
 * Returns the mutation that starts a run now. It succeeds when the server has accepted the run. An error is shown as a
 * toast. Afterwards schedule, list and results are refetched.
 */
export function useRunSchedule(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.runSchedule(id),
    onError: showErrorToast,
    onSettled: () => Promise.all([refreshSchedule(queries, id), queries.invalidateQueries({ queryKey: ["runs", id] })]),
  });
}

/**
 * Returns the mutation that updates a schedule and then refetches schedule and list. The caller shows errors, at the
 * fields that they refer to.
 */
export function useUpdateSchedule(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: UpdateScheduleRequest) => api.updateSchedule(id, patch),
    onSuccess: () => refreshSchedule(queries, id),
  });
}

/**
 * Returns a function that deletes the schedule, calls `onDeleted`, and then updates the caches; in this order, so that
 * the open view does not request the deleted schedule. It rejects with a `Fault` if the deletion fails.
 */
export function useDeleteSchedule(id: string): (onDeleted?: () => void) => Promise<void> {
  const queries = useQueryClient();
  return async (onDeleted) => {
    await api.deleteSchedule(id);
    onDeleted?.();
    queries.removeQueries({ queryKey: ["schedule", id] });
    await queries.invalidateQueries({ queryKey: ["schedules"] });
  };
}

// The results of a schedule's runs, polled every second while a run is requested or running, else every 15 s.

const RUNS_PER_PAGE = 20;
const RUNNING_POLL_MS = 1_000;
const IDLE_POLL_MS = 15_000;

export type ScheduleRunsQuery = ReturnType<typeof useScheduleRuns>;

/**
 * Queries the results of a schedule's runs in pages, newest first, and refreshes the schedule with the first page.
 * `results` are those of all loaded pages. `isRunning`: the newest run is running, or a requested run is not listed
 * yet.
 */
export function useScheduleRuns(id: string) {
  const queries = useQueryClient();
  /**
   * The newest run id at the time of the request for another run, null if there was none. While it is still the newest,
   * the requested run has not been listed yet.
   */
  const [newestBefore, setNewestBefore] = useState<string | null>();
  const isOpen = (data: InfiniteData<ScheduleRunResultList> | undefined): boolean => {
    const [newest] = data?.pages[0]?.results ?? [];
    const isAwaited = newestBefore !== undefined && (newest?.run_id ?? null) === newestBefore;
    return isAwaited || newest?.status === "running";
  };
  const list = useInfiniteQuery({
    queryKey: ["runs", id],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }) => {
      const page = await api.runResults(id, { limit: RUNS_PER_PAGE, ...(before === undefined ? {} : { before }) });
      // A finished run changes the schedule as well.
      if (before === undefined) void refreshSchedule(queries, id);
      return page;
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (isOpen(state.data) ? RUNNING_POLL_MS : IDLE_POLL_MS),
  });
  const results: readonly ScheduleRunResult[] = list.data?.pages.flatMap((page) => page.results) ?? [];
  return {
    list,
    results,
    isRunning: isOpen(list.data),
    /** Call this after another run has been requested: polls fast until it is listed. */
    expectRun: () => {
      setNewestBefore(results[0]?.run_id ?? null);
      void list.refetch();
    },
  };
}
