// The content of an approval: everything that will run, exactly once.

import type { Approval } from "../../../../protocol/wire/question.ts";
import { escapeInvisible, formatEscapedJson } from "../../../../lib/escape-invisible.ts";
import {
  createOriginMarks,
  formatMarkedJson,
  splitAtSpans,
  splitLines,
  toPointerSegment,
  type TextPiece,
} from "./marked-text.ts";
import type { AskedQuestion } from "./question-view-state.ts";

const NEW_TOOL = "run_new_tool";
/** The message `approval.prompt` of the server, in each language. */
const STANDARD_FORMS: readonly ((tool: string, args: string) => string)[] = [
  (tool, args) =>
    `${tool} needs your approval. It will run with exactly these arguments:\n${args}\nAnswer approve or refuse.`,
  (tool, args) => `${tool} 需要你的批准。它将使用以下参数运行：\n${args}\n请回答 approve（批准）或 refuse（拒绝）。`,
];
/** The start and the end of the message `toolsmith.codeQuestion` of the server, in each language. */
const NEW_TOOL_FORMS = [
  {
    start: "A new tool needs your approval before it runs: ",
    end: "The safety check has passed: no network, no files, no access to anything but its arguments.\n\nAnswer approve or refuse, or change the code or the arguments.",
  },
  {
    start: "新工具需要你批准后才能运行：",
    end: "安全检查已通过：不能访问网络和文件，也不能访问参数以外的任何内容。\n\n请回答 approve（批准）或 refuse（拒绝），也可以修改代码或参数。",
  },
] as const;

type ApprovalNotes = {
  /** The reason why the approval is requested again. */
  readonly remark?: string;
  /** True if the agent states that the code has passed the safety check. */
  readonly isChecked: boolean;
  /** The text of the agent; "" if it is the standard text, which only repeats the arguments. */
  readonly words: string;
};

/** Extracts the parts of the text of an approval that its arguments do not show already. */
export function parseApprovalNotes(
  { content }: Pick<AskedQuestion, "content">,
  { tool, arguments: args }: Approval,
): ApprovalNotes {
  const shown = [escapeInvisible(tool), formatEscapedJson(args)] as const;
  const standardText = STANDARD_FORMS.map((format) => format(...shown)).find((text) => content.endsWith(text));
  if (standardText !== undefined)
    return { ...toRemark(content.slice(0, -standardText.length)), isChecked: false, words: "" };
  const form = NEW_TOOL_FORMS.find(({ start, end }) => content.includes(start) && content.endsWith(end));
  if (tool !== NEW_TOOL || form === undefined) return { isChecked: false, words: content };
  return { ...toRemark(content.slice(0, content.indexOf(form.start))), isChecked: true, words: "" };
}

function toRemark(text: string): Pick<ApprovalNotes, "remark"> {
  return text.trim() === "" ? {} : { remark: text.trim() };
}

/** All texts have their invisible characters escaped. */
export type ShownArgument = {
  readonly name: readonly TextPiece[];
  /** The lines of a multi-line string, shown with line numbers; null if the value is shown as JSON. */
  readonly lines: readonly (readonly TextPiece[])[] | null;
  readonly json: readonly TextPiece[];
};

/** The arguments of a new tool that are shown first, in this order. */
const LEADING_ARGUMENTS: readonly string[] = ["name", "description", "code", "arguments"];

/**
 * Returns a comparator of argument names: for a new tool `LEADING_ARGUMENTS` first, all others in their given order.
 */
export function createReadingOrder(tool: string): (a: string, b: string) => number {
  const rank = (name: string) =>
    tool === NEW_TOOL && LEADING_ARGUMENTS.includes(name) ? LEADING_ARGUMENTS.indexOf(name) : LEADING_ARGUMENTS.length;
  return (a, b) => rank(a) - rank(b);
}

/** Returns all arguments of an approval in the order of `createReadingOrder`, with the marks of its origins. */
export function listShownArguments(approval: Pick<Approval, "tool" | "arguments" | "origins">): ShownArgument[] {
  const compareNames = createReadingOrder(approval.tool);
  const marks = createOriginMarks(approval);
  return Object.entries(approval.arguments)
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([name, value]) => {
      const path = `/${toPointerSegment(name)}`;
      return {
        name: splitAtSpans(name, marks(path, true)).map(escapePiece),
        lines:
          typeof value === "string" && value.trimEnd().includes("\n")
            ? splitLines(splitAtSpans(value, marks(path, false))).map((line) => line.map(escapePiece))
            : null,
        json: formatMarkedJson(value, path, marks),
      };
    });
}

function escapePiece({ text, source }: TextPiece): TextPiece {
  return { text: escapeInvisible(text), source };
}
