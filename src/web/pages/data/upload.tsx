// Uploads dropped or chosen files, one dataset each. Parse errors name line and column.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Upload as UploadIcon } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { toFault } from "../../../protocol/fault.ts";
import { useLanguage, useWords } from "../../language.ts";
import { api } from "../../runtime.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./data.module.css";
import { MAX_BYTES, nameOf, sizeText, tableOf } from "./file.ts";
import { WORDS } from "./words.ts";

type Problem = { readonly words: string; readonly taken?: File };

const NONE: readonly Problem[] = [];

export function Upload() {
  const say = useWords(WORDS);
  const language = useLanguage();
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problems, setProblems] = useState(NONE);
  const complain = (problem: Problem) => setProblems((before) => [...before, problem]);
  const sending = useMutation({
    mutationFn: ({ file, replace }: { file: File; replace: boolean }) =>
      api.createDataset(tableOf(file), { name: nameOf(file), ...(replace ? { replace } : {}) }),
    onSuccess: ({ name, rows }) => {
      toast(say("uploaded", { name, rows }));
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["datasets"] }),
        // The dataset may have been replaced.
        queries.invalidateQueries({ queryKey: ["dataset"] }),
      ]);
    },
    onError: (error, { file }) => {
      const { code, message } = toFault(error);
      complain({ words: `${file.name}: ${message}`, ...(code === "conflict" ? { taken: file } : {}) });
    },
  });
  const take = async (files: readonly File[]) => {
    setProblems(files.length === 0 ? [{ words: say("notFile") }] : NONE);
    for (const file of files) {
      if (file.size > MAX_BYTES) {
        complain({ words: `${file.name}: ${say("tooLarge", { size: sizeText(file.size, language) })}` });
        continue;
      }
      // Sequential: each file may be as large as the server accepts in one request.
      // oxlint-disable-next-line no-await-in-loop
      await sending.mutateAsync({ file, replace: false }).catch(() => {});
    }
  };
  const replace = (problem: Problem) => {
    setProblems((before) => before.filter((one) => one !== problem));
    if (problem.taken !== undefined) sending.mutate({ file: problem.taken, replace: true });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <>
      <div
        className={`${styles["drop"]} ${isOver ? styles["over"] : ""}`}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
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
            void take([...(event.target.files ?? [])]);
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
