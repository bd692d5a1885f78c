// The query client, and its handling of errors that concern the whole application.

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault } from "../../protocol/wire/fault.ts";
import { requireSignIn } from "../session/account.ts";
import { isUnreachableError, reportConnectivity } from "../session/connectivity.ts";

function isUnavailable(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable";
}

const observers = {
  onSuccess: () => reportConnectivity(true),
  onError: (error: unknown) => {
    reportConnectivity(!isUnreachableError(error));
    if (error instanceof Fault && error.code === "unauthorized") requireSignIn();
  },
};

/**
 * Creates the query client. Data is fresh for 5 s; a query that fails with `unavailable` is retried twice. Every result
 * of a query or mutation updates the connectivity state; `unauthorized` shows the sign-in page.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(observers),
    mutationCache: new MutationCache(observers),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only an unavailable server can succeed on a retry.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });
}
