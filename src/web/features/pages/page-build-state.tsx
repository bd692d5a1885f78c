// The state of a page build: progress, stopped, or failed with suggestions.

import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { PageProgressView } from "./page-progress-view.tsx";
import type { PageProgress } from "./page-progress.ts";
import styles from "./page-build-state.module.css";
import type { PageBuilder } from "./use-page-build.ts";

/** Shows nothing before the first build and after a finished build. A failed build can be repeated. */
export function PageBuildState({
  builder: { build, stop, restart },
  onSuggestion,
}: {
  readonly builder: PageBuilder;
  /** Called with a suggested name that exists, in place of the unknown one. */
  readonly onSuggestion?: (name: string) => void;
}) {
  const t = useMessages("pages");
  switch (build.status) {
    case "idle":
      return null;
    case "stopped":
      return (
        <p className={styles["stopped"]} role="status">
          {t("stopped")}
        </p>
      );
    case "running":
      return <PageProgressView building={build.building} onStop={stop} />;
    case "failed":
      return (
        <div className={styles["failed"]} role="alert">
          <strong>{t("failed")}</strong>
          <p>{build.words ?? t("disconnected")}</p>
          <BuildProblems
            words={build.words ?? ""}
            building={build.building}
            {...(onSuggestion === undefined ? {} : { onSuggestion })}
          />
          <Button onClick={restart}>{t("retry")}</Button>
        </div>
      );
  }
}

function BuildProblems({
  words,
  building,
  onSuggestion,
}: {
  /** The message that is shown already. */
  readonly words: string;
  readonly building: PageProgress;
  readonly onSuggestion?: (name: string) => void;
}) {
  const t = useMessages("pages");
  return building.problems.map(({ message, suggestions }) => (
    <div key={message}>
      {words.includes(message) ? null : <p>{message}</p>}
      {suggestions.length === 0 ? null : (
        <p className={styles["suggestions"]}>
          {t("didYouMean")}{" "}
          {suggestions.map((name) =>
            onSuggestion === undefined ? (
              <code key={name}>{name}</code>
            ) : (
              <Button key={name} onClick={() => onSuggestion(name)}>
                {name}
              </Button>
            ),
          )}
        </p>
      )}
    </div>
  ));
}
