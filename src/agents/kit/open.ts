import type { Message } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { mint } from "../../protocol/ids.ts";
import { requestOf, textOf } from "./perform.ts";
import { Run, type Runs } from "./runs.ts";

const MAX_ID_CHARS = 256;

/**
 * The run that a message begins. A message to a task is the answer to its question. Whoever knows our extension
 * brings along what the agent needs to go on, so the task need not be known here, and an attempt that was
 * interrupted may be repeated; for others the task is remembered.
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

/** The next run of a task that waits, given the plain words of an answer. */
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
