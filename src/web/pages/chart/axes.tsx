// Charts with two axes: bars, lines, distributions.

import { Bar, BarChart, CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { scaleFor } from "../../../protocol/scale.ts";
import { columnsOf, fit } from "../../../protocol/text-width.ts";
import { useLanguage } from "../../language.ts";
import { axisText } from "./axis-text.ts";
import { colourOf } from "./colours.ts";
import { rowsOf, valuesOf, type Chart, type Row } from "./data.ts";
import { Hint, rowAt } from "./hint.tsx";

export type DrawingProps = { readonly chart: Chart; readonly hidden: ReadonlySet<number> };

const TICK = { fill: "var(--quiet)", fontSize: 12 };
const LINE = { stroke: "var(--line-strong)" };
const MARGIN = { top: 8, right: 12, bottom: 4, left: 0 };
/** Width of one text column in px, at the font size of the ticks. */
const COLUMN = 7;
const MOST_COLUMNS = 16;
const MOST_DOTS = 80;

export function Bars({ chart, hidden, isSideways = false }: DrawingProps & { readonly isSideways?: boolean }) {
  const rows = rowsOf(chart);
  const gap = chart.variant === "distribution" ? "2%" : rows.length > 40 ? "8%" : "22%";
  return (
    <BarChart
      responsive
      width="100%"
      height="100%"
      data={rows}
      layout={isSideways ? "vertical" : "horizontal"}
      margin={MARGIN}
      barCategoryGap={gap}
      barGap={1}
      title={chart.title}
    >
      {axes({ chart, rows, hidden, isSideways, language: useLanguage() })}
      {chart.series.map(({ name, color }, i) => (
        <Bar
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: Row) => values[i]}
          name={name}
          fill={colourOf(i, color)}
          hide={hidden.has(i)}
          radius={rows.length > 40 ? 0 : 2}
          maxBarSize={chart.variant === "distribution" ? 400 : 64}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  );
}

export function Lines({ chart, hidden }: DrawingProps) {
  const rows = rowsOf(chart);
  return (
    <LineChart responsive width="100%" height="100%" data={rows} margin={MARGIN} title={chart.title}>
      {axes({ chart, rows, hidden, isSideways: false, language: useLanguage() })}
      {chart.series.map(({ name, color }, i) => (
        <Line
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: Row) => values[i]}
          name={name}
          stroke={colourOf(i, color)}
          strokeWidth={2}
          hide={hidden.has(i)}
          dot={({ index, cx, cy }: { index: number; cx?: number; cy?: number }) =>
            hasDot(rows, index, i) && cx !== undefined && cy !== undefined && !Number.isNaN(cy) ? (
              <circle key={index} cx={cx} cy={cy} r={3} fill={colourOf(i, color)} />
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
function hasDot(rows: readonly Row[], at: number, series: number): boolean {
  const valueAt = (place: number) => rows[place]?.values[series] ?? null;
  if (valueAt(at) === null) return false;
  return rows.length <= MOST_DOTS || (valueAt(at - 1) === null && valueAt(at + 1) === null);
}

type Axes = DrawingProps & { readonly rows: readonly Row[]; readonly isSideways: boolean; readonly language: string };

function axes({ chart, rows, hidden, isSideways, language }: Axes) {
  const shown = rows.map((row) => ({ ...row, values: row.values.filter((_, i) => !hidden.has(i)) }));
  const { min, max, ticks } = scaleFor(valuesOf(shown));
  const texts = ticks.map((tick) => axisText(tick, language));
  const labelAt = (at: number) => rows[at]?.label ?? "";
  const values = {
    type: "number",
    domain: [min, max],
    ticks: [...ticks],
    tickFormatter: (value: number) => axisText(value, language),
    tick: TICK,
    tickLine: false,
  } as const;
  const labels = {
    type: "category",
    dataKey: "at",
    tickFormatter: (at: number) => fit(labelAt(at), MOST_COLUMNS),
    tick: TICK,
    tickLine: false,
    axisLine: LINE,
  } as const;
  const room = 12 + COLUMN * Math.max(...texts.map(columnsOf));
  const longest = Math.max(...rows.map(({ label }) => columnsOf(label)));
  const half = chart.variant === "line" ? (COLUMN * Math.min(MOST_COLUMNS, longest)) / 2 : 0;
  const beside = 12 + COLUMN * Math.min(MOST_COLUMNS + 1, longest);
  const zero = min < 0 ? <ReferenceLine {...(isSideways ? { x: 0 } : { y: 0 })} stroke={LINE.stroke} /> : null;
  return (
    <>
      <CartesianGrid stroke="var(--line)" vertical={isSideways} horizontal={!isSideways} />
      {isSideways ? (
        <XAxis {...values} axisLine={false} />
      ) : (
        <XAxis {...labels} {...THINNED} padding={{ left: half, right: half }} />
      )}
      {isSideways ? (
        <YAxis {...labels} width={beside} interval={0} />
      ) : (
        <YAxis {...values} width={room} interval={0} axisLine={false} />
      )}
      {zero}
      <Tooltip
        cursor={{ fill: "var(--hover)", stroke: "var(--line-strong)" }}
        isAnimationActive={false}
        content={(props) => {
          const at = rowAt(props);
          const row = at === null ? undefined : rows[at];
          return row === undefined ? null : <Hint label={row.label} values={shownIn(chart, row, hidden)} />;
        }}
      />
    </>
  );
}

/** Shows as many labels as fit. */
const THINNED = { interval: "equidistantPreserveStart", minTickGap: 8, height: 26 } as const;

export function shownIn(chart: Chart, row: Row, hidden: ReadonlySet<number>) {
  return chart.series.flatMap(({ name, color }, i) =>
    hidden.has(i) ? [] : [{ name, colour: colourOf(i, color), value: row.values[i] ?? null }],
  );
}
