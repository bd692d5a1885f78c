// Opens the run of an incoming message: a new task, a repeated attempt, or the reply to a question.

import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { createId } from "../../../protocol/wire/ids.ts";
import { toAgentRequest, joinTextParts } from "./run-agent.ts";
import { AgentTaskRun, type AgentTaskRuns } from "./agent-task-runs.ts";

/** Maximum characters of a task id that a client sends. */
const MAX_ID_CHARS = 256;

/**
 * Creates the run for a message and adds it to the known runs. A message with a task id answers the question of the
 * task. With a reply in our extension this isolate need not know the task; a known run of it is cancelled. Without it
 * the text is the answer: throws `TaskNotFoundError` if the task is not known here, and `UnsupportedOperationError` if
 * it has ended or has asked nothing. Throws `UnsupportedOperationError` if the client cancelled the task, and
 * `RequestMalformedError` for a too long id or invalid parameters of our extension.
 */
export function openTaskRun(runs: AgentTaskRuns, message: Message): AgentTaskRun {
  const { taskId } = message;
  if (taskId.length > MAX_ID_CHARS) throw new RequestMalformedError("The task's id is too long.");
  const earlier = taskId === "" ? undefined : runs.get(taskId);
  const id = taskId === "" ? createId("task") : taskId;
  const contextId = message.contextId === "" ? (earlier?.contextId ?? createId("conv")) : message.contextId;
  const request = toAgentRequest(message, id, contextId);
  if (earlier?.isCancelledByClient === true) throw createEndedError();
  const isPlainAnswer = taskId !== "" && request.reply === undefined;
  const run = isPlainAnswer ? createReplyRun(earlier, message) : new AgentTaskRun(id, request);
  if (!isPlainAnswer) earlier?.cancel();
  runs.add(run);
  return run;
}

/** Creates the next run of a waiting task from the plain text of a reply. */
function createReplyRun(earlier: AgentTaskRun | undefined, message: Message): AgentTaskRun {
  if (earlier === undefined) throw new TaskNotFoundError("No such task here.");
  if (earlier.isFinished) throw createEndedError();
  if (!earlier.isWaiting) throw new UnsupportedOperationError("The task is at work and has asked nothing.");
  const { id, request, questionState: state } = earlier;
  const reply = {
    answer: { message: joinTextParts(message) },
    remote_task_id: id,
    ...(state === undefined ? {} : { state }),
  };
  return new AgentTaskRun(id, { ...request, message_id: message.messageId, reply }, earlier);
}

function createEndedError(): Error {
  return new UnsupportedOperationError("The task has ended.");
}
