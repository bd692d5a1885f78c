import { Wrench } from "lucide-react";
import type { Item } from "../../protocol/items.ts";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Fold } from "./fold.tsx";
import { Shown } from "./shown.tsx";
import styles from "./steps.module.css";
import { inWords, isFailure, parsed, resultOf, stringIn, tellingOf } from "./values.ts";
import { WORDS } from "./words.ts";

/** One call of a tool: what it was asked and what it answered. */
export function ToolCall({ item, isRunning }: { readonly item: Item; readonly isRunning: boolean }) {
  const say = useWords(WORDS);
  const args = stringIn(item.payload, "tool_arguments");
  const answer = item.payload["tool_result"];
  const result = typeof answer === "string" ? resultOf(answer) : null;
  const standing = result !== null ? (isFailure(result) ? "failed" : "succeeded") : isRunning ? "running" : "none";
  return (
    <Fold
      icon={<Wrench size={16} aria-hidden />}
      title={visible(inWords(stringIn(item.payload, "tool_name")))}
      hint={visible(tellingOf(args))}
      standing={standing}
    >
      {() => (
        <>
          <h4 className={styles["label"]}>{say("arguments")}</h4>
          {isNothing(args) ? <p className={styles["quiet"]}>{say("noArguments")}</p> : <Shown content={parsed(args)} />}
          <h4 className={styles["label"]}>{say("result")}</h4>
          {result === null ? <p className={styles["quiet"]}>{say("noResult")}</p> : null}
          {result?.map((part, i) => (
            <Shown key={i} content={part} />
          ))}
        </>
      )}
    </Fold>
  );
}

function isNothing(args: string): boolean {
  return args.trim() === "" || /^\{\s*\}$/.test(args.trim());
}
