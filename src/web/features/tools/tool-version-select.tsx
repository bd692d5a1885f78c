import { useId } from "react";
import type { ToolWithVersions } from "../../../protocol/tools/stored-tool.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./tool-page.module.css";

/**
 * Selects the shown version; an older version has a note and a button back to the current one. `onChoose` receives
 * undefined for the current version.
 */
export function ToolVersionSelect({
  tool,
  onChoose,
}: {
  readonly tool: ToolWithVersions;
  readonly onChoose: (version: number | undefined) => void;
}) {
  const t = useMessages("tools");
  const format = useFormatter();
  const id = useId();
  const current = tool.versions[0]?.version ?? tool.version;
  const choose = (version: number) => onChoose(version === current ? undefined : version);
  return (
    <section className={styles["section"]}>
      <div className={styles["versions"]}>
        <label htmlFor={id}>{t("versions")}</label>
        <select id={id} value={tool.version} onChange={(event) => choose(Number(event.target.value))}>
          {tool.versions.map(({ version, created_at: at }) => (
            <option key={version} value={version}>
              {t(version === current ? "currentVersionAt" : "versionAt", { version, when: format.dateTime(at) })}
            </option>
          ))}
        </select>
      </div>
      {tool.version === current ? null : (
        <div className={styles["older"]} role="status">
          <span>{t("oldVersion", { version: tool.version })}</span>
          <Button onClick={() => onChoose(undefined)}>{t("showCurrent")}</Button>
        </div>
      )}
    </section>
  );
}
