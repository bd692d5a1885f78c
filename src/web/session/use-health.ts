import { useQuery } from "@tanstack/react-query";
import { api } from "./initial-api.ts";

const STALE_TIME_MS = 300_000;

/**
 * Queries the status of the server: readiness, model, sign-in method. The result is fresh for 5 minutes. With `pollMs`,
 * refetches every `pollMs` ms.
 */
export function useHealth(pollMs?: number) {
  return useQuery({
    queryKey: ["health"],
    queryFn: () => api.health(),
    staleTime: STALE_TIME_MS,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
  });
}
