import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Empty } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import styles from "./crash.module.css";
import { useReach } from "./reach.ts";
import { isMissingScript, reloadFromServer } from "./stale.ts";
import { WORDS } from "./words.ts";

/** The error page of a view, with the details for a bug report. */
export function Crash({ error }: { readonly error: unknown }) {
  const say = useWords(WORDS);
  useReloadLater(isMissingScript(error));
  return (
    <Panel title={say("crashed")}>
      <div role="alert">
        <Empty title={say(isMissingScript(error) ? "partMissing" : "crashedMore")}>
          <p>{say("crashedKept")}</p>
          <div className={styles["ways"]}>
            <Button look="primary" onClick={() => location.reload()}>
              {say("reload")}
            </Button>
            <Link href="/">{say("newConversation")}</Link>
          </div>
          <div className={styles["details"]}>
            <code>{error instanceof Error ? error.message : String(error)}</code>
            <Copy text={detailsOf(error)} label={say("copyDetails")} />
          </div>
        </Empty>
      </div>
    </Panel>
  );
}

/** Reloads when the server becomes reachable again, if the error was a script that could not be loaded. */
function useReloadLater(isWanted: boolean): void {
  const isReached = useReach() === "reached";
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isWanted && isReached && !wasReached.current) reloadFromServer();
    wasReached.current = isReached;
  }, [isWanted, isReached]);
}

function detailsOf(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [new Date().toISOString(), location.href, navigator.userAgent, what].join("\n");
}
