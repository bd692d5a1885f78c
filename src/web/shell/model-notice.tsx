import { useWords } from "../language.ts";
import { useHealth } from "./use-health.ts";
import styles from "./model-notice.module.css";
import { openDialog } from "./open-dialog-state.ts";
import { WORDS } from "./words.ts";

/** Names the model that answers. Until it is known, an empty line of the same height. */
export function ModelNotice() {
  const say = useWords(WORDS);
  const { data } = useHealth();
  if (data === undefined) return <p className={styles["notice"]} />;
  const { kind, name } = data.model;
  if (kind === "openai") return <p className={styles["notice"]}>{say("answeredBy", { name })}</p>;
  return (
    <p className={styles["notice"]}>
      {say("embedded")}{" "}
      <button type="button" className={styles["more"]} onClick={() => openDialog({ kind: "settings" })}>
        {say("embeddedWhat")}
      </button>
    </p>
  );
}
