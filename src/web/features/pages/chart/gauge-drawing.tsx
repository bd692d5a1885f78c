// A gauge: a value on a semicircle. For value, range and arc see `computeGauge`.

import { formatNumber } from "../../../../pages/axis-scale.ts";
import { truncateToColumns } from "../../../../pages/text-width.ts";
import styles from "./chart.module.css";
import { getSeriesColour } from "./series-colours.ts";
import { computeGauge, type ChartData } from "./chart-data.ts";

const CENTRE = { x: 160, y: 150 };
const RADIUS = 120;

export function GaugeDrawing({ chart }: { readonly chart: ChartData }) {
  const { value, min, max, from, to, label } = computeGauge(chart);
  return (
    <svg className={styles["gauge"]} viewBox="0 0 320 184" role="img" aria-label={`${label}: ${formatNumber(value)}`}>
      <path className={styles["gaugeRest"]} d={buildArcPath(0, 1)} />
      {to > from ? <path d={buildArcPath(from, to)} stroke={getSeriesColour(0, chart.series[0]?.color)} /> : null}
      <text className={styles["gaugeValue"]} x={CENTRE.x} y={CENTRE.y - 12} textAnchor="middle">
        {formatNumber(value)}
      </text>
      <text x={CENTRE.x} y={CENTRE.y + 14} textAnchor="middle">
        {truncateToColumns(label, 30)}
      </text>
      <text x={CENTRE.x - RADIUS} y={CENTRE.y + 28} textAnchor="middle">
        {formatNumber(min)}
      </text>
      <text x={CENTRE.x + RADIUS} y={CENTRE.y + 28} textAnchor="middle">
        {formatNumber(max)}
      </text>
    </svg>
  );
}

function buildArcPath(from: number, to: number): string {
  return `M${formatArcPoint(from)}A${RADIUS} ${RADIUS} 0 0 1 ${formatArcPoint(to)}`;
}

function formatArcPoint(share: number): string {
  const angle = Math.PI * (1 - share);
  return `${(CENTRE.x + RADIUS * Math.cos(angle)).toFixed(2)} ${(CENTRE.y - RADIUS * Math.sin(angle)).toFixed(2)}`;
}
