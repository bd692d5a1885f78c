import { useEffect } from "react";
import { Link } from "wouter";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Empty } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import styles from "./crash.module.css";
import { isMissingScript } from "./stale.ts";
import { WORDS } from "./words.ts";

export function Crash({ error }: { readonly error: unknown }) {
  const say = useWords(WORDS);
  useReloadOnline(isMissingScript(error));
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

/** What did not come because there was no line comes with it, if the server is there as well. */
function useReloadOnline(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const reload = () => {
      fetch(location.href, { headers: { accept: "text/html" } }).then(
        ({ ok }) => (ok ? location.reload() : undefined),
        () => undefined,
      );
    };
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [isWanted]);
}

function detailsOf(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [new Date().toISOString(), location.href, navigator.userAgent, what].join("\n");
}
