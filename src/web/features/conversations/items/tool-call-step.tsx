import { Wrench } from "lucide-react";
import type { Item } from "../../../../protocol/wire/items.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { FoldableStep } from "./foldable-step.tsx";
import { StepContent } from "./attached-data.tsx";
import styles from "./steps.module.css";
import {
  toFields,
  formatIdentifier,
  isToolFailure,
  parseStepText,
  parseToolResult,
  getStringField,
  summarizeArguments,
  type StepValue,
} from "../state/step-values.ts";

/** The steps of the toolsmith that have a translated name. */
const TOOLSMITH_STEPS = ["search", "use_existing", "generate", "safety_check", "execute", "register"] as const;

/** Shows a tool call with its arguments and its result, folded to its name and a summary of the arguments. */
export function ToolCallStep({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const t = useMessages("steps");
  const name = getStringField(item.payload, "tool_name");
  const step = item.agent_name === "toolsmith" ? TOOLSMITH_STEPS.find((known) => known === name) : undefined;
  const args = getStringField(item.payload, "tool_arguments");
  const answer = item.payload["tool_result"];
  const result = typeof answer === "string" ? parseToolResult(answer) : null;
  const status = result !== null ? (isToolFailure(result) ? "failed" : "succeeded") : isRunning ? "running" : "none";
  return (
    <FoldableStep
      itemId={item.item_id}
      icon={<Wrench size={16} aria-hidden />}
      title={step === undefined ? escapeHiddenControls(formatIdentifier(name)) : t(step)}
      hint={escapeHiddenControls(summarizeArguments(args))}
      status={status}
    >
      {() => (
        <>
          <p className={styles["label"]}>{t("arguments")}</p>
          {isEmptyArguments(args) ? (
            <p className="quiet">{t("noArguments")}</p>
          ) : (
            <StepContent content={parseStepText(args)} />
          )}
          <p className={styles["label"]}>{t("result")}</p>
          {result === null ? <p className="quiet">{t("noResult")}</p> : null}
          {result?.map((part, i) => (
            <ToolResultPart key={i} part={part} />
          ))}
        </>
      )}
    </FoldableStep>
  );
}

/** Shows a part of a result. Multi-line `code` is highlighted, with the other fields below. */
function ToolResultPart({ part }: { readonly part: StepValue }) {
  const fields = part.kind === "json" ? toFields(part.value) : null;
  const code = fields?.["code"];
  if (fields === null || typeof code !== "string" || !code.includes("\n")) return <StepContent content={part} />;
  const { code: _, ...rest } = fields;
  const fence = "`".repeat(Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  return (
    <>
      <Markdown text={`${fence}js\n${code}\n${fence}`} />
      <StepContent content={{ kind: "json", value: rest }} />
    </>
  );
}

function isEmptyArguments(args: string): boolean {
  return args.trim() === "" || /^\{\s*\}$/.test(args.trim());
}
