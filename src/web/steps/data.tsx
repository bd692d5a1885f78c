import { Table2 } from "lucide-react";
import { useState } from "react";
import { plainly } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Shown } from "./shown.tsx";
import styles from "./steps.module.css";
import { parsed, rowsOf, type Row } from "./values.ts";
import { WORDS } from "./words.ts";

const MAX_ROWS = 50;

/** Shows data that an agent attached, as a table if it is a list of flat objects. */
export function Data({ text }: { readonly text: string }) {
  const say = useWords(WORDS);
  const content = parsed(text);
  const table = content.kind === "json" ? rowsOf(content.value) : null;
  return (
    <section className={styles["card"]} aria-label={say("data")}>
      <div className={styles["head"]}>
        <Table2 size={16} aria-hidden />
        <strong>{say("data")}</strong>
        {table === null ? null : <span className={styles["quiet"]}>{say("rows", { count: table.rows.length })}</span>}
      </div>
      {table === null ? <Shown content={content} /> : <Rows {...table} />}
    </section>
  );
}

function Rows({ columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly Row[] }) {
  const say = useWords(WORDS);
  const [most, setMost] = useState(MAX_ROWS);
  // Numbers are not formatted: a year must not get a thousands separator, and no digit must be rounded.
  const cellOf = (value: Row[string] | undefined) => plainly(String(value ?? ""));
  return (
    <>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles["wide"]} role="region" tabIndex={0} aria-label={say("data")}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {plainly(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, i) => (
              <tr key={i}>
                {columns.map((name) => (
                  <td key={name} className={typeof row[name] === "number" ? styles["figure"] : undefined}>
                    {cellOf(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length <= most ? null : (
        <button type="button" className={styles["more"]} onClick={() => setMost(most + MAX_ROWS * 10)}>
          {say("moreEntries", { count: rows.length - most })}
        </button>
      )}
    </>
  );
}
