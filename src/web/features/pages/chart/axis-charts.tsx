// Charts with two axes: bars, lines, distributions.

import { Bar, BarChart, CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { computeAxisScale } from "../../../../pages/axis-scale.ts";
import { countColumns, truncateToColumns } from "../../../../pages/text-width.ts";
import { useLanguage } from "../../../session/language.ts";
import {
  buildChartRows,
  collectValues,
  type ChartData,
  type ChartRow,
  getSeriesColour,
  formatAxisNumber,
} from "./chart-data.ts";
import { ChartTooltip, getTooltipRow } from "./chart-tooltip.tsx";

/** `hidden`: the indices of the series that are not drawn. */
export type ChartDrawingProps = { readonly chart: ChartData; readonly hidden: ReadonlySet<number> };

const TICK_STYLE = { fill: "var(--quiet)", fontSize: 12 };
const AXIS_LINE_STYLE = { stroke: "var(--line-strong)" };
const CHART_MARGIN = { top: 8, right: 12, bottom: 4, left: 0 };
/** Width of one text column in px, at the font size of the ticks. */
const TEXT_COLUMN_PX = 7;
const MAX_LABEL_COLUMNS = 16;
const MAX_DOTS = 80;

/** `isSideways`: horizontal bars. */
export function BarDrawing({
  chart,
  hidden,
  isSideways = false,
}: ChartDrawingProps & { readonly isSideways?: boolean }) {
  const rows = buildChartRows(chart);
  const gap = chart.variant === "distribution" ? "2%" : rows.length > 40 ? "8%" : "22%";
  return (
    <BarChart
      responsive
      width="100%"
      height="100%"
      data={rows}
      layout={isSideways ? "vertical" : "horizontal"}
      margin={CHART_MARGIN}
      barCategoryGap={gap}
      barGap={1}
      title={chart.title}
    >
      {renderAxes({ chart, rows, hidden, isSideways, language: useLanguage() })}
      {chart.series.map(({ name, color }, i) => (
        <Bar
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: ChartRow) => values[i]}
          name={name}
          fill={getSeriesColour(i, color)}
          hide={hidden.has(i)}
          radius={rows.length > 40 ? 0 : 2}
          maxBarSize={chart.variant === "distribution" ? 400 : 64}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  );
}

/** Gaps interrupt a line. */
export function LineDrawing({ chart, hidden }: ChartDrawingProps) {
  const rows = buildChartRows(chart);
  return (
    <LineChart responsive width="100%" height="100%" data={rows} margin={CHART_MARGIN} title={chart.title}>
      {renderAxes({ chart, rows, hidden, isSideways: false, language: useLanguage() })}
      {chart.series.map(({ name, color }, i) => (
        <Line
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: ChartRow) => values[i]}
          name={name}
          stroke={getSeriesColour(i, color)}
          strokeWidth={2}
          hide={hidden.has(i)}
          dot={({ index, cx, cy }: { index: number; cx?: number; cy?: number }) =>
            hasDot(rows, index, i) && cx !== undefined && cy !== undefined && !Number.isNaN(cy) ? (
              <circle key={index} cx={cx} cy={cy} r={3} fill={getSeriesColour(i, color)} />
            ) : (
              <g key={index} />
            )
          }
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
}

/** Short series have dots; in long ones, only points without a neighbour, which no line reaches. */
function hasDot(rows: readonly ChartRow[], at: number, series: number): boolean {
  const getValue = (index: number) => rows[index]?.values[series] ?? null;
  if (getValue(at) === null) return false;
  return rows.length <= MAX_DOTS || (getValue(at - 1) === null && getValue(at + 1) === null);
}

type ChartAxesOptions = ChartDrawingProps & {
  readonly rows: readonly ChartRow[];
  readonly isSideways: boolean;
  readonly language: string;
};

function renderAxes({ chart, rows, hidden, isSideways, language }: ChartAxesOptions) {
  const shown = rows.map((row) => ({ ...row, values: row.values.filter((_, i) => !hidden.has(i)) }));
  const { min, max, ticks } = computeAxisScale(collectValues(shown));
  const texts = ticks.map((tick) => formatAxisNumber(tick, language));
  const getLabel = (at: number) => rows[at]?.label ?? "";
  const values = {
    type: "number",
    domain: [min, max],
    ticks: [...ticks],
    tickFormatter: (value: number) => formatAxisNumber(value, language),
    tick: TICK_STYLE,
    tickLine: false,
  } as const;
  const labels = {
    type: "category",
    dataKey: "at",
    tickFormatter: (at: number) => truncateToColumns(getLabel(at), MAX_LABEL_COLUMNS),
    tick: TICK_STYLE,
    tickLine: false,
    axisLine: AXIS_LINE_STYLE,
  } as const;
  const valueAxisWidth = 12 + TEXT_COLUMN_PX * Math.max(...texts.map(countColumns));
  const longest = Math.max(...rows.map(({ label }) => countColumns(label)));
  const edgePadding = chart.variant === "line" ? (TEXT_COLUMN_PX * Math.min(MAX_LABEL_COLUMNS, longest)) / 2 : 0;
  const labelAxisWidth = 12 + TEXT_COLUMN_PX * Math.min(MAX_LABEL_COLUMNS + 1, longest);
  const zero =
    min < 0 ? <ReferenceLine {...(isSideways ? { x: 0 } : { y: 0 })} stroke={AXIS_LINE_STYLE.stroke} /> : null;
  return (
    <>
      <CartesianGrid stroke="var(--line)" vertical={isSideways} horizontal={!isSideways} />
      {isSideways ? (
        <XAxis {...values} axisLine={false} />
      ) : (
        <XAxis {...labels} {...THINNED_LABELS} padding={{ left: edgePadding, right: edgePadding }} />
      )}
      {isSideways ? (
        <YAxis {...labels} width={labelAxisWidth} interval={0} />
      ) : (
        <YAxis {...values} width={valueAxisWidth} interval={0} axisLine={false} />
      )}
      {zero}
      <Tooltip
        cursor={{ fill: "var(--hover)", stroke: "var(--line-strong)" }}
        isAnimationActive={false}
        content={(props) => {
          const at = getTooltipRow(props);
          const row = at === null ? undefined : rows[at];
          return row === undefined ? null : (
            <ChartTooltip label={row.label} values={listVisibleValues(chart, row, hidden)} />
          );
        }}
      />
    </>
  );
}

/** Shows as many labels as fit. */
const THINNED_LABELS = { interval: "equidistantPreserveStart", minTickGap: 8, height: 26 } as const;

/** Returns the values of a row for the tooltip, one per series that is not hidden; null for a gap. */
export function listVisibleValues(chart: ChartData, row: ChartRow, hidden: ReadonlySet<number>) {
  return chart.series.flatMap(({ name, color }, i) =>
    hidden.has(i) ? [] : [{ name, colour: getSeriesColour(i, color), value: row.values[i] ?? null }],
  );
}
