import { Brain } from "lucide-react";
import { textOf, type Item } from "../../protocol/items.ts";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Fold } from "./fold.tsx";
import { WORDS } from "./words.ts";

const MAX_CHARS = 200;

/** Shows the reasoning of an agent. */
export function Reasoning({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const say = useWords(WORDS);
  const text = textOf(item);
  return (
    <Fold
      of={item.item_id}
      icon={<Brain size={16} aria-hidden />}
      title={say(isRunning ? "thinking" : "thought")}
      hint={visible(unmarked(isRunning ? lastLineOf(text) : firstLineOf(text)))}
      standing={isRunning ? "running" : "none"}
    >
      {() => <Markdown text={text} isStreaming={isRunning} />}
    </Fold>
  );
}

/** Returns the last line, or the end of a long one, because the newest text is at the end. */
function lastLineOf(text: string): string {
  const line = text.slice(-2_000).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line.length > MAX_CHARS ? `…${line.slice(-MAX_CHARS).toWellFormed()}` : line;
}

function firstLineOf(text: string): string {
  return (text.slice(0, 2_000).trimStart().split("\n")[0] ?? "").slice(0, MAX_CHARS).toWellFormed();
}

/** Removes Markdown marks from a line. */
function unmarked(line: string): string {
  return line.replace(/^[\s#>*+-]+/, "").replaceAll(/\*{1,3}|`+|~~/g, "");
}
