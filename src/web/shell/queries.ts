// How everything is asked of the server, and what is made of refusals that concern the whole application.

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

export function createQueries(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(hear),
    mutationCache: new MutationCache(hear),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Asking again helps when a server cannot be reached, and with nothing else.
        retry: (failures, error) => failures < 2 && isUnavailable(error),
      },
    },
  });
}
