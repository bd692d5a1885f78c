import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { EmptyNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import styles from "./error-page.module.css";
import { useConnectivity } from "./connectivity.ts";
import { isMissingScriptError, reloadIfServerResponds } from "./reload-after-deploy.ts";
import { WORDS } from "./words.ts";

/** The error page of a view, with the details for a bug report. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const say = useWords(WORDS);
  useReloadOnReconnect(isMissingScriptError(error));
  return (
    <Panel title={say("crashed")}>
      <div role="alert">
        <EmptyNotice title={say(isMissingScriptError(error) ? "partMissing" : "crashedMore")}>
          <p>{say("crashedKept")}</p>
          <div className={styles["ways"]}>
            <Button look="primary" onClick={() => location.reload()}>
              {say("reload")}
            </Button>
            <Link href="/">{say("newConversation")}</Link>
          </div>
          <div className={styles["details"]}>
            <code>{error instanceof Error ? error.message : String(error)}</code>
            <CopyButton text={formatErrorDetails(error)} label={say("copyDetails")} />
          </div>
        </EmptyNotice>
      </div>
    </Panel>
  );
}

/** Reloads when the server becomes reachable again, if the error was a script that could not be loaded. */
function useReloadOnReconnect(isNeeded: boolean): void {
  const isReached = useConnectivity() === "reached";
  const wasReached = useRef(isReached);
  useEffect(() => {
    if (isNeeded && isReached && !wasReached.current) reloadIfServerResponds();
    wasReached.current = isReached;
  }, [isNeeded, isReached]);
}

function formatErrorDetails(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [new Date().toISOString(), location.href, navigator.userAgent, stack].join("\n");
}
