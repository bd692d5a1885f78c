import { useRef } from "react";
import { unreachable } from "../../../protocol/assert.ts";
import type { Block } from "../../../protocol/page.ts";
import { useWords } from "../../language.ts";
import styles from "./blocks.module.css";
import { Callout } from "./callout.tsx";
import { ChartBlock } from "../chart/chart-block.tsx";
import { KpiGrid } from "./kpi-grid.tsx";
import { Quiz } from "./quiz.tsx";
import { SuggestionList } from "./suggestion-list.tsx";
import { TableBlock } from "./table-block.tsx";
import { useDoubts } from "./use-doubts.ts";
import { WORDS } from "./words.ts";

/** One block of a page. `doubtful`: numbers in it that no tool has produced, as written. */
export function BlockView({
  block,
  doubtful = NONE,
}: {
  readonly block: Block;
  readonly doubtful?: readonly string[];
}) {
  const say = useWords(WORDS);
  const element = useRef<HTMLDivElement>(null);
  useDoubts(element, doubtful);
  return (
    <section className={placeOf(block)}>
      <div ref={element}>
        <Body block={block} />
      </div>
      {doubtful.length === 0 ? null : (
        <p className={styles["doubt"]}>{say("doubtful", { count: doubtful.length, numbers: doubtful.join(", ") })}</p>
      )}
    </section>
  );
}

const NONE: readonly string[] = [];

/** Class names of a block: round charts take half of the width if there is room; KPI grids have no frame. */
export function placeOf(block: { readonly type: Block["type"]; readonly variant?: string }): string {
  const { type, variant = "" } = block;
  const isRound = type === "chart" && ["pie", "gauge", "radar"].includes(variant);
  const frame = type === "kpi_grid" || (type === "markdown" && variant !== "default") ? "" : styles["card"];
  return `${styles["block"]} ${isRound ? styles["half"] : ""} ${frame}`;
}

function Body({ block }: { readonly block: Block }) {
  switch (block.type) {
    case "kpi_grid":
      return <KpiGrid block={block} />;
    case "chart":
      return <ChartBlock block={block} />;
    case "table":
      return <TableBlock block={block} />;
    case "markdown":
      return <Callout {...block} />;
    case "suggestion_list":
      return <SuggestionList block={block} />;
    case "question_generator":
      return <Quiz block={block} />;
    default:
      return unreachable(block);
  }
}
