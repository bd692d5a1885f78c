import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useMessages } from "../session/language.ts";
import { useHealth } from "../session/use-health.ts";
import styles from "./offline-banner.module.css";
import { useConnectivity } from "../session/connectivity.ts";

const RETRY_INTERVAL_MS = 5_000;

/**
 * Shows a banner while the browser is offline or the server unreachable; nothing otherwise. Meanwhile polls an
 * unreachable server every 5 s; afterwards all queries are refetched.
 */
export function OfflineBanner() {
  const t = useMessages("shell");
  const queries = useQueryClient();
  const connectivity = useConnectivity();
  useHealth(connectivity === "unreachable" ? RETRY_INTERVAL_MS : undefined);
  useEffect(() => {
    if (connectivity === "reached") return;
    return () => void queries.invalidateQueries();
  }, [connectivity, queries]);
  return (
    <div role="status">
      {connectivity === "reached" ? null : (
        <p className={styles["banner"]}>
          <WifiOff size={16} aria-hidden />
          {t(connectivity)}
        </p>
      )}
    </div>
  );
}
