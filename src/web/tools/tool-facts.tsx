import type { ToolWithVersions } from "../../protocol/tools/stored-tool.ts";
import { useFormatter } from "../formatter.ts";
import { useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import styles from "./tool-page.module.css";
import { WORDS } from "./words.ts";

/** Category, last run, uses and creation time of a tool. */
export function ToolFacts({ tool }: { readonly tool: ToolWithVersions }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const { category, uses, last_run: run, created_at: created } = tool;
  return (
    <>
      <p className={styles["facts"]}>
        <Badge tone="info">{say(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{say(run.status)}</Badge>
        <span>{say("uses", { count: uses })}</span>
        <span>
          {say("lastRun")} <TimeLabel at={run.at} words={format.relativeTime(run.at)} />
        </span>
        <span>
          {say("created")} <TimeLabel at={created} words={format.relativeTime(created)} />
        </span>
      </p>
      {run.error === undefined ? null : <p className={styles["error"]}>{run.error}</p>}
    </>
  );
}

function TimeLabel({ at, words }: { readonly at: number; readonly words: string }) {
  const format = useFormatter();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {words}
    </time>
  );
}
