// The read-only conversation of one task: a view of the frames of its parent.

import type { Frame } from "../../protocol/wire/events.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";

/** Returns a copy of the frame that belongs to conversation `id`. */
export function withConversationId(id: string, frame: Frame): Frame {
  return { ...frame, data: { ...frame.data, conversation_id: id } } as Frame;
}

/** True if the frame has this task id. */
export function belongsToTask({ data }: Frame, task: string): boolean {
  return "task_id" in data && data.task_id === task;
}

export function* filterTaskFrames(frames: Iterable<Frame>, task: string): Generator<Frame> {
  for (const frame of frames) if (belongsToTask(frame, task)) yield frame;
}

/** Returns the fault that rejects writes to a task's conversation. */
export function createReadOnlyFault(parent: string): Fault {
  return createFault("conflict", createMessage("conversation.readOnly", { parent }));
}
