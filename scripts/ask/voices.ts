// What several agents say at once, on one terminal: one of them speaks, the others wait until it has done something else.

import type { Paint, Style } from "./paint.ts";

type Said = {
  readonly who: string;
  readonly text: string;
  readonly style?: Style | undefined;
  /** Said in one, and not gone on with. */
  readonly isWhole?: true;
};

export function createVoices(paint: Paint) {
  /** Whose words stand last, and how they look. */
  let last: string | undefined;
  let isAtStart = true;
  let speaking: string | undefined;
  const waiting = new Map<string, Said[]>();

  /** A change of who speaks begins a new line with the name. */
  function write(task: string, { who, text, style, isWhole }: Said): string {
    const key = `${task} ${style ?? ""}`;
    const head = last === key && isWhole !== true ? "" : `${isAtStart ? "" : "\n"}${paint("bold", `${who}:`)} `;
    last = isWhole === true ? undefined : key;
    isAtStart = text.endsWith("\n");
    return head + (style === undefined ? text : paint(style, text));
  }

  function heard(task: string): string {
    const said = waiting.get(task) ?? [];
    waiting.delete(task);
    return said.map((one) => write(task, one)).join("");
  }

  const allHeard = (): string => [...waiting.keys()].map(heard).join("");

  return {
    /** Running text. */
    words(task: string, said: Said): string {
      if (said.text === "") return "";
      speaking ??= task;
      if (speaking === task) return write(task, said);
      waiting.set(task, [...(waiting.get(task) ?? []), said]);
      return "";
    },

    /** A line of its own, wherever the running text stands: what happens to `task`, or to all of them. */
    line(task: string | undefined, text: string): string {
      const before = task === undefined ? allHeard() : heard(task);
      const own = `${isAtStart ? "" : "\n"}${text}\n`;
      last = undefined;
      isAtStart = true;
      if (task !== undefined && task !== speaking) return before + own;
      speaking = undefined;
      return before + own + allHeard();
    },
  };
}
