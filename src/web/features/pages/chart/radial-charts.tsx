// Radial charts: pies and radars.

import { Pie, PieChart, PolarAngleAxis, PolarGrid, PolarRadiusAxis, Radar, RadarChart, Tooltip } from "recharts";
import { computeAxisScale, formatNumber } from "../../../../pages/axis-scale.ts";
import { truncateToColumns } from "../../../../pages/text-width.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { listVisibleValues, type ChartDrawingProps } from "./axis-charts.tsx";
import {
  buildChartRows,
  buildPieSlices,
  collectValues,
  type ChartRow,
  getSeriesColour,
  formatAxisNumber,
  computeGauge,
  type ChartData,
} from "./chart-data.ts";
import { ChartTooltip, getTooltipRow } from "./chart-tooltip.tsx";
import styles from "./chart.module.css";

const MAX_RADAR_LABELS = 24;
/** Limited by the width of a phone. */
const MAX_RADAR_LABEL_COLUMNS = 11;

/** A ring of the slices of `buildPieSlices`. `hidden` is ignored: a pie has one series. */
export function PieDrawing({ chart }: ChartDrawingProps) {
  const t = useMessages("blocks");
  const slices = buildPieSlices(chart).map(({ at, value, count }, i) => ({
    name: at === null ? t("others", { count }) : (chart.xAxis[at] ?? ""),
    value,
    fill: getSeriesColour(i),
  }));
  return (
    <PieChart responsive width="100%" height="100%" title={chart.title}>
      <Pie
        data={slices}
        dataKey="value"
        nameKey="name"
        innerRadius="48%"
        outerRadius="92%"
        startAngle={90}
        endAngle={-270}
        stroke="var(--raised)"
        strokeWidth={slices.length > 1 ? 2 : 0}
        isAnimationActive={false}
      />
      <Tooltip
        isAnimationActive={false}
        content={({ active, payload }) => {
          const slice = slices.find(({ name }) => name === payload[0]?.name);
          return !active || slice === undefined ? null : (
            <ChartTooltip label="" values={[{ ...slice, colour: slice.fill }]} />
          );
        }}
      />
    </PieChart>
  );
}

/** One axis per label, all with the same scale. Many labels are thinned out. */
export function RadarDrawing({ chart, hidden }: ChartDrawingProps) {
  const language = useLanguage();
  const rows = buildChartRows(chart);
  const { min, max, ticks } = computeAxisScale(collectValues(rows));
  const every = Math.ceil(rows.length / MAX_RADAR_LABELS);
  return (
    <RadarChart responsive width="100%" height="100%" data={rows} outerRadius="66%" title={chart.title}>
      <PolarGrid stroke="var(--line)" radialLines={rows.length <= MAX_RADAR_LABELS} />
      <PolarAngleAxis
        dataKey="at"
        tick={{ fill: "var(--quiet)", fontSize: 12 }}
        tickFormatter={(at: number) =>
          at % every === 0 ? truncateToColumns(rows[at]?.label ?? "", MAX_RADAR_LABEL_COLUMNS) : ""
        }
      />
      <PolarRadiusAxis
        domain={[min, max]}
        // The outermost tick would overlap the label of the first axis.
        ticks={ticks.slice(0, -1)}
        angle={90}
        axisLine={false}
        tick={{ fill: "var(--quiet)", fontSize: 12 }}
        tickFormatter={(value: number) => formatAxisNumber(value, language)}
      />
      {chart.series.map(({ name, color }, i) => (
        <Radar
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: ChartRow) => values[i]}
          name={name}
          stroke={getSeriesColour(i, color)}
          strokeWidth={2}
          fill={getSeriesColour(i, color)}
          fillOpacity={0.16}
          hide={hidden.has(i)}
          isAnimationActive={false}
        />
      ))}
      <Tooltip
        isAnimationActive={false}
        content={(props) => {
          const at = getTooltipRow(props);
          const row = at === null ? undefined : rows[at];
          return row === undefined ? null : (
            <ChartTooltip label={row.label} values={listVisibleValues(chart, row, hidden)} />
          );
        }}
      />
    </RadarChart>
  );
}

// A gauge: a value on a semicircle. For value, range and arc see `computeGauge`.

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
