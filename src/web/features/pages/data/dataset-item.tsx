// A dataset in the list, with its actions.

import { useQueryClient } from "@tanstack/react-query";
import { Download, Pencil, Table2, Trash2 } from "lucide-react";
import { useState } from "react";
import type { DatasetSummary } from "../../../../protocol/datasets/dataset.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { RenameDialog } from "../../../ui/rename-dialog.tsx";
import { showErrorToast } from "../../../ui/toast.tsx";
import { saveFile } from "../save-file.ts";
import styles from "./datasets.module.css";
import { formatFileSize } from "./upload-file.ts";
import { DatasetRowsDialog } from "./dataset-rows-dialog.tsx";

type DatasetDialogKind = "none" | "rows" | "rename" | "delete";

/** Its actions: show the rows, rename, save as CSV, delete. */
export function DatasetItem({ table }: { readonly table: DatasetSummary }) {
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
