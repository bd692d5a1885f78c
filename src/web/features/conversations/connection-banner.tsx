// The banner that shows a lost or restored connection of the conversation.

import { Wifi, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { ConnectionState } from "../../../client/connect.ts";
import { useMessages } from "../../session/language.ts";
import { useConnectivity } from "../../session/connectivity.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./connection-banner.module.css";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Fault } from "../../../protocol/wire/fault.ts";
import { refreshConversationLists } from "./list/conversation-queries.ts";
import { requireSignIn } from "../../session/account.ts";
import { EmptyNotice } from "../../ui/notice.tsx";
import { ConversationFrame } from "./conversation-frame.tsx";

/** Shorter interruptions in ms are not shown. */
const LOST_DELAY_MS = 1_000;
const RESTORED_VISIBLE_MS = 2_500;

type ConnectionBannerState = "nothing" | "lost" | "restored";

/**
 * Shows nothing while the connection is open, except for a moment after a shown interruption, if it has failed finally,
 * or while the server cannot be reached at all.
 */
export function ConnectionBanner({
  state,
  onRetry,
}: {
  readonly state: ConnectionState;
  readonly onRetry: () => void;
}) {
  const t = useMessages("chat");
  const shown = useBannerState(state.status === "open");
  const reach = useConnectivity();
  // A banner above the whole page shows that the server cannot be reached at all.
  if (shown === "nothing" || state.status === "failed" || reach !== "reached") return null;
  if (shown === "restored") {
    return (
      <div className={`${styles["line"]} ${styles["restored"]}`} role="status">
        <Wifi size={16} aria-hidden />
        {t("reconnected")}
      </div>
    );
  }
  return (
    <div className={styles["line"]} role="status">
      <WifiOff size={16} aria-hidden />
      <span>{t("disconnected")}</span>
      {state.status === "waiting" ? <RetryCountdown until={state.retryAt} /> : <span>{t("reconnecting")}</span>}
      {state.status === "waiting" ? (
        <Button look="quiet" onClick={onRetry}>
          {t("retryNow")}
        </Button>
      ) : null}
    </div>
  );
}

function useBannerState(isOpen: boolean): ConnectionBannerState {
  const [shown, setShown] = useState<ConnectionBannerState>("nothing");
  useEffect(() => {
    if (!isOpen) {
      const timer = setTimeout(() => setShown("lost"), LOST_DELAY_MS);
      return () => clearTimeout(timer);
    }
    const back = setTimeout(() => setShown((before) => (before === "lost" ? "restored" : before)));
    const away = setTimeout(() => setShown("nothing"), RESTORED_VISIBLE_MS);
    return () => {
      clearTimeout(back);
      clearTimeout(away);
    };
  }, [isOpen]);
  return shown;
}

/** Hidden from screen readers, because it changes every second. `until` is in ms since the epoch. */
function RetryCountdown({ until }: { readonly until: number }) {
  const t = useMessages("chat");
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((until - now) / 1_000));
  return <span aria-hidden>{t("retryIn", { seconds })}</span>;
}

// Shown instead of a conversation that cannot be loaded, with a link to a new conversation.

/** Shows the sign-in page instead if the fault is `unauthorized`; otherwise refreshes the conversation lists. */
export function UnreachableConversation({ fault }: { readonly fault: Fault }) {
  const t = useMessages("chat");
  const tShell = useMessages("shell");
  const queries = useQueryClient();
  const needsSignIn = fault.code === "unauthorized";
  useEffect(() => {
    if (needsSignIn) requireSignIn();
    // The conversation does not exist, so the lists are outdated.
    else void refreshConversationLists(queries);
  }, [needsSignIn, queries]);
  return (
    <ConversationFrame title={t("conversation")}>
      <EmptyNotice title={t(needsSignIn ? "unauthorized" : "notFound")}>
        <p>{needsSignIn ? fault.message : t("notFoundMore")}</p>
        <Link href="/">{tShell("newConversation")}</Link>
      </EmptyNotice>
    </ConversationFrame>
  );
}
