import { useQuery } from "@tanstack/react-query";
import { api } from "../first.ts";

const FRESH_MS = 300_000;

/** Queries the status of the server: readiness, model, sign-in method. Polls every `everyMs` ms if given. */
export function useHealth(everyMs?: number) {
  return useQuery({
    queryKey: ["health"],
    queryFn: () => api.health(),
    staleTime: FRESH_MS,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}
