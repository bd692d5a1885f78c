import { useQueryClient } from "@tanstack/react-query";
import type { PageSummary } from "../../protocol/pages/stored-page.ts";
import { useWords } from "../language.ts";
import { api } from "../full-api.ts";
import { RenameDialog } from "../ui/rename-dialog.tsx";
import { WORDS } from "./words.ts";

/** Asks for a new title and renames a page. */
export function RenamePageDialog({
  page,
  onClose,
}: {
  readonly page: Pick<PageSummary, "page_id" | "title">;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const rename = async (title: string) => {
    await api.renamePage(page.page_id, title);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["page", page.page_id] }),
      queries.invalidateQueries({ queryKey: ["pages"] }),
    ]);
  };
  return (
    <RenameDialog title={say("rename")} label={say("title")} name={page.title} onRename={rename} onClose={onClose} />
  );
}
