import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useWords } from "../language.ts";
import { useHealth } from "./use-health.ts";
import styles from "./offline-banner.module.css";
import { useConnectivity } from "./connectivity.ts";
import { WORDS } from "./words.ts";

const RETRY_INTERVAL_MS = 5_000;

/** Shows a banner while the server is unreachable, and refetches everything afterwards. */
export function OfflineBanner() {
  const say = useWords(WORDS);
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
          {say(connectivity)}
        </p>
      )}
    </div>
  );
}
