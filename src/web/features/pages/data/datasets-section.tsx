// The user's datasets, collapsed below the pages.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, Download, Pencil, Table2, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMessages, useLanguage } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { LoadFailure, Loading } from "../../../ui/notice.tsx";
import { showToast, showErrorToast } from "../../../ui/toast.tsx";
import styles from "./datasets.module.css";
import { DatasetUpload } from "./dataset-upload.tsx";
import type { DatasetSummary } from "../../../../protocol/datasets/dataset.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ConfirmDialog, RenameDialog } from "../../../ui/overlay/dialog.tsx";
import { Menu } from "../../../ui/overlay/menu.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { formatFileSize } from "./upload-file.ts";
import { DatasetRowsDialog } from "./dataset-rows-dialog.tsx";

/** Contains the upload, the list, and a button that loads the sample data unless they are loaded. */
export function DatasetsSection() {
  const t = useMessages("datasets");
  const [isOpen, setOpen] = useState(false);
  const tables = useQuery({ queryKey: ["datasets"], queryFn: async () => (await api.listDatasets()).datasets });
  return (
    <details className={styles["data"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={18} className={styles["mark"]} aria-hidden />
        <h2>{t("data")}</h2>
        {tables.data === undefined ? null : (
          <span className={styles["count"]}>{t("count", { count: tables.data.length })}</span>
        )}
      </summary>
      {isOpen ? (
        <div className={styles["inside"]}>
          <DatasetUpload />
          {tables.isPending ? <Loading /> : null}
          {tables.isError ? <LoadFailure error={tables.error} onRetry={() => void tables.refetch()} /> : null}
          {tables.data?.length === 0 ? <p className={styles["quiet"]}>{t("none")}</p> : null}
          <ul className={styles["tables"]}>
            {tables.data?.map((table) => (
              <DatasetItem key={table.dataset_id} table={table} />
            ))}
          </ul>
          {tables.data?.some(({ is_sample: isSample }) => isSample) === true ? null : <LoadSampleButton />}
        </div>
      ) : null}
    </details>
  );
}

function LoadSampleButton() {
  const t = useMessages("datasets");
  const queries = useQueryClient();
  const load = useMutation({
    mutationFn: () => api.loadSample(),
    onError: showErrorToast,
    onSuccess: () => {
      showToast(t("sampleLoaded"));
      return queries.invalidateQueries({ queryKey: ["datasets"] });
    },
  });
  return (
    <div>
      <Button disabled={load.isPending} onClick={() => load.mutate()}>
        {t("loadSample")}
      </Button>
    </div>
  );
}

// A dataset in the list, with its actions.

type DatasetDialogKind = "none" | "rows" | "rename" | "delete";

/** Its actions: show the rows, rename, save as CSV, delete. */
function DatasetItem({ table }: { readonly table: DatasetSummary }) {
  const t = useMessages("datasets");
  const language = useLanguage();
  const queries = useQueryClient();
  const [open, setOpen] = useState<DatasetDialogKind>("none");
  const close = () => setOpen("none");
  const { dataset_id: id, name, rows, columns, size, is_sample: isSample } = table;
  const save = () => void api.datasetCsv(id).then((text) => saveFile(text, `${name}.csv`, "text/csv"), showErrorToast);
  const rename = async (to: string) => {
    await api.updateDataset(id, { name: to });
    await queries.invalidateQueries({ queryKey: ["datasets"] });
  };
  const remove = async () => {
    await api.deleteDataset(id);
    await queries.invalidateQueries({ queryKey: ["datasets"] });
  };
  return (
    <li className={styles["table"]}>
      <div className={styles["about"]}>
        <strong>{name}</strong> {isSample ? <Badge>{t("sample")}</Badge> : null}
        <p className={styles["quiet"]}>
          {t("size", { rows, columns: columns.length, size: formatFileSize(size, language) })}
        </p>
      </div>
      <Button look="quiet" aria-label={t("showNamed", { name })} onClick={() => setOpen("rows")}>
        <Table2 size={16} aria-hidden />
        <span className={styles["showWord"]}>{t("show")}</span>
      </Button>
      <Menu
        items={[
          { label: t("rename"), icon: <Pencil size={16} aria-hidden />, onSelect: () => setOpen("rename") },
          { label: t("saveCsv"), icon: <Download size={16} aria-hidden />, onSelect: save },
          {
            label: t("delete"),
            icon: <Trash2 size={16} aria-hidden />,
            isDangerous: true,
            onSelect: () => setOpen("delete"),
          },
        ]}
      />
      {open === "rows" ? <DatasetRowsDialog table={table} onClose={close} /> : null}
      {open === "rename" ? (
        <RenameDialog title={t("rename")} label={t("name")} name={name} onRename={rename} onClose={close} />
      ) : null}
      {open === "delete" ? (
        <ConfirmDialog title={t("deleteTitle")} action={t("delete")} onConfirm={remove} onClose={close}>
          <p>{t("deleteMore", { name })}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
}
