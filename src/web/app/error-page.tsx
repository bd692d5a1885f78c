// The error page, and the boundary that shows it in place of a view that has thrown. The sidebar keeps working.

import { useEffect, useRef, Component, type ReactNode } from "react";
import { Link } from "wouter";
import { useMessages } from "../session/language.ts";
import { Button, CopyButton } from "../ui/button.tsx";
import { EmptyNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import styles from "./error-page.module.css";
import { useConnectivity } from "../session/connectivity.ts";
import { isMissingScriptError, reloadIfServerResponds, claimReload } from "./reload-after-deploy.ts";

/**
 * The error page of a view, with details for a bug report. If the error is a script that could not be loaded, reloads
 * the page when the server becomes reachable again.
 */
function ErrorPage({ error }: { readonly error: unknown }) {
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

type ErrorBoundaryProps = { readonly path: string; readonly children: ReactNode };
type ErrorBoundaryState = { readonly error: unknown; readonly path: string };

/**
 * A change of `path` resets the error. If the error is a script that could not be loaded, reloads the page if the
 * server responds, at most once per minute.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = { error: null, path: this.props.path };

  static getDerivedStateFromProps({ path }: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState | null {
    return path === state.path ? null : { error: null, path };
  }

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingScriptError(error)) reloadIfServerResponds(() => claimReload(Date.now()));
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <ErrorPage error={this.state.error} />;
  }
}
