// What we keep of a stranger's task while its question waits. A stranger leaves us no state, so the place for it is
// free: there stands under which context it knows the task, and what it has shown of it already.

import * as z from "zod";
import { MAX_STATE_CHARS } from "../protocol/agent.ts";

const recalledSchema = z.object({
  a2a_task: z.object({
    context_id: z.string(),
    /** The text of each artifact, by its id. */
    artifacts: z.record(z.string(), z.string()),
  }),
});
export type Recalled = z.infer<typeof recalledSchema>["a2a_task"];

/** As the `state` of a question; undefined when there is nothing that would be missed. */
export function toState(recalled: Recalled): string | undefined {
  const { context_id, artifacts } = recalled;
  if (context_id === "" && Object.keys(artifacts).length === 0) return undefined;
  const state = JSON.stringify({ a2a_task: recalled });
  return state.length <= MAX_STATE_CHARS ? state : JSON.stringify({ a2a_task: { context_id, artifacts: {} } });
}

/** Undefined for the state of an agent that left its own. */
export function fromState(state: string | undefined): Recalled | undefined {
  if (state?.startsWith('{"a2a_task":') !== true) return undefined;
  try {
    return recalledSchema.safeParse(JSON.parse(state)).data?.a2a_task;
  } catch {
    return undefined;
  }
}
