// What we keep of a stranger's task while its question waits, or while it works on its own. A stranger leaves us no
// state, so the place for it is free: there stands how it knows the task, and what it has shown of it already.

import * as z from "zod";
import { MAX_STATE_CHARS } from "../protocol/agent.ts";
import { jsonIn } from "../protocol/json-text.ts";

const recalledSchema = z.object({
  a2a_task: z.object({
    context_id: z.string(),
    /** The text of each artifact, by its id. */
    artifacts: z.record(z.string(), z.string()),
    /** What was shown besides words: a mark of each component, by its id. */
    attached: z.record(z.string(), z.string()).exactOptional(),
    /** Of a task that works on its own: its id, the messages heard, the end of what was said, the last of its progress. */
    going_on: z
      .object({
        task_id: z.string(),
        messages: z.array(z.string()),
        said: z.string(),
        progress: z.string(),
        /** What its artifacts held when it asked its last question. */
        before: z.record(z.string(), z.string()).exactOptional(),
        /** The artifact that it was telling. */
        open: z.string().exactOptional(),
      })
      .exactOptional(),
  }),
});
export type Recalled = z.infer<typeof recalledSchema>["a2a_task"];
/** Of an exchange that goes on. */
export type Standing = Recalled & Required<Pick<Recalled, "going_on">>;

/** As the `state` of a question; undefined when there is nothing that would be missed. */
export function toState(recalled: Recalled): string | undefined {
  const { context_id, artifacts, attached = {} } = recalled;
  if (context_id === "" && Object.keys({ ...artifacts, ...attached }).length === 0) return undefined;
  const state = JSON.stringify({ a2a_task: recalled });
  return state.length <= MAX_STATE_CHARS ? state : JSON.stringify({ a2a_task: { context_id, artifacts: {} } });
}

/** As a checkpoint; undefined when it is too much to keep. */
export function toCheckpoint(recalled: Recalled): string | undefined {
  const state = JSON.stringify({ a2a_task: recalled });
  return state.length <= MAX_STATE_CHARS ? state : undefined;
}

/** Undefined for the state of an agent that left its own. */
export function fromState(state: string | undefined): Recalled | undefined {
  if (state?.startsWith('{"a2a_task":') !== true) return undefined;
  return recalledSchema.safeParse(jsonIn(state)).data?.a2a_task;
}
