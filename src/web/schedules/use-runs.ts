// What the runs of one schedule brought, followed as long as one is going on.

import { useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useState } from "react";
import type { RunResult, RunResults } from "../../protocol/recurring.ts";
import { api } from "../runtime.ts";
import { refresh } from "./use-schedules.ts";

const PAGE = 20;
const RUNNING_MS = 1_000;
const FOLLOW_MS = 15_000;

export type Runs = ReturnType<typeof useRuns>;

export function useRuns(id: string) {
  const queries = useQueryClient();
  /** The newest run when another was asked for: until that one is listed, it is on its way. */
  const [newestBefore, setNewestBefore] = useState<string | null>();
  const isOpen = (data: InfiniteData<RunResults> | undefined): boolean => {
    const [newest] = data?.pages[0]?.results ?? [];
    const isAwaited = newestBefore !== undefined && (newest?.run_id ?? null) === newestBefore;
    return isAwaited || newest?.status === "running";
  };
  const list = useInfiniteQuery({
    queryKey: ["runs", id],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }) => {
      const page = await api.runResults(id, { limit: PAGE, ...(before === undefined ? {} : { before }) });
      // When a run has ended, the schedule stands otherwise as well.
      if (before === undefined) void refresh(queries, id);
      return page;
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (isOpen(state.data) ? RUNNING_MS : FOLLOW_MS),
  });
  const results: readonly RunResult[] = list.data?.pages.flatMap((page) => page.results) ?? [];
  return {
    list,
    results,
    isRunning: isOpen(list.data),
    /** Another run was asked for. */
    expect: () => {
      setNewestBefore(results[0]?.run_id ?? null);
      void list.refetch();
    },
  };
}
