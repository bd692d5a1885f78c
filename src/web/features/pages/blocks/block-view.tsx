import { useRef } from "react";
import { assertNever } from "../../../../lib/assert.ts";
import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./blocks.module.css";
import { ChartBlockView } from "../chart/chart-block.tsx";
import { QuizBlockView } from "./quiz-block.tsx";
import { TableBlock } from "./table-block.tsx";
import { useUnverifiedHighlight } from "./use-unverified-highlight.ts";
import { CircleCheck, Lightbulb, TriangleAlert, Minus, TrendingDown, TrendingUp } from "lucide-react";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Badge } from "../../../ui/badge.tsx";

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

type MarkdownBlock = Extract<PageBlock, { type: "markdown" }>;

const CALLOUT_VARIANTS = {
  insight: { Icon: Lightbulb, name: "calloutInsight" },
  warning: { Icon: TriangleAlert, name: "calloutWarning" },
  success: { Icon: CircleCheck, name: "calloutSuccess" },
} as const;

/** Markdown, with a heading and a frame for variants other than the default. `isStreaming`: the text is growing. */
export function Callout({
  content,
  variant,
  isStreaming = false,
}: Pick<MarkdownBlock, "content" | "variant"> & { readonly isStreaming?: boolean }) {
  const t = useMessages("blocks");
  const text = <Markdown text={content} isStreaming={isStreaming} />;
  if (variant === "default") return text;
  const { Icon, name } = CALLOUT_VARIANTS[variant];
  return (
    <div className={`${styles["callout"]} ${styles[variant]}`}>
      <p className={styles["calloutName"]}>
        <Icon size={16} aria-hidden />
        {t(name)}
      </p>
      {text}
    </div>
  );
}

type KpiGridBlock = Extract<PageBlock, { type: "kpi_grid" }>;
const TREND_ICONS = { up: TrendingUp, down: TrendingDown, neutral: Minus };

/** Key figures. The trend is shown by icon and text, not by colour alone. */
function KpiGrid({ block }: { readonly block: KpiGridBlock }) {
  const t = useMessages("blocks");
  return (
    <dl className={styles["kpis"]}>
      {block.data.map(({ label, value, status, subtext }, i) => {
        const Icon = TREND_ICONS[status];
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={i} className={styles["kpi"]}>
            <dt>{label}</dt>
            <dd className={styles["kpiValue"]}>{value}</dd>
            {status === "neutral" && subtext === "" ? null : (
              <dd className={`${styles["kpiStatus"]} ${styles[status]}`}>
                <Icon size={15} aria-hidden />
                <span>
                  <span className={status === "neutral" ? "visually-hidden" : ""}>{t(status)}</span>
                  {subtext === "" ? null : <span className={styles["kpiSubtext"]}> {subtext}</span>}
                </span>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

type SuggestionListBlock = Extract<PageBlock, { type: "suggestion_list" }>;

const PRIORITIES = {
  high: { tone: "bad", name: "priorityHigh" },
  medium: { tone: "warn", name: "priorityMedium" },
  low: { tone: "info", name: "priorityLow" },
} as const;

/** Suggestions in the given order, each with its priority. */
function SuggestionList({ block }: { readonly block: SuggestionListBlock }) {
  const t = useMessages("blocks");
  return (
    <>
      <h3>{block.title}</h3>
      <ol className={styles["suggestions"]}>
        {block.items.map(({ title, description, priority, category }, i) => {
          const { tone, name } = PRIORITIES[priority];
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={i}>
              <p className={styles["suggestionTitle"]}>
                <strong>{title}</strong>
                <Badge tone={tone}>{t(name)}</Badge>
                {category === "" ? null : <Badge>{category}</Badge>}
              </p>
              {description === "" ? null : <Markdown text={description} />}
            </li>
          );
        })}
      </ol>
    </>
  );
}
