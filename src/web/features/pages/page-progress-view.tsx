// Shows a page while it is generated, each block in its final position.

import { Check, LoaderCircle, X } from "lucide-react";
import type { ComponentType } from "../../../protocol/pages/page.ts";
import { useMessages } from "../../session/language.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { Button } from "../../ui/button.tsx";
import { BlockView, getBlockClass, Callout } from "./blocks/block-view.tsx";
import styles from "./page-progress-view.module.css";
import type { PageProgress, PageBuildToolCall, PagePart } from "./page-progress.ts";
import { PageSections } from "./page-view.tsx";
import type { PageBuilder } from "./use-page-build.ts";

const PHASE_KEYS = { data: "phaseData", compute: "phaseCompute", compose: "phaseCompose" } as const;

/**
 * Title, phase, tool calls, blocks and messages so far. `onStop` stops the build; it is absent once the build has
 * ended.
 */
function PageProgressView({ building, onStop }: { readonly building: PageProgress; readonly onStop?: () => void }) {
  const { title, tabs, messages } = building;
  const sections = tabs.map(({ id, label, parts }) => ({
    id,
    label,
    content: parts.map((part) => <PagePartView key={part.id} part={part} />),
  }));
  return (
    <div className={styles["building"]} aria-busy={onStop !== undefined}>
      {title === "" ? null : <h2 className={styles["title"]}>{title}</h2>}
      <BuildStatus building={building} {...(onStop === undefined ? {} : { onStop })} />
      <PageSections layout={tabs.length > 1 ? "tabs" : "single_page"} sections={sections} />
      {messages.map((message, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={styles["message"]}>
          <Markdown text={message} />
        </div>
      ))}
    </div>
  );
}

function BuildStatus({ building, onStop }: { readonly building: PageProgress; readonly onStop?: () => void }) {
  const t = useMessages("pages");
  const { phase, calls } = building;
  const isRunning = onStop !== undefined;
  return (
    <div className={styles["progress"]}>
      <div className={styles["phase"]}>
        {isRunning ? <LoaderCircle className={`turning ${styles["turning"]}`} size={18} aria-hidden /> : null}
        <span role="status">{t(phase === null ? "building" : PHASE_KEYS[phase.name])}</span>
        {isRunning ? (
          <Button onClick={onStop}>
            <X size={16} aria-hidden />
            {t("stop")}
          </Button>
        ) : null}
      </div>
      {/* Present from the start, so that the first call does not move the content below. */}
      <details className={styles["calls"]}>
        <summary>{t("calls", { count: calls.length })}</summary>
        <ul>
          {calls.map((call) => (
            <BuildToolCall key={call.key} call={call} />
          ))}
        </ul>
      </details>
    </div>
  );
}

function BuildToolCall({ call }: { readonly call: PageBuildToolCall }) {
  const t = useMessages("pages");
  const { tool, args, status, error } = call;
  const Icon = { running: LoaderCircle, success: Check, error: X }[status];
  return (
    <li>
      <Icon size={14} className={`${status === "running" ? "turning" : ""} ${styles[status]}`} aria-hidden />
      <code>{tool}</code>
      <span className={styles["args"]}>{JSON.stringify(args)}</span>
      <span className={status === "error" ? styles["wrong"] : "visually-hidden"}>{error ?? t(status)}</span>
    </li>
  );
}

function PagePartView({ part }: { readonly part: PagePart }) {
  switch (part.status) {
    case "done":
      return <BlockView block={part.block} />;
    case "begun":
      if (part.text === "") return <BlockSkeleton type={part.type} isBegun />;
      return (
        <section className={`${getBlockClass({ type: "markdown", variant: "default" })} ${styles[part.type]}`}>
          <Callout content={part.text} variant="default" isStreaming />
        </section>
      );
    case "old":
      return (
        <div className={styles["old"]}>
          <BlockView block={part.block} />
        </div>
      );
    case "awaited":
      return <BlockSkeleton type={part.type} />;
  }
}

/** A placeholder of the usual height of such a block. */
function BlockSkeleton({ type, isBegun = false }: { readonly type: ComponentType; readonly isBegun?: boolean }) {
  const begun = isBegun ? styles["begun"] : "";
  return <div className={`${getBlockClass({ type })} ${styles["skeleton"]} ${styles[type]} ${begun}`} aria-hidden />;
}

// The state of a page build: progress, stopped, or failed with suggestions.

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
