// A page as it is read: what it is, and its blocks, one tab or one after the other. On paper all tabs follow each other.

import { useMemo, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import { sourceText } from "../../protocol/page-source.ts";
import type { Block, PageSpec } from "../../protocol/page.ts";
import { useFormat } from "../format.ts";
import { useLanguage, useWords } from "../language.ts";
import { Tabs } from "../ui/tabs.tsx";
import { BlockView } from "./blocks/block-view.tsx";
import styles from "./page-view.module.css";
import { WORDS } from "./words.ts";

export function PageView({
  page,
  title,
}: {
  readonly page: PageSpec;
  /** What its owner calls it, where that is another name. */
  readonly title?: string;
}) {
  const { meta, layout, tabs } = page;
  const doubts = useMemo(() => doubtsIn(page), [page]);
  const sections = tabs.map(({ id, label, blocks }) => ({
    id,
    label,
    content: blocks.map((block) => <BlockView key={block.id} block={block} {...doubtfulOf(doubts, block)} />),
  }));
  return (
    <article className={styles["page"]}>
      <PageHead meta={meta} title={title ?? meta.pageTitle} />
      <Sections layout={layout} sections={sections} />
    </article>
  );
}

function doubtsIn({ meta }: PageSpec): ReadonlyMap<string, readonly string[]> {
  const byBlock = Map.groupBy(meta.unverifiedNumbers ?? [], ({ blockId }) => blockId);
  return new Map([...byBlock].map(([id, found]) => [id, [...new Set(found.map(({ number }) => number))]]));
}

function doubtfulOf(doubts: ReadonlyMap<string, readonly string[]>, { id }: Block) {
  const doubtful = doubts.get(id);
  return doubtful === undefined ? {} : { doubtful };
}

function PageHead({ meta, title }: { readonly meta: PageSpec["meta"]; readonly title: string }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const language = useLanguage();
  const at = Date.parse(meta.generatedAt);
  const facts = [
    ...(Number.isNaN(at) ? [] : [say("generated", { at: format.moment(at) })]),
    ...(meta.dataSource === ""
      ? []
      : [say("source", { source: sourceText(meta.dataSource, language === "en" ? "en" : "zh") })]),
  ];
  return (
    <header className={styles["head"]}>
      <h2>{title}</h2>
      {meta.summary === "" ? null : <p className={styles["summary"]}>{meta.summary}</p>}
      {facts.length === 0 ? null : <p className={styles["facts"]}>{facts.join(" · ")}</p>}
    </header>
  );
}

export type Section = { readonly id: string; readonly label: string; readonly content: ReactNode };

export function Sections({
  layout,
  sections,
}: {
  readonly layout: PageSpec["layout"];
  readonly sections: readonly Section[];
}) {
  const say = useWords(WORDS);
  const [search, setSearch] = useSearchParams();
  const asked = sections.findIndex(({ id }) => id === search.get("tab"));
  const open = Math.max(0, asked);
  if (layout === "single_page" || sections.length < 2)
    return sections.map(({ id, label, content }) => (
      <SectionView key={id} label={sections.length > 1 ? label : ""}>
        {content}
      </SectionView>
    ));
  const choose = (name: string) =>
    setSearch(
      (now) => {
        now.set("tab", sections[Number(name)]?.id ?? "");
        return now;
      },
      { replace: true },
    );
  return (
    // Ids may have any characters; places are names that suit elements.
    <Tabs
      label={say("tabs")}
      tabs={sections.map(({ label }, i) => ({ name: String(i), label }))}
      chosen={String(open)}
      onChoose={choose}
    >
      <div className={styles["panels"]}>
        {sections.map(({ id, label, content }, i) => (
          // Not taken away: charts keep their width, so that they are there on paper.
          <div key={id} className={i === open ? "" : styles["asleep"]}>
            <SectionView label={label} isOnPaperOnly>
              {content}
            </SectionView>
          </div>
        ))}
      </div>
    </Tabs>
  );
}

function SectionView({
  label,
  isOnPaperOnly = false,
  children,
}: {
  readonly label: string;
  /** The label, which the tab has on the screen. */
  readonly isOnPaperOnly?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles["section"]}>
      {label === "" ? null : (
        <h3 className={`${styles["label"]} ${isOnPaperOnly ? styles["paperOnly"] : ""}`}>{label}</h3>
      )}
      <div className={styles["blocks"]}>{children}</div>
    </section>
  );
}
