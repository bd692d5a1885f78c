// The content of an approval: everything that will run, exactly once.

import type { Approval } from "../../protocol/question.ts";
import { visible, visibleJson } from "../../protocol/visible.ts";
import type { Asked } from "./standing.ts";

const NEW_TOOL = "run_new_tool";
const NEW_TOOL_WORDS = "A new tool needs your approval before it runs: ";
const CHECKED = [
  "The safety check has passed: no network, no files, no access to anything but its arguments.",
  "Answer approve or refuse, or change the code or the arguments.",
].join("\n\n");

export type Notes = {
  /** The reason why the approval is requested again. */
  readonly remark?: string;
  /** True if the agent states that the code has passed the safety check. */
  readonly isChecked: boolean;
  /** The text of the agent; "" if it only repeats the arguments. */
  readonly words: string;
};

/** Extracts from the text of an approval what its arguments do not show already. */
export function notesOf({ content }: Pick<Asked, "content">, { tool, arguments: args }: Approval): Notes {
  const usual = `${visible(tool)} needs your approval. It will run with exactly these arguments:\n${visibleJson(args)}\nAnswer approve or refuse.`;
  if (content.endsWith(usual)) return { ...remarkIn(content.slice(0, -usual.length)), isChecked: false, words: "" };
  const start = content.indexOf(NEW_TOOL_WORDS);
  if (tool !== NEW_TOOL || start === -1 || !content.endsWith(CHECKED)) return { isChecked: false, words: content };
  return { ...remarkIn(content.slice(0, start)), isChecked: true, words: "" };
}

function remarkIn(text: string): Pick<Notes, "remark"> {
  return text.trim() === "" ? {} : { remark: text.trim() };
}

export type Shown = {
  readonly name: string;
  /** The lines of a multi-line string, shown with line numbers; null if the value is shown as JSON. */
  readonly lines: readonly string[] | null;
  readonly json: string;
};

/** The arguments of a new tool that are shown first, in this order. */
const FIRST: readonly string[] = ["name", "description", "code", "arguments"];

/** Returns a comparator that sorts argument names into reading order. */
export function readingOrder(tool: string): (a: string, b: string) => number {
  const rank = (name: string) => (tool === NEW_TOOL && FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return (a, b) => rank(a) - rank(b);
}

/** Returns all arguments in reading order, with invisible characters escaped. */
export function shownIn({ tool, arguments: args }: Pick<Approval, "tool" | "arguments">): Shown[] {
  const inOrder = readingOrder(tool);
  return Object.entries(args)
    .toSorted(([a], [b]) => inOrder(a, b))
    .map(([name, value]) => ({
      name: visible(name),
      lines: typeof value === "string" && value.trimEnd().includes("\n") ? value.split("\n").map(visible) : null,
      json: visibleJson(value),
    }));
}
