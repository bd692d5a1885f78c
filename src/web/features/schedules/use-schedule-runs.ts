// The results of a schedule's runs, polled every second while a run is requested or running, else every 15 s.

import { useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useState } from "react";
import type { ScheduleRunResult, ScheduleRunResultList } from "../../../protocol/schedules/schedule.ts";
import { api } from "../../session/full-api.ts";
import { refreshSchedule } from "./use-schedules.ts";

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
