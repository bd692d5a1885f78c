// The state of a task on an agent without our extension, while its question waits or while it runs in the background.
// Such an agent leaves no state of its own, so ours takes its place: the context id, the artifacts and the components
// received so far. The keys are a format that is read after a deploy.

import * as z from "zod";
import { MAX_AGENT_STATE_CHARS } from "../protocol/agents/agent.ts";
import { tryParseJson } from "../lib/parse-json.ts";

const remoteTaskStateSchema = z.object({
  a2a_task: z.object({
    context_id: z.string(),
    /** The text of each artifact by its id. */
    artifacts: z.record(z.string(), z.string()),
    /** A mark of each component by its id. */
    attached: z.record(z.string(), z.string()).exactOptional(),
    /**
     * A task that runs in the background: its id, the ids of received messages, the end of the text, and the last
     * progress.
     */
    going_on: z
      .object({
        task_id: z.string(),
        messages: z.array(z.string()),
        said: z.string(),
        progress: z.string(),
        /** The artifacts at the time of its last question. */
        before: z.record(z.string(), z.string()).exactOptional(),
        /** The artifact that was being received. */
        open: z.string().exactOptional(),
      })
      .exactOptional(),
  }),
});
/** The stored state of a remote task. */
export type RemoteTaskState = z.infer<typeof remoteTaskStateSchema>["a2a_task"];
/** The state of a task that continues without its message. */
export type RunningTaskState = RemoteTaskState & Required<Pick<RemoteTaskState, "going_on">>;

/**
 * Encodes the state that a question (`input_required`) carries as its `state`. Keeps only the context id if the result
 * would exceed `MAX_AGENT_STATE_CHARS`. Returns undefined if there is nothing to keep.
 */
export function encodeQuestionState(taskState: RemoteTaskState): string | undefined {
  const { context_id, artifacts, attached = {} } = taskState;
  if (context_id === "" && Object.keys({ ...artifacts, ...attached }).length === 0) return undefined;
  const state = JSON.stringify({ a2a_task: taskState });
  return state.length <= MAX_AGENT_STATE_CHARS ? state : JSON.stringify({ a2a_task: { context_id, artifacts: {} } });
}

/** Encodes the state that a `checkpoint` event carries; undefined if it exceeds `MAX_AGENT_STATE_CHARS`. */
export function encodeCheckpointState(taskState: RemoteTaskState): string | undefined {
  const state = JSON.stringify({ a2a_task: taskState });
  return state.length <= MAX_AGENT_STATE_CHARS ? state : undefined;
}

/**
 * Decodes the state of a question or checkpoint. Returns undefined if it is missing or invalid, or if an agent with our
 * extension wrote it: we pass such a state back to the agent unread.
 */
export function decodeTaskState(state: string | undefined): RemoteTaskState | undefined {
  if (state?.startsWith('{"a2a_task":') !== true) return undefined;
  return remoteTaskStateSchema.safeParse(tryParseJson(state)).data?.a2a_task;
}
