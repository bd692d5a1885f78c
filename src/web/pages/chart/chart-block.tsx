// A chart with title, legend, and its numbers as a table.

import { lazy, Suspense, useState } from "react";
import { numberText } from "../../../protocol/scale.ts";
import { Loading } from "../../ui/notice.tsx";
import { useWords } from "../../language.ts";
import styles from "./chart.module.css";
import { rowsOf, shapeOf, type Chart, type Shape } from "./data.ts";
import { Gauge } from "./gauge.tsx";
import { Legend, PieLegend } from "./legend.tsx";
import { toggled } from "../toggled.ts";
import { WORDS } from "../blocks/words.ts";

const Drawing = lazy(() => import("./drawing.tsx").then(({ Drawing: component }) => ({ default: component })));
/** Height of a horizontal bar with its gap, in px. */
const LYING_BAR = 20;

export function ChartBlock({ block }: { readonly block: Chart }) {
  const say = useWords(WORDS);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const toggle = (series: number) => setHidden((now) => toggled(now, series));
  const shape = shapeOf(block);
  return (
    <figure className={styles["chart"]}>
      <figcaption>
        <h3>{block.title}</h3>
      </figcaption>
      {shape === "nothing" ? <p className={styles["nothing"]}>{say("noNumbers")}</p> : null}
      {shape === "gauge" ? <Gauge chart={block} /> : null}
      {shape === "gauge" || shape === "nothing" ? null : (
        <div className={styles["drawing"]} style={{ ["--height" as string]: `${heightOf(block, shape)}px` }}>
          <Suspense fallback={<Loading />}>
            <Drawing chart={block} shape={shape} hidden={hidden} />
          </Suspense>
        </div>
      )}
      {shape === "pie" ? <PieLegend chart={block} /> : null}
      {hasLegend(block, shape) ? <Legend chart={block} hidden={hidden} onToggle={toggle} /> : null}
      {rowsOf(block).length === 0 ? null : <Numbers chart={block} />}
    </figure>
  );
}

/** A single series is named by the title. */
function hasLegend({ series }: Chart, shape: Shape): boolean {
  return shape !== "pie" && shape !== "gauge" && shape !== "nothing" && series.length > 1;
}

function heightOf(chart: Chart, shape: Shape): number {
  if (shape === "sideways") return 40 + rowsOf(chart).length * (10 + LYING_BAR * Math.min(4, chart.series.length));
  return shape === "radar" ? 320 : 280;
}

function Numbers({ chart }: { readonly chart: Chart }) {
  const say = useWords(WORDS);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles["numbers"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say("asTable")}</summary>
      {/* Rendered on demand: thousands of rows would slow down the page. */}
      {isOpen ? <NumbersTable chart={chart} /> : null}
    </details>
  );
}

function NumbersTable({ chart }: { readonly chart: Chart }) {
  const say = useWords(WORDS);
  return (
    // Scrollable content must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["numbersScroll"]} role="region" aria-label={chart.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("category")}</th>
            {chart.series.map(({ name }, i) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={i} scope="col">
                {name === "" ? chart.title : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(chart).map(({ at, label }) => (
            <tr key={at}>
              <th scope="row">{label}</th>
              {chart.series.map(({ data }, i) => {
                const value = data[at] ?? null;
                // oxlint-disable-next-line react/no-array-index-key
                return <td key={i}>{value === null ? "–" : numberText(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
