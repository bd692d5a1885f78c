import { Brain } from "lucide-react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { FoldableStep } from "./foldable-step.tsx";

const MAX_CHARS = 200;

/** Shows the reasoning of an agent, folded to its last line while it runs and to its first line afterwards. */
export function ReasoningStep({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const t = useMessages("steps");
  const text = getItemText(item);
  return (
    <FoldableStep
      itemId={item.item_id}
      icon={<Brain size={16} aria-hidden />}
      title={t(isRunning ? "thinking" : "thought")}
      hint={escapeInvisible(stripMarkdownMarks(isRunning ? getLastLine(text) : getFirstLine(text)))}
      status={isRunning ? "running" : "none"}
    >
      {() => <Markdown text={text} isStreaming={isRunning} />}
    </FoldableStep>
  );
}

/** Returns the last line, or the end of a long one, because the newest text is at the end. */
function getLastLine(text: string): string {
  const line = text.slice(-2_000).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length > MAX_CHARS ? `…${line.slice(-MAX_CHARS).toWellFormed()}` : line;
}

function getFirstLine(text: string): string {
  return (text.slice(0, 2_000).trimStart().split("\n")[0] ?? "").slice(0, MAX_CHARS).toWellFormed();
}

/** Removes Markdown marks from a line. */
function stripMarkdownMarks(line: string): string {
  return line.replace(/^[\s#>*+-]+/, "").replaceAll(/\*{1,3}|`+|~~/g, "");
}
