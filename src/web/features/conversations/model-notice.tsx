import { useMessages } from "../../session/language.ts";
import { useHealth } from "../../session/use-health.ts";
import styles from "./model-notice.module.css";
import { openDialog } from "../../session/open-dialog-state.ts";

/**
 * Names the model that answers; for the embedded model and without a model, with a button that opens the settings.
 * Until the model is known, an empty line of the same height.
 */
export function ModelNotice() {
  const t = useMessages("shell");
  const { data } = useHealth();
  if (data === undefined) return <p className={styles["notice"]} />;
  const { kind, name } = data.model;
  if (kind === "openai") return <p className={styles["notice"]}>{t("poweredBy", { name })}</p>;
  return (
    <p className={styles["notice"]}>
      {t(kind === "embedded" ? "embedded" : "noModel")}{" "}
      <button type="button" className={styles["more"]} onClick={() => openDialog({ kind: "settings" })}>
        {t(kind === "embedded" ? "embeddedAbilities" : "noModelSetup")}
      </button>
    </p>
  );
}
