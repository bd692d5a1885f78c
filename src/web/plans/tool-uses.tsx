import { Wrench } from "lucide-react";
import { jsonIn } from "../../protocol/json-text.ts";
import type { ToolUse } from "../../protocol/plan-instance.ts";
import { useWords } from "../language.ts";
import { Json } from "../steps/json.tsx";
import styles from "./picture.module.css";
import { WORDS } from "./words.ts";

/** Lists the tool calls of an agent with arguments and results. */
export function ToolUses({ tools }: { readonly tools: readonly ToolUse[] }) {
  const say = useWords(WORDS);
  const names = [...new Set(tools.map(({ tool }) => tool))].join(", ");
  return (
    <details className={styles["fold"]}>
      <summary>
        <Wrench size={14} aria-hidden /> {say("toolsUsed", { n: tools.length })} <code>{names}</code>
      </summary>
      <ol className={styles["uses"]}>
        {tools.map(({ tool, arguments: given, result }, i) => (
          // The list is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>
            <code>{tool}</code>
            {given === undefined ? null : <Value label={say("arguments")} text={given} />}
            <Value label={say("result")} text={result} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Value({ label, text }: { readonly label: string; readonly text: string }) {
  const value = jsonIn(text);
  return (
    <div>
      <p className={styles["quiet"]}>{label}</p>
      {value === undefined ? <pre className={styles["source"]}>{text}</pre> : <Json value={value} />}
    </div>
  );
}
