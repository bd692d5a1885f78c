// Uploads dropped or chosen files, one dataset each. Parse errors name line and column.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload as UploadIcon } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { toFault } from "../../../../protocol/wire/fault.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import styles from "./datasets.module.css";
import { MAX_UPLOAD_BYTES, getDatasetName, formatFileSize, toUploadBlob } from "./upload-file.ts";

/** `taken`: the file, if a dataset with its name exists; the person may replace that dataset. */
type UploadProblem = { readonly words: string; readonly taken?: File };

const NO_PROBLEMS: readonly UploadProblem[] = [];

/** Uploads one file after the other. Problems are listed; a dataset with the same name can be replaced. */
export function DatasetUpload() {
  const t = useMessages("datasets");
  const language = useLanguage();
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const addProblem = (problem: UploadProblem) => setProblems((before) => [...before, problem]);
  const sending = useMutation({
    mutationFn: ({ file, replace }: { file: File; replace: boolean }) =>
      api.createDataset(toUploadBlob(file), { name: getDatasetName(file), ...(replace ? { replace } : {}) }),
    onSuccess: ({ name, rows }) => {
      showToast(t("uploaded", { name, rows }));
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["datasets"] }),
        // The dataset may have been replaced.
        queries.invalidateQueries({ queryKey: ["dataset"] }),
      ]);
    },
    onError: (error, { file }) => {
      const { code, message } = toFault(error);
      addProblem({
        words: t("uploadFailed", { name: file.name, reason: message }),
        ...(code === "conflict" ? { taken: file } : {}),
      });
    },
  });
  const uploadFiles = async (files: readonly File[]) => {
    setProblems(files.length === 0 ? [{ words: t("notFile") }] : NO_PROBLEMS);
    for (const file of files) {
      if (file.size > MAX_UPLOAD_BYTES) {
        addProblem({ words: t("tooLarge", { name: file.name, size: formatFileSize(file.size, language) }) });
        continue;
      }
      // Sequential: each file may be as large as the server accepts in one request.
      // oxlint-disable-next-line no-await-in-loop
      await sending.mutateAsync({ file, replace: false }).catch(() => {});
    }
  };
  const replace = (problem: UploadProblem) => {
    setProblems((before) => before.filter((one) => one !== problem));
    if (problem.taken !== undefined) sending.mutate({ file: problem.taken, replace: true });
  };
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void uploadFiles([...event.dataTransfer.files]);
  };
  const handleDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <>
      <div
        className={`${styles["drop"]} ${isOver ? styles["over"] : ""}`}
        onDragOver={handleDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <UploadIcon size={20} aria-hidden />
        <p>
          {sending.isPending ? t("reading", { name: sending.variables.file.name }) : t("drop")}{" "}
          <Button disabled={sending.isPending} onClick={() => input.current?.click()}>
            {t("choose")}
          </Button>
        </p>
        <p className={styles["limit"]}>{t("limit")}</p>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={t("choose")}
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          onChange={(event) => {
            void uploadFiles([...(event.target.files ?? [])]);
            // Choosing the same file again must fire `change`, since it may have been corrected.
            event.target.value = "";
          }}
        />
      </div>
      {problems.map((problem) => (
        <div key={problem.words} className={styles["problem"]} role="alert">
          <p>{problem.words}</p>
          {problem.taken === undefined ? null : <Button onClick={() => replace(problem)}>{t("replace")}</Button>}
        </div>
      ))}
    </>
  );
}
