// The dialog with the columns, notes and rows of a dataset, loaded in pages.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { DatasetSummary, ColumnProfile } from "../../../../protocol/datasets/dataset.ts";
import { formatPageCell } from "../../../../pages/page-table.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../../ui/notice.tsx";
import styles from "./datasets.module.css";

const ROWS_PER_PAGE = 100;

export function DatasetRowsDialog({
  table,
  onClose,
}: {
  readonly table: DatasetSummary;
  readonly onClose: () => void;
}) {
  const { dataset_id: id, name } = table;
  const about = useQuery({ queryKey: ["dataset", id], queryFn: () => api.dataset(id) });
  return (
    <Dialog title={name} onClose={onClose}>
      {about.isPending ? <Loading /> : null}
      {about.isError ? <LoadFailure error={about.error} onRetry={() => void about.refetch()} /> : null}
      {about.data?.notes.map((note) => (
        <p key={note} className={styles["note"]}>
          {note}
        </p>
      ))}
      {about.data !== undefined ? <DatasetRowTable id={id} name={name} columns={about.data.columns} /> : null}
    </Dialog>
  );
}

function DatasetRowTable({
  id,
  name,
  columns,
}: {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly ColumnProfile[];
}) {
  const tCommon = useMessages("common");
  const tCell = useMessages("blocks");
  const rows = useInfiniteQuery({
    queryKey: ["dataset", id, "rows"],
    queryFn: ({ pageParam }) =>
      api.datasetRows(id, { limit: ROWS_PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  if (rows.data === undefined)
    return rows.isPending ? <Loading /> : <LoadFailure error={rows.error} onRetry={() => void rows.refetch()} />;
  const words = { isTrue: tCell("isTrue"), isFalse: tCell("isFalse") };
  const shown = rows.data.pages.flatMap((page) => page.rows);
  return (
    <>
      {/* Scrollable content must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles["rows"]} role="region" aria-label={name} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <DatasetColumnHeading key={column.name} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={at}>
                {row.map((cell, i) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <td key={i} className={typeof cell === "number" ? styles["number"] : ""}>
                    {typeof cell === "number" ? String(cell) : formatPageCell(cell, words)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.hasNextPage ? (
        <Button disabled={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          {tCommon(rows.isFetchNextPageError ? "retry" : "showMore")}
        </Button>
      ) : null}
    </>
  );
}

function DatasetColumnHeading({ column }: { readonly column: ColumnProfile }) {
  const t = useMessages("datasets");
  const language = useLanguage();
  const { name, type, unit, gap_share: gapShare } = column;
  const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(gapShare);
  const facts = [
    t(type),
    ...(unit === undefined ? [] : [t("unit", { unit })]),
    ...(gapShare === 0 ? [] : [t("gaps", { share })]),
  ];
  return (
    <th scope="col">
      {name}
      <small>{facts.join(" · ")}</small>
    </th>
  );
}
