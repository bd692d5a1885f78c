import { Table2 } from "lucide-react";
import { useState } from "react";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { StepContent } from "./step-content.tsx";
import styles from "./steps.module.css";
import { parseStepText, parseTable, type TableRow } from "../state/step-values.ts";

const MAX_ROWS = 50;

/** Shows data that an agent attached: a list of flat objects as a table with a limited number of rows, else as JSON. */
export function AttachedData({ text }: { readonly text: string }) {
  const t = useMessages("steps");
  const content = parseStepText(text);
  const table = content.kind === "json" ? parseTable(content.value) : null;
  return (
    <section className={styles["card"]} aria-label={t("data")}>
      <div className={styles["head"]}>
        <Table2 size={16} aria-hidden />
        <strong>{t("data")}</strong>
        {table === null ? null : <span className={styles["quiet"]}>{t("rows", { count: table.rows.length })}</span>}
      </div>
      {table === null ? <StepContent content={content} /> : <DataTable {...table} />}
    </section>
  );
}

function DataTable({ columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly TableRow[] }) {
  const t = useMessages("steps");
  const [limit, setLimit] = useState(MAX_ROWS);
  // Numbers are not formatted: a year must not get a thousands separator, and no digit must be rounded.
  const formatCell = (value: TableRow[string] | undefined) => escapeHiddenControls(String(value ?? ""));
  return (
    <>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles["wide"]} role="region" tabIndex={0} aria-label={t("data")}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {escapeHiddenControls(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, limit).map((row, i) => (
              <tr key={i}>
                {columns.map((name) => (
                  <td key={name} className={typeof row[name] === "number" ? styles["figure"] : undefined}>
                    {formatCell(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length <= limit ? null : (
        <button type="button" className={styles["more"]} onClick={() => setLimit(limit + MAX_ROWS * 10)}>
          {t("moreEntries", { count: rows.length - limit })}
        </button>
      )}
    </>
  );
}
