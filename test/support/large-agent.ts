// An A2A agent that answers with one piece of a requested kind and size.

import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { countBytes } from "../../src/lib/text-size.ts";
import {
  createTextUpdate,
  formatSse,
  startFaultyServer,
  type AnswerHandler,
  workingTask,
  type FaultyServer,
} from "../dispatch/fixtures/faulty-server.ts";

/** Returns a text of exactly this many bytes in UTF-8 that consists of `unit`, after as many “a” as are needed. */
export function createSizedText(bytes: number, unit = "a"): string {
  const count = Math.floor(bytes / countBytes(unit));
  return "a".repeat(bytes - count * countBytes(unit)) + unit.repeat(count);
}

const createStatusUpdate = (state: string, more: object = {}) => ({
  statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state: `TASK_STATE_${state}` }, ...more },
});
const createExtensionUpdate = (event: object, state = "WORKING") =>
  createStatusUpdate(state, { metadata: { [EVENTS_EXTENSION]: event } });

/** The responses of the agent by kind of answer. */
export const LARGE_ANSWERS = {
  text: (text: string) => createTextUpdate(text),
  reasoning: (text: string) => createExtensionUpdate({ type: "reasoning", text }),
  notification: (text: string) => createExtensionUpdate({ type: "notification", text }),
  "tool-arguments": (text: string) =>
    createExtensionUpdate({ type: "tool_started", call_id: "c", tool: "read", arguments: text }),
  "tool-result": (text: string) =>
    createExtensionUpdate({ type: "tool_completed", call_id: "c", tool: "read", result: text }),
  component: (content: string) => createExtensionUpdate({ type: "component", component_type: "note", content }),
  data: (text: string) => ({
    artifactUpdate: { taskId: "t-1", contextId: "c-1", artifact: { artifactId: "d", parts: [{ data: { text } }] } },
  }),
  checkpoint: (state: string) => createExtensionUpdate({ type: "checkpoint", state }),
  question: (prompt: string) => createExtensionUpdate({ type: "input_required", prompt }, "INPUT_REQUIRED"),
  failure: (reason: string) => createExtensionUpdate({ type: "failed", reason }, "FAILED"),
} as const;
export type LargeAnswer = keyof typeof LARGE_ANSWERS;
export const LARGE_ANSWER_NAMES = Object.keys(LARGE_ANSWERS) as LargeAnswer[];

/** Returns the query to which the agent answers with one piece of this kind and size. */
export function createLargeQuery(kind: LargeAnswer, bytes: number, unit = "a"): string {
  return `send ${kind} ${bytes} ${unit}`;
}

/** Starts the agent, whose name is `large`. */
export function startLargeAgent(): Promise<FaultyServer> {
  const answer: AnswerHandler = (response, _, body) => {
    const [, kind = "text", bytes, unit] = /send ([a-z-]+) (\d+) (\p{L}|\p{So})/u.exec(body) ?? [];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(formatSse(workingTask));
    response.write(formatSse(LARGE_ANSWERS[kind as LargeAnswer](createSizedText(Number(bytes), unit))));
    response.end(formatSse(createStatusUpdate("COMPLETED")));
  };
  return startFaultyServer(answer, { name: "large" });
}
