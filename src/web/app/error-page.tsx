import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { useMessages } from "../session/language.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { EmptyNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import styles from "./error-page.module.css";
import { useConnectivity } from "../session/connectivity.ts";
import { isMissingScriptError, reloadIfServerResponds } from "./reload-after-deploy.ts";

/**
 * The error page of a view, with details for a bug report. If the error is a script that could not be loaded, reloads
 * the page when the server becomes reachable again.
 */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const t = useMessages("shell");
  useReloadOnReconnect(isMissingScriptError(error));
  return (
    <Panel title={t("crashed")}>
      <div role="alert">
        <EmptyNotice title={t(isMissingScriptError(error) ? "partMissing" : "crashedMore")}>
          <p>{t("conversationsSafe")}</p>
          <div className={styles["ways"]}>
            <Button look="primary" onClick={() => location.reload()}>
              {t("reload")}
            </Button>
            <Link href="/">{t("newConversation")}</Link>
          </div>
          <div className={styles["details"]}>
            <code>{error instanceof Error ? error.message : String(error)}</code>
            <CopyButton text={formatErrorDetails(error)} label={t("copyDetails")} />
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
