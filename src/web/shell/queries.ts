// The query client, and its handling of errors that concern the whole application.

import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Fault } from "../../protocol/fault.ts";
import { requireSignIn } from "./access.ts";
import { isUnreachable, noteReached } from "./reach.ts";

function isUnavailable(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable";
}

const hear = {
  onSuccess: () => noteReached(true),
  onError: (error: unknown) => {
    noteReached(!isUnreachable(error));
    if (error instanceof Fault && error.code === "unauthorized") requireSignIn();
  },
};

/** Creates the query client. Every result updates the connectivity state; `unauthorized` opens the sign-in view. */
export function createQueries(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(hear),
    mutationCache: new MutationCache(hear),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only an unavailable server can succeed on a retry.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });
}
