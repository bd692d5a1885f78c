// The answer of a plan whose synthesis failed: a notice with the reason, then the result of each task under its title.

import { assertNever } from "../../lib/assert.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { Failure } from "../../protocol/wire/message-error.ts";
import type { Ports } from "../ports.ts";
import type { EndedTask } from "./executor.ts";

/** Formats the results of all tasks as Markdown, each truncated to `maxChars`; readers have the full results. */
export function formatResultList(
  { formatMessage }: Pick<Ports, "formatMessage">,
  ended: readonly EndedTask[],
  failure: Failure,
  maxChars: number,
): string {
  const notice = formatMessage(createMessage("synthesis.failed", { reason: formatMessage(failure.text) }));
  const sections = ended.map((task) => {
    const text = formatMessage(describeEnd(task));
    return `**${task.task.title}**\n\n${truncateWithEllipsis(text, maxChars)}`;
  });
  return [notice, ...sections].join("\n\n");
}

function describeEnd(ended: EndedTask): Message | string {
  switch (ended.status) {
    case "completed":
    case "scheduled":
      return ended.result;
    case "failed":
      return createMessage("synthesis.taskFailed", { reason: ended.error });
    case "cancelled":
      return createMessage("synthesis.taskCancelled", { reason: ended.error });
    default:
      return assertNever(ended);
  }
}
