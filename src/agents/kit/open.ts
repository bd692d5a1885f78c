// Opens the run of an incoming message: a new task, a repeated attempt, or the reply to a question.

import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { mint } from "../../protocol/ids.ts";
import { requestOf, textOf } from "./perform.ts";
import { Run, type Runs } from "./runs.ts";

/** Maximum characters of a task id that a client sends. */
const MAX_ID_CHARS = 256;

/**
 * Creates the run for a message and adds it to the known runs. A message to a task is the reply to its question. A
 * client with our extension sends everything that the agent needs to continue, so this isolate need not know the
 * task, and an interrupted attempt may be repeated. For other clients the task must be known here: throws
 * `TaskNotFoundError` if it is not, and `UnsupportedOperationError` if it has ended or does not wait.
 */
export function openRun(runs: Runs, message: Message): Run {
  const { taskId } = message;
  if (taskId.length > MAX_ID_CHARS) throw new RequestMalformedError("The task's id is too long.");
  const earlier = taskId === "" ? undefined : runs.get(taskId);
  const id = taskId === "" ? mint("task") : taskId;
  const contextId = message.contextId === "" ? (earlier?.contextId ?? mint("conv")) : message.contextId;
  const request = requestOf(message, id, contextId);
  if (earlier?.isCalledOff === true) throw ended();
  const isPlainAnswer = taskId !== "" && request.reply === undefined;
  const run = isPlainAnswer ? goingOn(earlier, message) : new Run(id, request);
  if (!isPlainAnswer) earlier?.cancel();
  runs.open(run);
  return run;
}

/** Creates the next run of a waiting task from the plain text of a reply. */
function goingOn(earlier: Run | undefined, message: Message): Run {
  if (earlier === undefined) throw new TaskNotFoundError("No such task here.");
  if (earlier.isFinished) throw ended();
  if (!earlier.isWaiting) throw new UnsupportedOperationError("The task is at work and has asked nothing.");
  const { id, request, stateAsked: state } = earlier;
  const reply = {
    answer: { message: textOf(message) },
    remote_task_id: id,
    ...(state === undefined ? {} : { state }),
  };
  return new Run(id, { ...request, message_id: message.messageId, reply }, earlier);
}

function ended(): Error {
  return new UnsupportedOperationError("The task has ended.");
}
