import { Link } from "wouter";
import type { ScheduleRunResult } from "../../../protocol/schedules/schedule.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { CardList } from "../../ui/card-list.tsx";
import { LoadFailure, Loading, LoadMore } from "../../ui/notice.tsx";
import { RunStatusBadge } from "./schedule-card.tsx";
import styles from "./schedule-page.module.css";
import type { ScheduleRunsQuery } from "./use-schedules.ts";
import { RelativeTime } from "./relative-time.tsx";

/** The results of the runs, newest first, with a link to the conversation; more are loaded at the end of the list. */
export function ScheduleResults({
  runs,
  conversationId,
}: {
  readonly runs: ScheduleRunsQuery;
  readonly conversationId: string;
}) {
  const t = useMessages("schedules");
  const { list, results } = runs;
  const { data, error, refetch } = list;
  return (
    <section className={styles["section"]}>
      <h2>{t("results")}</h2>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )
      ) : results.length === 0 ? (
        <p className="quiet">{t("noResults")}</p>
      ) : (
        <CardList>
          {results.map((result) => (
            <li key={result.run_id} className={styles["result"]}>
              <ScheduleRunResult run={result} conversationId={conversationId} />
            </li>
          ))}
        </CardList>
      )}
      <LoadMore list={list} />
    </section>
  );
}

function ScheduleRunResult({
  run,
  conversationId,
}: {
  readonly run: ScheduleRunResult;
  readonly conversationId: string;
}) {
  const t = useMessages("schedules");
  const format = useFormatter();
  const { status, due_at, started_at, ended_at, result, error } = run;
  return (
    <>
      <div className={styles["line"]}>
        <RunStatusBadge status={status} />
        <RelativeTime at={due_at} />
        {ended_at === undefined || status === "skipped" ? null : (
          <span className="quiet">{t("took", { duration: format.duration(Math.max(0, ended_at - started_at)) })}</span>
        )}
      </div>
      {result === undefined || result.trim() === "" ? (
        status === "completed" ? (
          <p className="quiet">{t("noAnswer")}</p>
        ) : null
      ) : (
        <Markdown text={result} />
      )}
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
      <p className="quiet">
        <Link href={`/c/${conversationId}`}>{t("openConversation")}</Link>
      </p>
    </>
  );
}
