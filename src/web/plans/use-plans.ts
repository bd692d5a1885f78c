// Queries for workflow templates and instances.

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { TemplateStatus } from "../../protocol/plan-template.ts";
import { api } from "../runtime.ts";

const PAGE = 30;
const FOLLOW_MS = 10_000;

const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

export function useInstances(planId?: string) {
  return useInfiniteQuery({
    queryKey: ["instances", planId ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      api.listPlanInstances({
        limit: PAGE,
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...from(pageParam),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: FOLLOW_MS,
  });
}

export function useTemplates(search: string, status: TemplateStatus | undefined) {
  return useInfiniteQuery({
    queryKey: ["templates", search, status ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      api.listPlanTemplates({
        limit: PAGE,
        ...(search === "" ? {} : { search }),
        ...(status === undefined ? {} : { status }),
        ...from(pageParam),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** Returns the current version if `version` is undefined. */
export const useTemplate = (id: string, version?: number) =>
  useQuery({
    queryKey: ["template", id, version ?? null],
    queryFn: () => api.planTemplate(id, version),
    placeholderData: keepPreviousData,
  });

export const useVersions = (id: string) =>
  useQuery({ queryKey: ["template", id, "versions"], queryFn: () => api.planTemplateVersions(id) });

export const useInstance = (id: string) =>
  useQuery({ queryKey: ["instance", id], queryFn: () => api.planInstance(id) });
