import { useId } from "react";
import type { ToolWithVersions } from "../../protocol/tools/stored-tool.ts";
import { useFormatter } from "../formatter.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import styles from "./tool-page.module.css";
import { WORDS } from "./words.ts";

/** Selects the shown version. `onChoose` receives undefined for the current one. */
export function ToolVersionSelect({
  tool,
  onChoose,
}: {
  readonly tool: ToolWithVersions;
  readonly onChoose: (version: number | undefined) => void;
}) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const id = useId();
  const current = tool.versions[0]?.version ?? tool.version;
  const choose = (version: number) => onChoose(version === current ? undefined : version);
  return (
    <section className={styles["section"]}>
      <div className={styles["versions"]}>
        <label htmlFor={id}>{say("versions")}</label>
        <select id={id} value={tool.version} onChange={(event) => choose(Number(event.target.value))}>
          {tool.versions.map(({ version, created_at: at }) => (
            <option key={version} value={version}>
              {say("versionAt", { version, when: format.dateTime(at) })}
              {version === current ? ` (${say("current")})` : ""}
            </option>
          ))}
        </select>
      </div>
      {tool.version === current ? null : (
        <div className={styles["older"]} role="status">
          <span>{say("older", { version: tool.version })}</span>
          <Button onClick={() => onChoose(undefined)}>{say("showCurrent")}</Button>
        </div>
      )}
    </section>
  );
}
