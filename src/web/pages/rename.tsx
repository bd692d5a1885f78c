import { useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { toFault } from "../../protocol/fault.ts";
import type { PageSummary } from "../../protocol/pages.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { WORDS } from "./words.ts";

const MAX_TITLE = 200;

export function Rename({
  page,
  onClose,
}: {
  readonly page: Pick<PageSummary, "page_id" | "title">;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const form = useId();
  const [title, setTitle] = useState(page.title);
  const [error, setError] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.renamePage(page.page_id, title);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["page", page.page_id] }),
        queries.invalidateQueries({ queryKey: ["pages"] }),
      ]);
      onClose();
    } catch (thrown) {
      setError(toFault(thrown).message);
    }
  };
  const actions = (
    <Button look="primary" type="submit" form={form} disabled={title.trim() === ""}>
      {say("save")}
    </Button>
  );
  return (
    <Dialog title={say("rename")} onClose={onClose} actions={actions}>
      <form id={form} onSubmit={(event) => void save(event)}>
        <Field
          label={say("title")}
          value={title}
          maxLength={MAX_TITLE}
          error={error}
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
