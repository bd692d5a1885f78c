// The state of a page build: progress, stopped, or failed with suggestions.

import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { BuildingView } from "./building-view.tsx";
import type { Building } from "./building.ts";
import styles from "./build-state.module.css";
import type { Builder } from "./use-build.ts";
import { WORDS } from "./words.ts";

export function BuildState({
  builder: { build, stop, again },
  onSuggestion,
}: {
  readonly builder: Builder;
  /** Called with a suggested name that exists, in place of the unknown one. */
  readonly onSuggestion?: (name: string) => void;
}) {
  const say = useWords(WORDS);
  switch (build.status) {
    case "idle":
      return null;
    case "stopped":
      return (
        <p className={styles["stopped"]} role="status">
          {say("stopped")}
        </p>
      );
    case "running":
      return <BuildingView building={build.building} onStop={stop} />;
    case "failed":
      return (
        <div className={styles["failed"]} role="alert">
          <strong>{say("failed")}</strong>
          <p>{build.words ?? say("brokeOff")}</p>
          <Problems
            words={build.words ?? ""}
            building={build.building}
            {...(onSuggestion === undefined ? {} : { onSuggestion })}
          />
          <Button onClick={again}>{say("again")}</Button>
        </div>
      );
  }
}

function Problems({
  words,
  building,
  onSuggestion,
}: {
  /** The message that is shown already. */
  readonly words: string;
  readonly building: Building;
  readonly onSuggestion?: (name: string) => void;
}) {
  const say = useWords(WORDS);
  return building.problems.map(({ message, suggestions }) => (
    <div key={message}>
      {words.includes(message) ? null : <p>{message}</p>}
      {suggestions.length === 0 ? null : (
        <p className={styles["suggestions"]}>
          {say("didYouMean")}{" "}
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
