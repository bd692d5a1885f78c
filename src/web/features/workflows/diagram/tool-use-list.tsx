import { Wrench } from "lucide-react";
import { tryParseJson } from "../../../../lib/parse-json.ts";
import type { ToolUse } from "../../../../protocol/workflows/workflow-instance.ts";
import { useMessages } from "../../../session/language.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import styles from "./workflow-diagram.module.css";

/** Lists the tool calls of an agent with arguments and results, folded to the names of the tools. */
export function ToolUseList({ tools }: { readonly tools: readonly ToolUse[] }) {
  const t = useMessages("workflows");
  const names = [...new Set(tools.map(({ tool }) => tool))].join(", ");
  return (
    <details className={styles["fold"]}>
      <summary>
        <Wrench size={14} aria-hidden /> {t("toolsUsed", { n: tools.length })} <code>{names}</code>
      </summary>
      <ol className={styles["uses"]}>
        {tools.map(({ tool, arguments: given, result }, i) => (
          // The list is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>
            <code>{tool}</code>
            {given === undefined ? null : <ToolUseValue label={t("arguments")} text={given} />}
            <ToolUseValue label={t("result")} text={result} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function ToolUseValue({ label, text }: { readonly label: string; readonly text: string }) {
  const value = tryParseJson(text);
  return (
    <div>
      <p className={styles["quiet"]}>{label}</p>
      {value === undefined ? <pre className={styles["source"]}>{text}</pre> : <JsonView value={value} />}
    </div>
  );
}
