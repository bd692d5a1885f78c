import { TaskState, type StreamResponse } from "@a2a-js/sdk";

/**
 * The stream of an answer, without the question at its beginning: some agents tell first how the task stands, which is
 * that it asks what has just been answered. A question that nothing follows is a new one.
 */
export async function* withoutEcho(
  portions: AsyncIterable<readonly StreamResponse[]>,
): AsyncGenerator<readonly StreamResponse[]> {
  let held: StreamResponse | undefined;
  let isFirst = true;
  for await (const portion of portions) {
    const [first, ...rest] = portion;
    if (isFirst && first !== undefined && asks(first)) {
      held = first;
      isFirst = false;
      if (rest.length === 0) continue;
      yield rest;
    } else yield portion;
    held = undefined;
    isFirst = false;
  }
  if (held !== undefined) yield [held];
}

function asks({ payload }: StreamResponse): boolean {
  return payload?.$case === "task" && payload.value.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
}
