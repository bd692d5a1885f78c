import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import type { SchemaParameter } from "./schema-parameters.ts";
import styles from "./tool-page.module.css";

/**
 * A table of parameters. `withRequired` adds the column with requirement or default value. The columns of names and
 * descriptions are left out if all are empty.
 */
export function ParameterTable({
  rows,
  label,
  withRequired = true,
}: {
  readonly rows: readonly SchemaParameter[];
  readonly label: string;
  readonly withRequired?: boolean;
}) {
  const t = useMessages("tools");
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
            {isNamed ? <th scope="col">{t("name")}</th> : null}
            <th scope="col">{t("type")}</th>
            {withRequired ? <th scope="col">{t("required")}</th> : null}
            {isExplained ? <th scope="col">{t("description")}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description, defaultValue }) => (
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
                <td>
                  {defaultValue === undefined
                    ? t(isRequired ? "yes" : "no")
                    : t("noWithDefault", { usual: defaultValue })}
                </td>
              ) : null}
              {isExplained ? <td>{pickLanguage(language, description)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
