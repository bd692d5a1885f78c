import { Link } from "wouter";
import type { RunResult } from "../../protocol/recurring.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Cards } from "../ui/cards.tsx";
import { More } from "../ui/more.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { RunStatus } from "./run-status.tsx";
import styles from "./schedule.module.css";
import type { Runs } from "./use-runs.ts";
import { When } from "./when.tsx";
import { WORDS } from "./words.ts";

/** The results of past runs, newest first, loaded in pages. */
export function Results({ runs, conversationId }: { readonly runs: Runs; readonly conversationId: string }) {
  const say = useWords(WORDS);
  const { list, results } = runs;
  const { data, error, refetch } = list;
  return (
    <section className={styles["section"]}>
      <h2>{say("results")}</h2>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )
      ) : results.length === 0 ? (
        <p className={styles["quiet"]}>{say("noResults")}</p>
      ) : (
        <Cards>
          {results.map((result) => (
            <li key={result.run_id} className={styles["result"]}>
              <Result run={result} conversationId={conversationId} />
            </li>
          ))}
        </Cards>
      )}
      <More list={list} />
    </section>
  );
}

function Result({ run, conversationId }: { readonly run: RunResult; readonly conversationId: string }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { status, due_at, started_at, ended_at, result, error } = run;
  return (
    <>
      <div className={styles["line"]}>
        <RunStatus status={status} />
        <When at={due_at} />
        {ended_at === undefined || status === "skipped" ? null : (
          <span className={styles["quiet"]}>
            {say("took", { duration: format.duration(Math.max(0, ended_at - started_at)) })}
          </span>
        )}
      </div>
      {result === undefined || result.trim() === "" ? (
        status === "completed" ? (
          <p className={styles["quiet"]}>{say("noAnswer")}</p>
        ) : null
      ) : (
        <Markdown text={result} />
      )}
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
      <p className={styles["quiet"]}>
        <Link href={`/c/${conversationId}`}>{say("openConversation")}</Link>
      </p>
    </>
  );
}
