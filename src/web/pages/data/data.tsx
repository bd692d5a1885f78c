// The user's datasets, collapsed below the pages.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../language.ts";
import { api } from "../../runtime.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Loading } from "../../ui/notice.tsx";
import { toast, toastFailure } from "../../ui/toast.tsx";
import styles from "./data.module.css";
import { Table } from "./table.tsx";
import { Upload } from "./upload.tsx";
import { WORDS } from "./words.ts";

export function Data() {
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
          <Upload />
          {tables.isPending ? <Loading /> : null}
          {tables.isError ? <Failure error={tables.error} onRetry={() => void tables.refetch()} /> : null}
          {tables.data?.length === 0 ? <p className={styles["quiet"]}>{say("none")}</p> : null}
          <ul className={styles["tables"]}>
            {tables.data?.map((table) => (
              <Table key={table.dataset_id} table={table} />
            ))}
          </ul>
          {tables.data?.some(({ is_sample: isSample }) => isSample) === true ? null : <Sample />}
        </div>
      ) : null}
    </details>
  );
}

function Sample() {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const load = useMutation({
    mutationFn: () => api.loadSample(),
    onError: toastFailure,
    onSuccess: () => {
      toast(say("sampleLoaded"));
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
