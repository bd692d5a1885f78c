// What a person is shown who is to allow a call: everything that will run, and nothing of it twice.

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
  /** Why it is asked again. */
  readonly remark?: string;
  /** The code has passed the safety check, says who asks. */
  readonly isChecked: boolean;
  /** Other words of who asks. Empty where they only repeat the arguments. */
  readonly words: string;
};

/** What the words of an approval say beyond its arguments. */
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
  /** Several lines are shown one below the other with their numbers; everything else as JSON. */
  readonly lines: readonly string[] | null;
  readonly json: string;
};

/** Code has a name, a purpose and a text before all the rest. */
const FIRST: readonly string[] = ["name", "description", "code", "arguments"];

/** Which of two arguments of a tool is read first: below zero, it is the one before. */
export function readingOrder(tool: string): (a: string, b: string) => number {
  const rank = (name: string) => (tool === NEW_TOOL && FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return (a, b) => rank(a) - rank(b);
}

/** Every argument with every character that it has. */
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
