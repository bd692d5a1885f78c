// The view of one stored page: read, run again, change by request, share, export, print.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, FileSpreadsheet, MessageSquare, Pencil, Printer, RefreshCw, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { StoredPage, PageSummary } from "../../../protocol/pages/stored-page.ts";
import { useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { IconButton } from "../../ui/button.tsx";
import { ConfirmDialog, RenameDialog } from "../../ui/overlay/dialog.tsx";
import { Menu, type MenuItem } from "../../ui/overlay/menu.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel, BackLink, useSetViewTitle } from "../../ui/panel.tsx";
import { showToast, showErrorToast } from "../../ui/toast.tsx";
import { AnalystChat } from "./analyst-chat.tsx";
import { PageBuildState } from "./page-progress-view.tsx";
import type { PageOutcome } from "./page-progress.ts";
import { PageView } from "./page-view.tsx";
import styles from "./stored-page.module.css";
import { saveFile } from "../../ui/save-file.ts";
import { SharePageDialog } from "./share-page-dialog.tsx";
import { usePageBuild } from "./use-page-build.ts";
import { useAnalystChat, createPageOriginQuery } from "./use-analyst-chat.ts";

/** `id` is the page id. A request that creates another page opens that page. */
export function PagePage({ id }: { readonly id: string }) {
  const t = useMessages("pages");
  const page = useQuery({ queryKey: ["page", id], queryFn: () => api.page(id) });
  if (page.data !== undefined) return <StoredPageView page={page.data} />;
  return (
    <Panel title={t("page")}>
      <BackLink href="/pages" label={t("allPages")} />
      {page.isPending ? <Loading /> : <LoadFailure error={page.error} onRetry={() => void page.refetch()} />}
    </Panel>
  );
}

function StoredPageView({ page }: { readonly page: StoredPage }) {
  const t = useMessages("pages");
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const id = page.page_id;
  const handleDone = async ({ pageId }: PageOutcome) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["page", pageId ?? id] }),
      queries.invalidateQueries({ queryKey: ["pages"] }),
    ]);
    if (pageId !== null && pageId !== id) navigate(`/pages/${pageId}`);
  };
  const builder = usePageBuild(handleDone);
  const chat = useAnalystChat(page, builder);
  useSetViewTitle(page.title);
  const isBusy = builder.build.status === "running";
  const run = () =>
    builder.start({ createEvents: () => api.runPage(id), blueprint: page.blueprint, before: page.page });
  return (
    <Panel title={t("page")} actions={<PageActions page={page} isBusy={isBusy} onRun={run} />}>
      <BackLink href="/pages" label={t("allPages")} />
      <PageBuildState builder={builder} onSuggestion={(name) => void chat.send(name)} />
      {isBusy ? null : <PageView page={page.page} title={page.title} />}
      <div className={styles["ask"]}>
        <AnalystChat chat={chat} isAboutPage isBusy={isBusy} />
      </div>
    </Panel>
  );
}

type PageDialogKind = "none" | "share" | "rename" | "delete";

function PageActions({
  page,
  isBusy,
  onRun,
}: {
  readonly page: StoredPage;
  readonly isBusy: boolean;
  readonly onRun: () => void;
}) {
  const t = useMessages("pages");
  const [open, setOpen] = useState<PageDialogKind>("none");
  const close = () => setOpen("none");
  const [wasReached, setWasReached] = useState(false);
  const items = usePageMenuItems(page, setOpen, wasReached);
  return (
    <>
      <IconButton label={t("refresh")} disabled={isBusy} onClick={onRun}>
        <RefreshCw size={18} aria-hidden />
      </IconButton>
      <IconButton label={t("share")} onClick={() => setOpen("share")}>
        <Share2 size={18} aria-hidden />
      </IconButton>
      <IconButton label={t("print")} onClick={() => print()}>
        <Printer size={18} aria-hidden />
      </IconButton>
      <span onPointerEnter={() => setWasReached(true)} onFocus={() => setWasReached(true)}>
        <Menu items={items} />
      </span>
      {open === "share" ? <SharePageDialog id={page.page_id} onClose={close} /> : null}
      {open === "rename" ? <RenamePageDialog page={page} onClose={close} /> : null}
      {open === "delete" ? <DeletePageDialog page={page} onClose={close} /> : null}
    </>
  );
}

function usePageMenuItems(page: StoredPage, onOpen: (window: PageDialogKind) => void, isNeeded: boolean): MenuItem[] {
  const t = useMessages("pages");
  const [, navigate] = useLocation();
  const { page_id: id, title } = page;
  const { data: origin } = useQuery({ ...createPageOriginQuery(page), enabled: isNeeded });
  const save = (text: Promise<string>, name: string, type: string) =>
    void text.then((content) => saveFile(content, name, type), showErrorToast);
  const icon = { size: 16, "aria-hidden": true };
  return [
    ...(origin?.kind === "conversation"
      ? [
          {
            label: t("openConversation"),
            icon: <MessageSquare {...icon} />,
            onSelect: () => navigate(`/c/${origin.id}`),
          },
        ]
      : []),
    { label: t("rename"), icon: <Pencil {...icon} />, onSelect: () => onOpen("rename") },
    {
      label: t("saveHtml"),
      icon: <Download {...icon} />,
      onSelect: () => save(api.pageHtml(id), `${title}.html`, "text/html"),
    },
    {
      label: t("saveCsv"),
      icon: <FileSpreadsheet {...icon} />,
      onSelect: () => save(api.pageCsv(id), `${title}.csv`, "text/csv"),
    },
    { label: t("delete"), icon: <Trash2 {...icon} />, isDangerous: true, onSelect: () => onOpen("delete") },
  ];
}

function DeletePageDialog({ page, onClose }: { readonly page: StoredPage; readonly onClose: () => void }) {
  const t = useMessages("pages");
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const remove = async () => {
    await api.deletePage(page.page_id);
    showToast(t("deleted"));
    await queries.invalidateQueries({ queryKey: ["pages"] });
    navigate("/pages");
  };
  return (
    <ConfirmDialog title={t("deleteTitle")} action={t("delete")} onConfirm={remove} onClose={onClose}>
      <p>{t("deleteMore", { title: page.title })}</p>
    </ConfirmDialog>
  );
}

/** Asks for a new title, renames a page, and refetches page and list. */
function RenamePageDialog({
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
