// The legends of charts.

import { formatNumber } from "../../../../pages/axis-scale.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./chart.module.css";
import { buildPieSlices, type ChartData, getSeriesColour } from "./chart-data.ts";

/** The series of a chart; a click calls `onToggle` to hide or show it. `hidden`: the indices of the hidden series. */
export function ChartLegend({
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
export function PieLegend({ chart }: { readonly chart: ChartData }) {
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
