// Queries and mutations of schedules.

import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from "@tanstack/react-query";
import type { Schedule, SchedulePage, UpdateSchedule } from "../../protocol/recurring.ts";
import { api } from "../runtime.ts";
import { toastFailure } from "../ui/toast.tsx";

const PAGE = 30;
/** Schedules run by themselves, so the lists are polled. */
const FOLLOW_MS = 10_000;

export function useSchedules() {
  return useInfiniteQuery({
    queryKey: ["schedules"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => api.listSchedules({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: FOLLOW_MS,
  });
}

export const useSchedule = (id: string) =>
  useQuery({ queryKey: ["schedule", id], queryFn: () => api.schedule(id), refetchInterval: FOLLOW_MS });

export function refresh(queries: QueryClient, id: string): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: ["schedules"] }),
    queries.invalidateQueries({ queryKey: ["schedule", id] }),
  ]);
}

/** Pauses or resumes a schedule. The caches change at once and are reverted if the server refuses. */
export function usePause() {
  const queries = useQueryClient();
  const show = (id: string, status: Schedule["status"]) => {
    const changed = (schedule: Schedule): Schedule =>
      schedule.schedule_id === id ? { ...schedule, status } : schedule;
    queries.setQueryData<InfiniteData<SchedulePage>>(
      ["schedules"],
      (list) =>
        list && { ...list, pages: list.pages.map((page) => ({ ...page, schedules: page.schedules.map(changed) })) },
    );
    queries.setQueryData<Schedule>(["schedule", id], (schedule) => schedule && changed(schedule));
  };
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: Schedule["status"] }) => api.updateSchedule(id, { status }),
    onMutate: async ({ id, status }) => {
      await Promise.all([
        queries.cancelQueries({ queryKey: ["schedules"] }),
        queries.cancelQueries({ queryKey: ["schedule", id] }),
      ]);
      show(id, status);
    },
    onError: (error, { id, status }) => {
      show(id, status === "active" ? "paused" : "active");
      toastFailure(error);
    },
    onSettled: (_data, _error, { id }) => refresh(queries, id),
  });
}

export function useRunNow(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.runSchedule(id),
    onError: toastFailure,
    onSettled: () => Promise.all([refresh(queries, id), queries.invalidateQueries({ queryKey: ["runs", id] })]),
  });
}

/** Updates a schedule. The caller shows errors at the fields that they refer to. */
export function useUpdate(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: UpdateSchedule) => api.updateSchedule(id, patch),
    onSuccess: () => refresh(queries, id),
  });
}

/**
 * Deletes a schedule. `onDeleted` is called before the caches are updated, so that the open view does not request the
 * deleted schedule.
 */
export function useRemove(id: string): (leave?: () => void) => Promise<void> {
  const queries = useQueryClient();
  return async (leave) => {
    await api.deleteSchedule(id);
    leave?.();
    queries.removeQueries({ queryKey: ["schedule", id] });
    await queries.invalidateQueries({ queryKey: ["schedules"] });
  };
}
