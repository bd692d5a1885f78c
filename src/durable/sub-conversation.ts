// The read-only conversation of one task: a view of the frames of its parent.

import type { Frame } from "../protocol/wire/events.ts";
import { Fault } from "../protocol/wire/fault.ts";

/** Returns the frame as a frame of conversation `id`. */
export function withConversationId(id: string, frame: Frame): Frame {
  return { ...frame, data: { ...frame.data, conversation_id: id } } as Frame;
}

export function belongsToTask({ data }: Frame, task: string): boolean {
  return "task_id" in data && data.task_id === task;
}

export function* filterTaskFrames(frames: Iterable<Frame>, task: string): Generator<Frame> {
  for (const frame of frames) if (belongsToTask(frame, task)) yield frame;
}

/** Returns the fault that rejects writes to a task's conversation. */
export function createReadOnlyFault(parent: string): Fault {
  return new Fault("conflict", `This shows one task of ${parent}, and is there to be read. Turn to that conversation.`);
}
