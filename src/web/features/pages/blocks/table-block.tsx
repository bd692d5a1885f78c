// A sortable, paged table with highlighting rules.

import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, ChevronsUpDown } from "lucide-react";
import { useMemo, useState, useEffect } from "react";
import { formatCsv } from "../../../../pages/spreadsheet-csv.ts";
import {
  formatPageCell,
  createCellStyler,
  findNumericColumns,
  type PageTable,
  type PageCell,
} from "../../../../pages/page-table.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { IconButton, CopyButton } from "../../../ui/button.tsx";
import styles from "./blocks.module.css";
import { flushSync } from "react-dom";

const ROWS_PER_PAGE = 100;
/** Rows that are printed at most. */
const MAX_PRINTED_ROWS = 2_000;
/** Longer tables have a sticky header. */
const MAX_ROWS_WITHOUT_STICKY_HEADER = 14;

/** Shows 100 rows at a time; a print shows the first 2000. The copy button copies all rows, as sorted, as CSV. */
export function TableBlock({ block }: { readonly block: PageTable }) {
  const t = useMessages("blocks");
  const language = useLanguage();
  const [order, setOrder] = useState<TableOrder | null>(null);
  const [first, setFirst] = useState(0);
  const isPrinting = usePrinting();
  const rows = useMemo(() => sortRows(block.rows, order, language), [block, order, language]);
  const shown = isPrinting ? rows.slice(0, MAX_PRINTED_ROWS) : rows.slice(first, first + ROWS_PER_PAGE);
  const change = (column: number) => {
    setOrder(getNextOrder(order, column));
    setFirst(0);
  };
  const csv = () =>
    formatCsv(
      block.headers.map((name) => ({ name })),
      rows.map(({ cells }) => cells),
    ).slice(1);
  return (
    <>
      <div className={styles["tableHead"]}>
        <h3>{block.title}</h3>
        <CopyButton text={csv} label={t("copyCsv")} />
      </div>
      <div
        className={`${styles["tableScroll"]} ${shown.length > MAX_ROWS_WITHOUT_STICKY_HEADER ? styles["isLong"] : ""}`}
        role="region"
        aria-label={block.title}
        // Scrollable content must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table className={styles["table"]}>
          <TableBlockHead block={block} order={order} onOrder={isPrinting ? null : change} />
          <TableBlockBody block={block} rows={shown} />
        </table>
        {rows.length === 0 ? <p className={styles["noRows"]}>{t("noRows")}</p> : null}
      </div>
      {rows.length > ROWS_PER_PAGE && !isPrinting ? (
        <TablePager first={first} all={rows.length} onFirst={setFirst} />
      ) : null}
    </>
  );
}

/** `onOrder` is null while printing: browsers do not repeat a header with buttons on each sheet. */
function TableBlockHead({
  block,
  order,
  onOrder,
}: {
  readonly block: PageTable;
  readonly order: TableOrder | null;
  readonly onOrder: ((column: number) => void) | null;
}) {
  const t = useMessages("blocks");
  const isNumeric = useMemo(() => findNumericColumns(block), [block]);
  return (
    <thead>
      <tr>
        {block.headers.map((header, i) => {
          const direction = order?.column === i ? order.direction : "none";
          const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[direction];
          return (
            <th
              // oxlint-disable-next-line react/no-array-index-key
              key={i}
              scope="col"
              aria-sort={direction}
              className={isNumeric[i] === true ? styles["number"] : ""}
            >
              {onOrder === null ? (
                header
              ) : (
                <button type="button" title={t("sortBy", { column: header })} onClick={() => onOrder(i)}>
                  {header}
                  <Icon size={13} aria-hidden className={direction === "none" ? styles["unsorted"] : ""} />
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function TableBlockBody({ block, rows }: { readonly block: PageTable; readonly rows: PageTable["rows"] }) {
  const t = useMessages("blocks");
  const getHighlight = useMemo(() => createCellStyler(block), [block]);
  const isNumeric = useMemo(() => findNumericColumns(block), [block]);
  const words = { isTrue: t("isTrue"), isFalse: t("isFalse") };
  return (
    <tbody>
      {rows.map(({ cells, status }, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={at} className={status === "normal" ? "" : styles[status]}>
          {cells.map((cell, i) => {
            const style = getHighlight(cell, i);
            const isNumber = typeof cell === "number" || (cell === null && isNumeric[i] === true);
            const marked = style ?? (i === 0 && status !== "normal" ? status : undefined);
            return (
              <td
                // oxlint-disable-next-line react/no-array-index-key
                key={i}
                className={`${isNumber ? styles["number"] : ""} ${style === undefined ? "" : styles[style]}`}
              >
                {formatPageCell(cell, words)}
                {marked === undefined ? null : <span className="visually-hidden"> ({t(marked)})</span>}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

function TablePager({
  first,
  all,
  onFirst,
}: {
  readonly first: number;
  readonly all: number;
  readonly onFirst: (first: number) => void;
}) {
  const t = useMessages("blocks");
  return (
    <div className={styles["pager"]}>
      <span role="status">{t("rowRange", { from: first + 1, to: Math.min(all, first + ROWS_PER_PAGE), all })}</span>
      <IconButton label={t("previousRows")} disabled={first === 0} onClick={() => onFirst(first - ROWS_PER_PAGE)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={t("nextRows")}
        disabled={first + ROWS_PER_PAGE >= all}
        onClick={() => onFirst(first + ROWS_PER_PAGE)}
      >
        <ChevronRight size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

/** Returns true while the page is being printed. The change is rendered before the browser takes the layout. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

// Sorting of table rows.

type TableOrder = { readonly column: number; readonly direction: "ascending" | "descending" };
type SortableRow = PageTable["rows"][number];

/** Returns the next order after a click on a column: ascending, descending, then unsorted (null). */
export function getNextOrder(order: TableOrder | null, column: number): TableOrder | null {
  if (order?.column !== column) return { column, direction: "ascending" };
  return order.direction === "ascending" ? { column, direction: "descending" } : null;
}

/**
 * Returns the rows sorted by one column: numbers by value and texts by the rules of the language, empty cells last in
 * both directions. Without an order, returns `rows` itself.
 */
export function sortRows(
  rows: readonly SortableRow[],
  order: TableOrder | null,
  language: string,
): readonly SortableRow[] {
  if (order === null) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = order.direction === "ascending" ? 1 : -1;
  return rows.toSorted(({ cells: a }, { cells: b }) => {
    const [left, right] = [a[order.column] ?? null, b[order.column] ?? null];
    if (isEmptyCell(left) || isEmptyCell(right)) return Number(isEmptyCell(left)) - Number(isEmptyCell(right));
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * compare(String(left), String(right));
  });
}

const isEmptyCell = (cell: PageCell): boolean => cell === null || cell === "";
