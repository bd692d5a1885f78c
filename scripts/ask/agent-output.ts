// Interleaves the output of concurrent tasks on one terminal. The text of one task is written at once; the text of the
// other tasks is buffered until that task produces another event.

import type { Paint, Style } from "./paint.ts";

type OutputPart = {
  readonly speaker: string;
  readonly text: string;
  readonly style?: Style | undefined;
  /** The text is complete. Later text of the task begins a new line. */
  readonly isComplete?: true;
};

export function createAgentOutput(paint: Paint) {
  /** Task and style of the last text. */
  let lastKey: string | undefined;
  let isAtStart = true;
  let currentTask: string | undefined;
  const pending = new Map<string, OutputPart[]>();

  /** Writes text. Starts a new line with the name of the agent if task or style differ from the last text. */
  function write(task: string, { speaker, text, style, isComplete }: OutputPart): string {
    const key = `${task} ${style ?? ""}`;
    const head =
      lastKey === key && isComplete !== true ? "" : `${isAtStart ? "" : "\n"}${paint("bold", `${speaker}:`)} `;
    lastKey = isComplete === true ? undefined : key;
    isAtStart = text.endsWith("\n");
    return head + (style === undefined ? text : paint(style, text));
  }

  function flushTask(task: string): string {
    const parts = pending.get(task) ?? [];
    pending.delete(task);
    return parts.map((part) => write(task, part)).join("");
  }

  const flushAll = (): string => [...pending.keys()].map(flushTask).join("");

  return {
    /** Returns the text to write now. Buffers it while another task streams. */
    writeText(task: string, part: OutputPart): string {
      if (part.text === "") return "";
      currentTask ??= task;
      if (currentTask === task) return write(task, part);
      pending.set(task, [...(pending.get(task) ?? []), part]);
      return "";
    },

    /** Returns a separate line for an event of `task`, or of all tasks if it is undefined, after buffered text. */
    writeLine(task: string | undefined, text: string): string {
      const before = task === undefined ? flushAll() : flushTask(task);
      const line = `${isAtStart ? "" : "\n"}${text}\n`;
      lastKey = undefined;
      isAtStart = true;
      if (task !== undefined && task !== currentTask) return before + line;
      currentTask = undefined;
      return before + line + flushAll();
    },
  };
}
