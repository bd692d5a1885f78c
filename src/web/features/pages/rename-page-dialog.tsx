import { useQueryClient } from "@tanstack/react-query";
import type { PageSummary } from "../../../protocol/pages/stored-page.ts";
import { useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { RenameDialog } from "../../ui/rename-dialog.tsx";

/** Asks for a new title, renames a page, and refetches page and list. */
export function RenamePageDialog({
  page,
  onClose,
}: {
  readonly page: Pick<PageSummary, "page_id" | "title">;
  readonly onClose: () => void;
}) {
  const t = useMessages("pages");
  const queries = useQueryClient();
  const rename = async (title: string) => {
    await api.renamePage(page.page_id, { title });
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["page", page.page_id] }),
      queries.invalidateQueries({ queryKey: ["pages"] }),
    ]);
  };
  return <RenameDialog title={t("rename")} label={t("title")} name={page.title} onRename={rename} onClose={onClose} />;
}
