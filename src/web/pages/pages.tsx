// The user's pages, the input that creates a new one, and the datasets.

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { PageSummary } from "../../protocol/pages.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Card, CardFacts, CardText } from "../ui/cards.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { Button } from "../ui/button.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { toastFailure } from "../ui/toast.tsx";
import { Ask } from "./ask.tsx";
import { BuildState } from "./build-state.tsx";
import type { Outcome } from "./building.ts";
import { Data } from "./data/data.tsx";
import styles from "./pages.module.css";
import { useBuild } from "./use-build.ts";
import { useWish } from "./use-wish.ts";
import { WORDS } from "./words.ts";

const AT_ONCE = 30;

export function Pages() {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const queries = useQueryClient();
  const done = async ({ pageId }: Outcome) => {
    await queries.invalidateQueries({ queryKey: ["pages"] });
    if (pageId !== null) go(`/pages/${pageId}`);
  };
  const builder = useBuild(done);
  const wish = useWish(null, builder);
  const isBusy = builder.build.status === "running";
  return (
    <Panel title={say("pages")} lead={say("lead")}>
      <div className={styles["view"]}>
        <Ask wish={wish} isBusy={isBusy} />
        <BuildState builder={builder} onSuggestion={(name) => void wish.say(name)} />
        {isBusy ? null : <Data />}
        {isBusy ? null : <List onExample={(message) => void wish.say(message)} />}
      </div>
    </Panel>
  );
}

function List({ onExample }: { readonly onExample: (message: string) => void }) {
  const say = useWords(WORDS);
  const list = useInfiniteQuery({
    queryKey: ["pages"],
    queryFn: ({ pageParam }) => api.listPages({ limit: AT_ONCE, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  if (list.data === undefined)
    return list.isPending ? <Loading /> : <Failure error={list.error} onRetry={() => void list.refetch()} />;
  const pages = list.data.pages.flatMap((page) => page.pages);
  if (pages.length === 0) return <Nothing onExample={onExample} />;
  return (
    <>
      <ul className={styles["list"]} aria-label={say("pages")}>
        {pages.map((page) => (
          <Row key={page.page_id} page={page} />
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function Row({ page }: { readonly page: PageSummary }) {
  const say = useWords(WORDS);
  const format = useFormat();
  return (
    <Card look={styles["row"]}>
      <h2>
        <CoverLink href={`/pages/${page.page_id}`}>{page.title}</CoverLink>
      </h2>
      {page.summary === "" ? null : <CardText>{page.summary}</CardText>}
      <CardFacts>{say("refreshed", { when: format.distance(page.refreshed_at) })}</CardFacts>
    </Card>
  );
}

const EXAMPLES = ["exampleCompare", "exampleScores"] as const;

function Nothing({ onExample }: { readonly onExample: (message: string) => void }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [isLoaded, setLoaded] = useState(false);
  const load = useMutation({
    mutationFn: () => api.loadSample(),
    onError: toastFailure,
    onSuccess: () => {
      setLoaded(true);
      return queries.invalidateQueries({ queryKey: ["datasets"] });
    },
  });
  return (
    <Empty title={say("none")}>
      <p className={styles["how"]}>{isLoaded ? say("sampleLoaded") : say("noneHow")}</p>
      <div className={styles["begin"]}>
        {isLoaded ? null : (
          <Button disabled={load.isPending} onClick={() => load.mutate()}>
            {say("loadSample")}
          </Button>
        )}
        <ButtonLink href="/">{say("toChat")}</ButtonLink>
      </div>
      <p>{say("tryThis")}</p>
      <div className={styles["begin"]}>
        {EXAMPLES.map((example) => (
          <Button key={example} onClick={() => onExample(say(example))}>
            {say(example)}
          </Button>
        ))}
      </div>
    </Empty>
  );
}
