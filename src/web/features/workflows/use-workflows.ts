// Queries for workflow templates and instances.

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { WorkflowTemplateStatus } from "../../../protocol/workflows/workflow-template.ts";
import { api } from "../../session/full-api.ts";

const PAGE_SIZE = 30;
const POLL_INTERVAL_MS = 10_000;

const toCursorParameter = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

/** Queries the instances of a template, or of all templates, in pages of 30. Polls every 10 s. */
export function useWorkflowInstances(planId?: string) {
  return useInfiniteQuery({
    queryKey: ["instances", planId ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      api.listPlanInstances({
        limit: PAGE_SIZE,
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...toCursorParameter(pageParam),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: POLL_INTERVAL_MS,
  });
}

/**
 * Queries the templates in pages of 30: those that match `search` ("" for all) and `status` (undefined for all). While
 * another filter loads, the previous result stays.
 */
export function useTemplates(search: string, status: WorkflowTemplateStatus | undefined) {
  return useInfiniteQuery({
    queryKey: ["templates", search, status ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      api.listPlanTemplates({
        limit: PAGE_SIZE,
        ...(search === "" ? {} : { search }),
        ...(status === undefined ? {} : { status }),
        ...toCursorParameter(pageParam),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/**
 * Queries a version of a template; the current version if `version` is undefined. The previous result stays meanwhile.
 */
export const useTemplate = (id: string, version?: number) =>
  useQuery({
    queryKey: ["template", id, version ?? null],
    queryFn: () => api.planTemplate(id, { version }),
    placeholderData: keepPreviousData,
  });

/** Queries the list of versions of a template. */
export const useTemplateVersions = (id: string) =>
  useQuery({ queryKey: ["template", id, "versions"], queryFn: () => api.planTemplateVersions(id) });

/** Queries an instance, under the key `["instance", id]`. It does not poll; see `useInstanceConversation`. */
export const useWorkflowInstance = (id: string) =>
  useQuery({ queryKey: ["instance", id], queryFn: () => api.planInstance(id) });
