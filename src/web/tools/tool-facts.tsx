import type { ToolWithVersions } from "../../protocol/tools.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import styles from "./tool.module.css";
import { WORDS } from "./words.ts";

/** Category, last run, uses and creation time of a tool. */
export function ToolFacts({ tool }: { readonly tool: ToolWithVersions }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { category, uses, last_run: run, created_at: created } = tool;
  return (
    <>
      <p className={styles["facts"]}>
        <Badge tone="info">{say(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{say(run.status)}</Badge>
        <span>{say("uses", { count: uses })}</span>
        <span>
          {say("lastRun")} <Moment at={run.at} words={format.distance(run.at)} />
        </span>
        <span>
          {say("created")} <Moment at={created} words={format.distance(created)} />
        </span>
      </p>
      {run.error === undefined ? null : <p className={styles["error"]}>{run.error}</p>}
    </>
  );
}

function Moment({ at, words }: { readonly at: number; readonly words: string }) {
  const format = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.moment(at)}>
      {words}
    </time>
  );
}
