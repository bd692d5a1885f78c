// Filters the repeated question from the answer stream of some agents.

import { TaskState, type StreamResponse } from "@a2a-js/sdk";

/**
 * Yields the stream without a question at its very beginning. Some agents first send the state of the task, which is
 * the question that was just answered. A question that nothing follows is a new one and is yielded at the end.
 */
export async function* skipReplayedQuestion(
  portions: AsyncIterable<readonly StreamResponse[]>,
): AsyncGenerator<readonly StreamResponse[]> {
  let heldQuestion: StreamResponse | undefined;
  let isFirst = true;
  for await (const portion of portions) {
    const [first, ...rest] = portion;
    if (isFirst && first !== undefined && isQuestion(first)) {
      heldQuestion = first;
      isFirst = false;
      if (rest.length === 0) continue;
      yield rest;
    } else yield portion;
    heldQuestion = undefined;
    isFirst = false;
  }
  if (heldQuestion !== undefined) yield [heldQuestion];
}

function isQuestion({ payload }: StreamResponse): boolean {
  return payload?.$case === "task" && payload.value.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
}
