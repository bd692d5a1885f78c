// The user's datasets, collapsed below the pages.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../language.ts";
import { api } from "../../full-api.ts";
import { Button } from "../../ui/button.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { showToast, showErrorToast } from "../../ui/toast.tsx";
import styles from "./datasets.module.css";
import { DatasetItem } from "./dataset-item.tsx";
import { DatasetUpload } from "./dataset-upload.tsx";
import { WORDS } from "./words.ts";

export function DatasetsSection() {
  const say = useWords(WORDS);
  const [isOpen, setOpen] = useState(false);
  const tables = useQuery({ queryKey: ["datasets"], queryFn: () => api.listDatasets() });
  return (
    <details className={styles["data"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={18} className={styles["mark"]} aria-hidden />
        <h2>{say("data")}</h2>
        {tables.data === undefined ? null : (
          <span className={styles["count"]}>{say("count", { count: tables.data.length })}</span>
        )}
      </summary>
      {isOpen ? (
        <div className={styles["inside"]}>
          <DatasetUpload />
          {tables.isPending ? <Loading /> : null}
          {tables.isError ? <LoadFailure error={tables.error} onRetry={() => void tables.refetch()} /> : null}
          {tables.data?.length === 0 ? <p className={styles["quiet"]}>{say("none")}</p> : null}
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
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const load = useMutation({
    mutationFn: () => api.loadSample(),
    onError: showErrorToast,
    onSuccess: () => {
      showToast(say("sampleLoaded"));
      return queries.invalidateQueries({ queryKey: ["datasets"] });
    },
  });
  return (
    <div>
      <Button disabled={load.isPending} onClick={() => load.mutate()}>
        {say("loadSample")}
      </Button>
    </div>
  );
}
