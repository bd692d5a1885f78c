// Uploads dropped or chosen files, one dataset each. Parse errors name line and column.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload as UploadIcon } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { toFault } from "../../../protocol/wire/fault.ts";
import { useLanguage, useWords } from "../../language.ts";
import { api } from "../../full-api.ts";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./datasets.module.css";
import { MAX_UPLOAD_BYTES, getDatasetName, formatFileSize, toUploadBlob } from "./upload-file.ts";
import { WORDS } from "./words.ts";

type UploadProblem = { readonly words: string; readonly taken?: File };

const NO_PROBLEMS: readonly UploadProblem[] = [];

export function DatasetUpload() {
  const say = useWords(WORDS);
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
      showToast(say("uploaded", { name, rows }));
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["datasets"] }),
        // The dataset may have been replaced.
        queries.invalidateQueries({ queryKey: ["dataset"] }),
      ]);
    },
    onError: (error, { file }) => {
      const { code, message } = toFault(error);
      addProblem({ words: `${file.name}: ${message}`, ...(code === "conflict" ? { taken: file } : {}) });
    },
  });
  const uploadFiles = async (files: readonly File[]) => {
    setProblems(files.length === 0 ? [{ words: say("notFile") }] : NO_PROBLEMS);
    for (const file of files) {
      if (file.size > MAX_UPLOAD_BYTES) {
        addProblem({ words: `${file.name}: ${say("tooLarge", { size: formatFileSize(file.size, language) })}` });
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
          {sending.isPending ? say("reading", { name: sending.variables.file.name }) : say("drop")}{" "}
          <Button disabled={sending.isPending} onClick={() => input.current?.click()}>
            {say("choose")}
          </Button>
        </p>
        <p className={styles["limit"]}>{say("limit")}</p>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={say("choose")}
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
          {problem.taken === undefined ? null : <Button onClick={() => replace(problem)}>{say("replace")}</Button>}
        </div>
      ))}
    </>
  );
}
