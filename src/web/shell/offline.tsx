import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useWords } from "../language.ts";
import { useHealth } from "./health.ts";
import styles from "./offline.module.css";
import { useReach } from "./reach.ts";
import { WORDS } from "./words.ts";

const RETRY_MS = 5_000;

/** Shows a banner while the server is unreachable, and refetches everything afterwards. */
export function OfflineBanner() {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const reach = useReach();
  useHealth(reach === "unreachable" ? RETRY_MS : undefined);
  useEffect(() => {
    if (reach === "reached") return;
    return () => void queries.invalidateQueries();
  }, [reach, queries]);
  return (
    <div role="status">
      {reach === "reached" ? null : (
        <p className={styles["banner"]}>
          <WifiOff size={16} aria-hidden />
          {say(reach)}
        </p>
      )}
    </div>
  );
}
