import { useRef } from "react";
import { assertNever } from "../../../../lib/assert.ts";
import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./blocks.module.css";
import { Callout } from "./callout.tsx";
import { ChartBlockView } from "../chart/chart-block.tsx";
import { KpiGrid } from "./kpi-grid.tsx";
import { QuizBlockView } from "./quiz-block.tsx";
import { SuggestionList } from "./suggestion-list.tsx";
import { TableBlock } from "./table-block.tsx";
import { useUnverifiedHighlight } from "./use-unverified-highlight.ts";

/**
 * One block of a page. `doubtful`: numbers in it that no tool has produced, as they are written there; they are
 * highlighted and listed below the block. The list must be the same object while it does not change.
 */
export function BlockView({
  block,
  doubtful = NO_NUMBERS,
}: {
  readonly block: PageBlock;
  readonly doubtful?: readonly string[];
}) {
  const t = useMessages("blocks");
  const element = useRef<HTMLDivElement>(null);
  useUnverifiedHighlight(element, doubtful);
  return (
    <section className={getBlockClass(block)}>
      <div ref={element}>
        <BlockBody block={block} />
      </div>
      {doubtful.length === 0 ? null : (
        <p className={styles["doubt"]}>
          {t("unverifiedNumbers", { count: doubtful.length, numbers: doubtful.join(", ") })}
        </p>
      )}
    </section>
  );
}

const NO_NUMBERS: readonly string[] = [];

/**
 * Returns the class names of a block: round charts take half of the width if there is room; KPI grids and callouts have
 * no frame.
 */
export function getBlockClass(block: { readonly type: PageBlock["type"]; readonly variant?: string }): string {
  const { type, variant = "" } = block;
  const isRound = type === "chart" && ["pie", "gauge", "radar"].includes(variant);
  const frame = type === "kpi_grid" || (type === "markdown" && variant !== "default") ? "" : styles["card"];
  return `${styles["block"]} ${isRound ? styles["half"] : ""} ${frame}`;
}

function BlockBody({ block }: { readonly block: PageBlock }) {
  switch (block.type) {
    case "kpi_grid":
      return <KpiGrid block={block} />;
    case "chart":
      return <ChartBlockView block={block} />;
    case "table":
      return <TableBlock block={block} />;
    case "markdown":
      return <Callout {...block} />;
    case "suggestion_list":
      return <SuggestionList block={block} />;
    case "question_generator":
      return <QuizBlockView block={block} />;
    default:
      return assertNever(block);
  }
}
