// The user's datasets, collapsed below the pages.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { LoadFailure, Loading } from "../../../ui/notice.tsx";
import { showToast, showErrorToast } from "../../../ui/toast.tsx";
import styles from "./datasets.module.css";
import { DatasetItem } from "./dataset-item.tsx";
import { DatasetUpload } from "./dataset-upload.tsx";

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
