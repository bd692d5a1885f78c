import type { ToolWithVersions } from "../../../protocol/tools/stored-tool.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./tool-page.module.css";

/** Category, uses, creation time and last run of a tool, with the error of the run if it failed. */
export function ToolFacts({ tool }: { readonly tool: ToolWithVersions }) {
  const t = useMessages("tools");
  const format = useFormatter();
  const { category, uses, last_run: run, created_at: created } = tool;
  return (
    <>
      <p className={styles["facts"]}>
        <Badge tone="info">{t(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{t(run.status)}</Badge>
        <span>{t("uses", { count: uses })}</span>
        <span>
          {t("lastRun")} <TimeLabel at={run.at} words={format.relativeTime(run.at)} />
        </span>
        <span>
          {t("created")} <TimeLabel at={created} words={format.relativeTime(created)} />
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
