// A chart with title, legend, and its numbers as a table.

import { lazy, Suspense, useState } from "react";
import { formatNumber } from "../../../../pages/axis-scale.ts";
import { Loading } from "../../../ui/notice.tsx";
import { useMessages } from "../../../session/language.ts";
import styles from "./chart.module.css";
import {
  buildChartRows,
  selectShape,
  type ChartData,
  type ChartShape,
  buildPieSlices,
  getSeriesColour,
  toggleMember,
} from "./chart-data.ts";
import { GaugeDrawing } from "./radial-charts.tsx";

const ChartDrawing = lazy(() =>
  import("./chart-drawing.tsx").then(({ ChartDrawing: ChartDrawingComponent }) => ({ default: ChartDrawingComponent })),
);
/** Height of a horizontal bar with its gap, in px. */
const SIDEWAYS_BAR_PX = 20;

/** A chart without numbers shows a note. The legend hides series in the drawing; the table shows all. */
export function ChartBlockView({ block }: { readonly block: ChartData }) {
  const t = useMessages("blocks");
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const toggle = (series: number) => setHidden((now) => toggleMember(now, series));
  const shape = selectShape(block);
  return (
    <figure className={styles["chart"]}>
      <figcaption>
        <h3>{block.title}</h3>
      </figcaption>
      {shape === "nothing" ? <p className={styles["nothing"]}>{t("noNumbers")}</p> : null}
      {shape === "gauge" ? <GaugeDrawing chart={block} /> : null}
      {shape === "gauge" || shape === "nothing" ? null : (
        <div className={styles["drawing"]} style={{ ["--height" as string]: `${computeHeight(block, shape)}px` }}>
          <Suspense fallback={<Loading />}>
            <ChartDrawing chart={block} shape={shape} hidden={hidden} />
          </Suspense>
        </div>
      )}
      {shape === "pie" ? <PieLegend chart={block} /> : null}
      {hasLegend(block, shape) ? <ChartLegend chart={block} hidden={hidden} onToggle={toggle} /> : null}
      {buildChartRows(block).length === 0 ? null : <ChartNumbers chart={block} />}
    </figure>
  );
}

/** A single series is named by the title. */
function hasLegend({ series }: ChartData, shape: ChartShape): boolean {
  return shape !== "pie" && shape !== "gauge" && shape !== "nothing" && series.length > 1;
}

function computeHeight(chart: ChartData, shape: ChartShape): number {
  if (shape === "sideways")
    return 40 + buildChartRows(chart).length * (10 + SIDEWAYS_BAR_PX * Math.min(4, chart.series.length));
  return shape === "radar" ? 320 : 280;
}

function ChartNumbers({ chart }: { readonly chart: ChartData }) {
  const t = useMessages("blocks");
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles["numbers"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("asTable")}</summary>
      {/* Rendered on demand: thousands of rows would slow down the page. */}
      {isOpen ? <ChartNumbersTable chart={chart} /> : null}
    </details>
  );
}

function ChartNumbersTable({ chart }: { readonly chart: ChartData }) {
  const t = useMessages("blocks");
  return (
    // Scrollable content must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["numbersScroll"]} role="region" aria-label={chart.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("category")}</th>
            {chart.series.map(({ name }, i) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={i} scope="col">
                {name === "" ? chart.title : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buildChartRows(chart).map(({ at, label }) => (
            <tr key={at}>
              <th scope="row">{label}</th>
              {chart.series.map(({ data }, i) => {
                const value = data[at] ?? null;
                // oxlint-disable-next-line react/no-array-index-key
                return <td key={i}>{value === null ? "–" : formatNumber(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The legends of charts.

/** The series of a chart; a click calls `onToggle` to hide or show it. `hidden`: the indices of the hidden series. */
function ChartLegend({
  chart,
  hidden,
  onToggle,
}: {
  readonly chart: ChartData;
  readonly hidden: ReadonlySet<number>;
  readonly onToggle: (series: number) => void;
}) {
  return (
    <ul className={styles["legend"]}>
      {chart.series.map(({ name, color }, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>
          <button
            type="button"
            className={styles["legendButton"]}
            aria-pressed={!hidden.has(i)}
            onClick={() => onToggle(i)}
          >
            <ColourKey colour={getSeriesColour(i, color)} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The slices of a pie with their values and shares. */
function PieLegend({ chart }: { readonly chart: ChartData }) {
  const t = useMessages("blocks");
  return (
    <ul className={styles["legend"]}>
      {buildPieSlices(chart).map(({ at, value, share, count }, i) => (
        <li key={at ?? "rest"} className={styles["legendSlice"]}>
          <ColourKey colour={getSeriesColour(i)} />
          {at === null ? t("others", { count }) : (chart.xAxis[at] ?? "")}
          <span className={styles["legendShare"]}>
            {formatNumber(value)} · {Math.round(share * 100)}%
          </span>
        </li>
      ))}
    </ul>
  );
}

function ColourKey({ colour }: { readonly colour: string }) {
  return <span className={styles["key"]} style={{ background: colour }} aria-hidden />;
}
