import { Wrench } from "lucide-react";
import type { Item } from "../../protocol/items.ts";
import { plainly } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Fold } from "./fold.tsx";
import { Shown } from "./shown.tsx";
import styles from "./steps.module.css";
import { fieldsOf, inWords, isFailure, parsed, resultOf, stringIn, tellingOf, type Parsed } from "./values.ts";
import { WORDS } from "./words.ts";

/** The steps of the toolsmith that have a translated name. */
const STEPS = ["search", "use_existing", "generate", "safety_check", "execute", "register"] as const;

/** Shows a tool call with its arguments and its result. */
export function ToolCall({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const say = useWords(WORDS);
  const name = stringIn(item.payload, "tool_name");
  const step = item.agent_name === "toolsmith" ? STEPS.find((known) => known === name) : undefined;
  const args = stringIn(item.payload, "tool_arguments");
  const answer = item.payload["tool_result"];
  const result = typeof answer === "string" ? resultOf(answer) : null;
  const standing = result !== null ? (isFailure(result) ? "failed" : "succeeded") : isRunning ? "running" : "none";
  return (
    <Fold
      of={item.item_id}
      icon={<Wrench size={16} aria-hidden />}
      title={step === undefined ? plainly(inWords(name)) : say(step)}
      hint={plainly(tellingOf(args))}
      standing={standing}
    >
      {() => (
        <>
          <p className={styles["label"]}>{say("arguments")}</p>
          {isNothing(args) ? <p className={styles["quiet"]}>{say("noArguments")}</p> : <Shown content={parsed(args)} />}
          <p className={styles["label"]}>{say("result")}</p>
          {result === null ? <p className={styles["quiet"]}>{say("noResult")}</p> : null}
          {result?.map((part, i) => (
            <Answer key={i} part={part} />
          ))}
        </>
      )}
    </Fold>
  );
}

/** Shows a part of a result. Multi-line `code` is highlighted, with the other fields below. */
function Answer({ part }: { readonly part: Parsed }) {
  const fields = part.kind === "json" ? fieldsOf(part.value) : null;
  const code = fields?.["code"];
  if (fields === null || typeof code !== "string" || !code.includes("\n")) return <Shown content={part} />;
  const { code: _, ...rest } = fields;
  const fence = "`".repeat(Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  return (
    <>
      <Markdown text={`${fence}js\n${code}\n${fence}`} />
      <Shown content={{ kind: "json", value: rest }} />
    </>
  );
}

function isNothing(args: string): boolean {
  return args.trim() === "" || /^\{\s*\}$/.test(args.trim());
}
