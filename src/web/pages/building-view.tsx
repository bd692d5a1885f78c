// Shows a page while it is generated, each block in its final position.

import { Check, LoaderCircle, X } from "lucide-react";
import type { ComponentType } from "../../protocol/page.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { BlockView, placeOf } from "./blocks/block-view.tsx";
import { Callout } from "./blocks/callout.tsx";
import styles from "./building-view.module.css";
import type { Building, Call, Part } from "./building.ts";
import { Sections } from "./page-view.tsx";
import { WORDS } from "./words.ts";

const PHASES = { data: "phaseData", compute: "phaseCompute", compose: "phaseCompose" } as const;

/** Progress and the blocks so far. `onStop` is absent once the build has ended. */
export function BuildingView({ building, onStop }: { readonly building: Building; readonly onStop?: () => void }) {
  const { title, tabs, messages } = building;
  const sections = tabs.map(({ id, label, parts }) => ({
    id,
    label,
    content: parts.map((part) => <PartView key={part.id} part={part} />),
  }));
  return (
    <div className={styles["building"]} aria-busy={onStop !== undefined}>
      {title === "" ? null : <h2 className={styles["title"]}>{title}</h2>}
      <Progress building={building} {...(onStop === undefined ? {} : { onStop })} />
      <Sections layout={tabs.length > 1 ? "tabs" : "single_page"} sections={sections} />
      {messages.map((message, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={styles["message"]}>
          <Markdown text={message} />
        </div>
      ))}
    </div>
  );
}

function Progress({ building, onStop }: { readonly building: Building; readonly onStop?: () => void }) {
  const say = useWords(WORDS);
  const { phase, calls } = building;
  const isRunning = onStop !== undefined;
  return (
    <div className={styles["progress"]}>
      <div className={styles["phase"]}>
        {isRunning ? <LoaderCircle className={styles["turning"]} size={18} aria-hidden /> : null}
        <span role="status">{say(phase === null ? "building" : PHASES[phase.name])}</span>
        {isRunning ? (
          <Button onClick={onStop}>
            <X size={16} aria-hidden />
            {say("stop")}
          </Button>
        ) : null}
      </div>
      {/* Present from the start, so that the first call does not move the content below. */}
      <details className={styles["calls"]}>
        <summary>{say("calls", { count: calls.length })}</summary>
        <ul>
          {calls.map((call) => (
            <CallView key={call.key} call={call} />
          ))}
        </ul>
      </details>
    </div>
  );
}

function CallView({ call }: { readonly call: Call }) {
  const say = useWords(WORDS);
  const { tool, args, status, error } = call;
  const Icon = { running: LoaderCircle, success: Check, error: X }[status];
  return (
    <li>
      <Icon size={14} className={styles[status]} aria-hidden />
      <code>{tool}</code>
      <span className={styles["args"]}>{JSON.stringify(args)}</span>
      <span className={status === "error" ? styles["wrong"] : "visually-hidden"}>{error ?? say(status)}</span>
    </li>
  );
}

function PartView({ part }: { readonly part: Part }) {
  switch (part.status) {
    case "done":
      return <BlockView block={part.block} />;
    case "begun":
      if (part.text === "") return <Skeleton type={part.type} isBegun />;
      return (
        <section className={`${placeOf({ type: "markdown", variant: "default" })} ${styles[part.type]}`}>
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
      return <Skeleton type={part.type} />;
  }
}

/** A placeholder of the usual height of such a block. */
function Skeleton({ type, isBegun = false }: { readonly type: ComponentType; readonly isBegun?: boolean }) {
  const begun = isBegun ? styles["begun"] : "";
  return <div className={`${placeOf({ type })} ${styles["skeleton"]} ${styles[type]} ${begun}`} aria-hidden />;
}
