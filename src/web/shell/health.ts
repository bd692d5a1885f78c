import { useQuery } from "@tanstack/react-query";
import { api } from "../first.ts";

const FRESH_MS = 300_000;

/** What the server says of itself: whether it is ready, which model answers, how people sign in. */
export function useHealth(everyMs?: number) {
  return useQuery({
    queryKey: ["health"],
    queryFn: () => api.health(),
    staleTime: FRESH_MS,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}
