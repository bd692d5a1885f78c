// The view of one stored page: read, run again, change by request, share, export, print.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, FileSpreadsheet, MessageSquare, Pencil, Printer, RefreshCw, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { KeptPage } from "../../protocol/pages.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { useTitle } from "../shell/title.ts";
import { Back } from "../ui/back.tsx";
import { IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { toast, toastFailure } from "../ui/toast.tsx";
import { Ask } from "./ask.tsx";
import { BuildState } from "./build-state.tsx";
import type { Outcome } from "./building.ts";
import { homeOf } from "./home.ts";
import { PageView } from "./page-view.tsx";
import styles from "./page.module.css";
import { RenamePage } from "./rename.tsx";
import { saveFile } from "./save-file.ts";
import { Share } from "./share.tsx";
import { useBuild } from "./use-build.ts";
import { useWish } from "./use-wish.ts";
import { WORDS } from "./words.ts";

export function Page({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  const page = useQuery({ queryKey: ["page", id], queryFn: () => api.page(id) });
  if (page.data !== undefined) return <Kept page={page.data} />;
  return (
    <Panel title={say("page")}>
      <Back href="/pages" label={say("allPages")} />
      {page.isPending ? <Loading /> : <Failure error={page.error} onRetry={() => void page.refetch()} />}
    </Panel>
  );
}

function Kept({ page }: { readonly page: KeptPage }) {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const queries = useQueryClient();
  const id = page.page_id;
  const done = async ({ pageId }: Outcome) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["page", pageId ?? id] }),
      queries.invalidateQueries({ queryKey: ["pages"] }),
    ]);
    if (pageId !== null && pageId !== id) go(`/pages/${pageId}`);
  };
  const builder = useBuild(done);
  const wish = useWish(page, builder);
  useTitle(page.title);
  const isBusy = builder.build.status === "running";
  const run = () => builder.start({ make: () => api.runPage(id), blueprint: page.blueprint, before: page.page });
  return (
    <Panel title={say("page")} actions={<Actions page={page} isBusy={isBusy} onRun={run} />}>
      <Back href="/pages" label={say("allPages")} />
      <BuildState builder={builder} onSuggestion={(name) => void wish.say(name)} />
      {isBusy ? null : <PageView page={page.page} title={page.title} />}
      <div className={styles["ask"]}>
        <Ask wish={wish} isAboutPage isBusy={isBusy} />
      </div>
    </Panel>
  );
}

type Window = "none" | "share" | "rename" | "delete";

function Actions({
  page,
  isBusy,
  onRun,
}: {
  readonly page: KeptPage;
  readonly isBusy: boolean;
  readonly onRun: () => void;
}) {
  const say = useWords(WORDS);
  const [open, setOpen] = useState<Window>("none");
  const close = () => setOpen("none");
  const [isReached, setReached] = useState(false);
  const items = useItems(page, setOpen, isReached);
  return (
    <>
      <IconButton label={say("runAgainLong")} disabled={isBusy} onClick={onRun}>
        <RefreshCw size={18} aria-hidden />
      </IconButton>
      <IconButton label={say("share")} onClick={() => setOpen("share")}>
        <Share2 size={18} aria-hidden />
      </IconButton>
      <IconButton label={say("print")} onClick={() => print()}>
        <Printer size={18} aria-hidden />
      </IconButton>
      <span onPointerEnter={() => setReached(true)} onFocus={() => setReached(true)}>
        <Menu items={items} />
      </span>
      {open === "share" ? <Share id={page.page_id} onClose={close} /> : null}
      {open === "rename" ? <RenamePage page={page} onClose={close} /> : null}
      {open === "delete" ? <Delete page={page} onClose={close} /> : null}
    </>
  );
}

function useItems(page: KeptPage, onOpen: (window: Window) => void, isReached: boolean): MenuItem[] {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const { page_id: id, title } = page;
  const { data: home } = useQuery({ ...homeOf(page), enabled: isReached });
  const save = (text: Promise<string>, name: string, type: string) =>
    void text.then((content) => saveFile(content, name, type), toastFailure);
  const icon = { size: 16, "aria-hidden": true };
  return [
    ...(home?.kind === "conversation"
      ? [{ label: say("toConversation"), icon: <MessageSquare {...icon} />, onSelect: () => go(`/c/${home.id}`) }]
      : []),
    { label: say("rename"), icon: <Pencil {...icon} />, onSelect: () => onOpen("rename") },
    {
      label: say("saveHtml"),
      icon: <Download {...icon} />,
      onSelect: () => save(api.pageHtml(id), `${title}.html`, "text/html"),
    },
    {
      label: say("saveCsv"),
      icon: <FileSpreadsheet {...icon} />,
      onSelect: () => save(api.pageCsv(id), `${title}.csv`, "text/csv"),
    },
    { label: say("delete"), icon: <Trash2 {...icon} />, isDangerous: true, onSelect: () => onOpen("delete") },
  ];
}

function Delete({ page, onClose }: { readonly page: KeptPage; readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const queries = useQueryClient();
  const remove = async () => {
    await api.deletePage(page.page_id);
    toast(say("deleted"));
    await queries.invalidateQueries({ queryKey: ["pages"] });
    go("/pages");
  };
  return (
    <Confirm title={say("deleteAsk")} action={say("delete")} onConfirm={remove} onClose={onClose}>
      <p>{say("deleteSure", { title: page.title })}</p>
    </Confirm>
  );
}
