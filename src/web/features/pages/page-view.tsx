// Shows a generated page: title, summary and blocks, in tabs or one column. Print shows all tabs one after the other.

import { useMemo, type ReactNode } from "react";
import { useSearchParams } from "wouter";
import { formatDataSource } from "../../../pages/page-source-names.ts";
import type { PageBlock, PageSpec } from "../../../protocol/pages/page.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { BlockView } from "./blocks/block-view.tsx";
import styles from "./page-view.module.css";

/** Highlights numbers that no tool has produced. */
export function PageView({
  page,
  title,
}: {
  readonly page: PageSpec;
  /** The user's name for the page, if it differs from the generated title. */
  readonly title?: string;
}) {
  const { meta, layout, tabs } = page;
  const unverified = useMemo(() => groupUnverifiedNumbers(page), [page]);
  const sections = tabs.map(({ id, label, blocks }) => ({
    id,
    label,
    content: blocks.map((block) => (
      <BlockView key={block.id} block={block} {...getUnverifiedProps(unverified, block)} />
    )),
  }));
  return (
    <article className={styles["page"]}>
      <PageHeader meta={meta} title={title ?? meta.pageTitle} />
      <PageSections layout={layout} sections={sections} />
    </article>
  );
}

function groupUnverifiedNumbers({ meta }: PageSpec): ReadonlyMap<string, readonly string[]> {
  const byBlock = Map.groupBy(meta.unverifiedNumbers ?? [], ({ blockId }) => blockId);
  return new Map([...byBlock].map(([id, found]) => [id, [...new Set(found.map(({ number }) => number))]]));
}

function getUnverifiedProps(unverified: ReadonlyMap<string, readonly string[]>, { id }: PageBlock) {
  const doubtful = unverified.get(id);
  return doubtful === undefined ? {} : { doubtful };
}

function PageHeader({ meta, title }: { readonly meta: PageSpec["meta"]; readonly title: string }) {
  const t = useMessages("pages");
  const format = useFormatter();
  const language = useLanguage();
  const at = Date.parse(meta.generatedAt);
  const facts = [
    ...(Number.isNaN(at) ? [] : [t("generated", { at: format.dateTime(at) })]),
    ...(meta.dataSource === ""
      ? []
      : [t("source", { source: formatDataSource(meta.dataSource, language === "en" ? "en" : "zh") })]),
  ];
  return (
    <header className={styles["head"]}>
      <h2>{title}</h2>
      {meta.summary === "" ? null : <p className={styles["summary"]}>{meta.summary}</p>}
      {facts.length === 0 ? null : <p className={styles["facts"]}>{facts.join(" · ")}</p>}
    </header>
  );
}

type PageSection = { readonly id: string; readonly label: string; readonly content: ReactNode };

/**
 * Shows sections as tabs, or one below the other for `single_page` and for a single section. The open tab is in the
 * address (`?tab=<section id>`); an unknown id opens the first.
 */
export function PageSections({
  layout,
  sections,
}: {
  readonly layout: PageSpec["layout"];
  readonly sections: readonly PageSection[];
}) {
  const t = useMessages("pages");
  const [search, setSearch] = useSearchParams();
  const requestedIndex = sections.findIndex(({ id }) => id === search.get("tab"));
  const open = Math.max(0, requestedIndex);
  if (layout === "single_page" || sections.length < 2)
    return sections.map(({ id, label, content }) => (
      <PageSectionView key={id} label={sections.length > 1 ? label : ""}>
        {content}
      </PageSectionView>
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
    // Section ids may contain any character, so tabs are named by index.
    <Tabs
      label={t("tabs")}
      tabs={sections.map(({ label }, i) => ({ name: String(i), label }))}
      chosen={String(open)}
      onChoose={choose}
    >
      <div className={styles["panels"]}>
        {sections.map(({ id, label, content }, i) => (
          // Hidden tabs stay in the layout, so that charts keep the width that they need for printing.
          <div key={id} className={i === open ? "" : styles["asleep"]}>
            <PageSectionView label={label} isPrintOnly>
              {content}
            </PageSectionView>
          </div>
        ))}
      </div>
    </Tabs>
  );
}

function PageSectionView({
  label,
  isPrintOnly = false,
  children,
}: {
  readonly label: string;
  /** Hides the label on the screen, where the tab shows it. */
  readonly isPrintOnly?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles["section"]}>
      {label === "" ? null : (
        <h3 className={`${styles["label"]} ${isPrintOnly ? styles["paperOnly"] : ""}`}>{label}</h3>
      )}
      <div className={styles["blocks"]}>{children}</div>
    </section>
  );
}
