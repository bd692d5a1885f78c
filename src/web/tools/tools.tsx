import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TOOL_CATEGORIES, type ToolCategory } from "../../protocol/tools.ts";
import { useDebounced } from "../conversations/debounced.ts";
import { useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Field } from "../ui/field.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { NoTools } from "./no-tools.tsx";
import { ToolRow } from "./tool-row.tsx";
import styles from "./tools.module.css";
import { WORDS } from "./words.ts";

const PAGE = 30;

export function Tools() {
  const say = useWords(WORDS);
  const [written, setWritten] = useState("");
  const [category, setCategory] = useState<ToolCategory>();
  const q = useDebounced(written.trim());
  return (
    <Panel title={say("title")} lead={say("lead")}>
      <div className={styles["search"]}>
        <Field
          label={say("search")}
          type="search"
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
        <div className={styles["categories"]} role="group" aria-label={say("category")}>
          {[undefined, ...TOOL_CATEGORIES].map((one) => (
            <button
              key={one ?? "all"}
              type="button"
              aria-pressed={one === category}
              className={styles["category"]}
              onClick={() => setCategory(one)}
            >
              {say(one ?? "all")}
            </button>
          ))}
        </div>
      </div>
      <ToolList q={q} category={category} />
    </Panel>
  );
}

function ToolList({ q, category }: { readonly q: string; readonly category: ToolCategory | undefined }) {
  const say = useWords(WORDS);
  const list = useInfiniteQuery({
    queryKey: ["tools", q, category],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      api.listTools({
        limit: PAGE,
        ...(q === "" ? {} : { q }),
        ...(category === undefined ? {} : { category }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const tools = [...new Map(data.pages.flatMap((page) => page.tools).map((tool) => [tool.name, tool])).values()];
  const isNarrowed = q !== "" || category !== undefined;
  return (
    <>
      <p role="status" className="visually-hidden">
        {say("found", { count: tools.length })}
      </p>
      {tools.length > 0 ? (
        <ul className={styles["tools"]}>
          {tools.map((tool) => (
            <ToolRow key={tool.name} tool={tool} />
          ))}
        </ul>
      ) : isNarrowed ? (
        <Empty title={say("neverMatched")}>
          <p>{say("neverMatchedMore")}</p>
        </Empty>
      ) : (
        <NoTools />
      )}
      <More list={list} />
    </>
  );
}
