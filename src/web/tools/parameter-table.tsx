import { pickLanguage } from "../bilingual-text.ts";
import { useLanguage, useWords } from "../language.ts";
import type { SchemaParameter } from "./schema-parameters.ts";
import styles from "./tool-page.module.css";
import { WORDS } from "./words.ts";

/** A table of parameters. `withRequired` adds the column with requirement or default value. */
export function ParameterTable({
  rows,
  label,
  withRequired = true,
}: {
  readonly rows: readonly SchemaParameter[];
  readonly label: string;
  readonly withRequired?: boolean;
}) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const isNamed = rows.some(({ name }) => name !== "");
  const isExplained = rows.some(({ description }) => description !== "");
  return (
    // Wide tables scroll and must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["scroll"]} role="region" aria-label={label} tabIndex={0}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {isNamed ? <th scope="col">{say("name")}</th> : null}
            <th scope="col">{say("type")}</th>
            {withRequired ? <th scope="col">{say("required")}</th> : null}
            {isExplained ? <th scope="col">{say("meaning")}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description, usual }) => (
            <tr key={name}>
              {isNamed ? (
                <th scope="row">
                  <code>{name}</code>
                </th>
              ) : null}
              <td>
                <code>{type}</code>
              </td>
              {withRequired ? (
                <td>{usual === undefined ? say(isRequired ? "yes" : "no") : say("usual", { usual })}</td>
              ) : null}
              {isExplained ? <td>{pickLanguage(language, description)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
