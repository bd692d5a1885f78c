// The user's pages, the input that creates a new one, and the datasets.

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { PageSummary } from "../../../protocol/pages/stored-page.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { Card, CardFacts, CardText, CoverLink } from "../../ui/card-list.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyNotice, LoadFailure, Loading, LoadMore } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { showErrorToast } from "../../ui/toast.tsx";
import { AnalystChat } from "./analyst-chat.tsx";
import { PageBuildState } from "./page-progress-view.tsx";
import type { PageOutcome } from "./page-progress.ts";
import { DatasetsSection } from "./data/datasets-section.tsx";
import styles from "./pages-page.module.css";
import { usePageBuild } from "./use-page-build.ts";
import { useAnalystChat } from "./use-analyst-chat.ts";

const PAGES_PER_REQUEST = 30;

/** A finished build opens its page. While a page is built, list and datasets are hidden. */
export function PagesPage() {
  const t = useMessages("pages");
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const handleDone = async ({ pageId }: PageOutcome) => {
    await queries.invalidateQueries({ queryKey: ["pages"] });
    if (pageId !== null) navigate(`/pages/${pageId}`);
  };
  const builder = usePageBuild(handleDone);
  const chat = useAnalystChat(null, builder);
  const isBusy = builder.build.status === "running";
  return (
    <Panel title={t("pages")} lead={t("lead")}>
      <div className={styles["view"]}>
        <AnalystChat chat={chat} isBusy={isBusy} />
        <PageBuildState builder={builder} onSuggestion={(name) => void chat.send(name)} />
        {isBusy ? null : <DatasetsSection />}
        {isBusy ? null : <PageCardList onExample={(message) => void chat.send(message)} />}
      </div>
    </Panel>
  );
}

function PageCardList({ onExample }: { readonly onExample: (message: string) => void }) {
  const t = useMessages("pages");
  const list = useInfiniteQuery({
    queryKey: ["pages"],
    queryFn: ({ pageParam }) =>
      api.listPages({ limit: PAGES_PER_REQUEST, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  if (list.data === undefined)
    return list.isPending ? <Loading /> : <LoadFailure error={list.error} onRetry={() => void list.refetch()} />;
  const pages = list.data.pages.flatMap((page) => page.pages);
  if (pages.length === 0) return <NoPages onExample={onExample} />;
  return (
    <>
      <ul className={styles["list"]} aria-label={t("pages")}>
        {pages.map((page) => (
          <PageCardRow key={page.page_id} page={page} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  );
}

function PageCardRow({ page }: { readonly page: PageSummary }) {
  const t = useMessages("pages");
  const format = useFormatter();
  return (
    <Card look={styles["row"]}>
      <h2>
        <CoverLink href={`/pages/${page.page_id}`}>{page.title}</CoverLink>
      </h2>
      {page.summary === "" ? null : <CardText>{page.summary}</CardText>}
      <CardFacts>{t("refreshed", { when: format.relativeTime(page.refreshed_at) })}</CardFacts>
    </Card>
  );
}

const EXAMPLES = ["exampleCompare", "exampleScores"] as const;

function NoPages({ onExample }: { readonly onExample: (message: string) => void }) {
  const t = useMessages("pages");
  const queries = useQueryClient();
  const [isLoaded, setLoaded] = useState(false);
  const load = useMutation({
    mutationFn: () => api.loadSample(),
    onError: showErrorToast,
    onSuccess: () => {
      setLoaded(true);
      return queries.invalidateQueries({ queryKey: ["datasets"] });
    },
  });
  return (
    <EmptyNotice title={t("none")}>
      <p className={styles["how"]}>{isLoaded ? t("sampleLoaded") : t("noneMore")}</p>
      <div className={styles["begin"]}>
        {isLoaded ? null : (
          <Button disabled={load.isPending} onClick={() => load.mutate()}>
            {t("loadSample")}
          </Button>
        )}
        <ButtonLink href="/">{t("askInChat")}</ButtonLink>
      </div>
      <p>{t("tryThis")}</p>
      <div className={styles["begin"]}>
        {EXAMPLES.map((example) => (
          <Button key={example} onClick={() => onExample(t(example))}>
            {t(example)}
          </Button>
        ))}
      </div>
    </EmptyNotice>
  );
}
