import { Table2 } from "lucide-react";
import { useState } from "react";
import { escapeHiddenControls, escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./steps.module.css";
import { parseStepText, parseTable, type TableRow, type StepValue } from "../state/step-values.ts";
import { CopyButton } from "../../../ui/button.tsx";
import { JsonView } from "../../../ui/format/json-view.tsx";

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
        {table === null ? null : <span className="quiet">{t("rows", { count: table.rows.length })}</span>}
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

// Shows the content of a step as text or JSON that can be copied. A long text is cut until the reader asks for the
// rest.

const MAX_CHARS = 4_000;

export function StepContent({ content }: { readonly content: StepValue }) {
  return content.kind === "json" ? <JsonView value={content.value} /> : <StepText text={content.text} />;
}

function StepText({ text }: { readonly text: string }) {
  const t = useMessages("steps");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_CHARS).toWellFormed();
  const rest = text.length - shown.length;
  return (
    <div className={styles["text"]}>
      <div className={styles["copy"]}>
        <CopyButton text={text} />
      </div>
      {shown.split("\n").map(escapeInvisible).join("\n")}
      {rest === 0 ? null : (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          {t("moreChars", { count: rest })}
        </button>
      )}
    </div>
  );
}
