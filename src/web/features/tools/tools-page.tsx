import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useSearchParams } from "wouter";
import { TOOL_CATEGORIES, type ToolCategory, type ToolSummary } from "../../../protocol/tools/stored-tool.ts";
import { useDebouncedValue } from "../../ui/text-input.ts";
import { useMessages, useLanguage } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { CardList, Card, CardFacts, CardHead, CoverLink } from "../../ui/card-list.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyNotice, LoadFailure, Loading, LoadMore } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import styles from "./tools-page.module.css";
import { buildChatAddress } from "../agents/agent-address.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { Badge } from "../../ui/badge.tsx";

const TOOLS_PER_PAGE = 30;

/** The page that lists all tools. The filters are stored in the address, so that the back button restores them. */
export function ToolsPage() {
  const t = useMessages("tools");
  const [params, setParams] = useSearchParams();
  const [searchText, setSearchText] = useState(params.get("q") ?? "");
  const category = TOOL_CATEGORIES.find((one) => one === params.get("category"));
  const q = useDebouncedValue(searchText.trim());
  const setFilter = (name: "q" | "category", value: string) => {
    if ((params.get(name) ?? "") === value) return;
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  const keepSearch = useEffectEvent(() => setFilter("q", q));
  useEffect(() => keepSearch(), [q]);
  return (
    <Panel title={t("title")} lead={t("lead")}>
      <div className={styles["search"]}>
        <Field
          label={t("search")}
          type="search"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <div className={styles["categories"]} role="group" aria-label={t("category")}>
          {[undefined, ...TOOL_CATEGORIES].map((one) => (
            <button
              key={one ?? "all"}
              type="button"
              aria-pressed={one === category}
              className={styles["category"]}
              onClick={() => setFilter("category", one ?? "")}
            >
              {t(one ?? "all")}
            </button>
          ))}
        </div>
      </div>
      <ToolList q={q} category={category} />
    </Panel>
  );
}

function ToolList({ q, category }: { readonly q: string; readonly category: ToolCategory | undefined }) {
  const t = useMessages("tools");
  const list = useInfiniteQuery({
    queryKey: ["tools", q, category],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      api.listTools({
        limit: TOOLS_PER_PAGE,
        ...(q === "" ? {} : { q }),
        ...(category === undefined ? {} : { category }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const tools = [...new Map(data.pages.flatMap((page) => page.tools).map((tool) => [tool.name, tool])).values()];
  const isNarrowed = q !== "" || category !== undefined;
  return (
    <>
      <p role="status" className="visually-hidden">
        {t("found", { count: tools.length })}
      </p>
      {tools.length > 0 ? (
        <CardList>
          {tools.map((tool) => (
            <ToolListCard key={tool.name} tool={tool} />
          ))}
        </CardList>
      ) : isNarrowed ? (
        <EmptyNotice title={t("noMatch")}>
          <p>{t("noMatchMore")}</p>
        </EmptyNotice>
      ) : (
        <NoTools />
      )}
      <LoadMore list={list} />
    </>
  );
}

/** Shown if there are no tools: explains how to create a tool, with a link to a filled-in request to the toolsmith. */
function NoTools() {
  const t = useMessages("tools");
  return (
    <EmptyNotice title={t("empty")}>
      <p className={styles["words"]}>{t("emptyMore")}</p>
      <ButtonLink href={buildChatAddress("toolsmith", t("example"))}>{t("example")}</ButtonLink>
    </EmptyNotice>
  );
}

/** A tool in the list of tools, linked to its page. */
function ToolListCard({ tool }: { readonly tool: ToolSummary }) {
  const t = useMessages("tools");
  const format = useFormatter();
  const language = useLanguage();
  const { name, description, category, version, uses, last_run: run, updated_at: updated } = tool;
  return (
    <Card>
      <CardHead>
        <h2>
          <code>
            <CoverLink href={`/tools/${encodeURIComponent(name)}`}>{name}</CoverLink>
          </code>
        </h2>
        <Badge tone="info">{t(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{t(run.status)}</Badge>
      </CardHead>
      <p>{pickLanguage(language, description)}</p>
      <CardFacts>
        <span>{t("uses", { count: uses })}</span>
        <span>{t("version", { version })}</span>
        <time dateTime={new Date(updated).toISOString()} title={format.dateTime(updated)}>
          {t("updated", { when: format.relativeTime(updated) })}
        </time>
      </CardFacts>
    </Card>
  );
}
