// Charts with a vertical value axis: bars, lines and distributions.

import { formatNumber, computeAxisScale, type AxisScale } from "../../pages/axis-scale.ts";
import { countColumns, truncateToColumns } from "../../pages/text-width.ts";
import {
  CHART_HEIGHT,
  getColourAttributes,
  renderTooltip,
  listValues,
  CHART_WIDTH,
  formatCoordinate,
  type ChartBlock,
} from "./chart-drawing.ts";
import { html, type Html } from "../html-template.ts";

// Margins in SVG units.
const TOP = 12;
const RIGHT = 12;
const BOTTOM = 34;
// The width of one text column in labels, in SVG units.
const COLUMN_WIDTH = 6.6;
// The maximum width of a label in text columns.
const MAX_LABEL_COLUMNS = 16;

/** The plot area and its scales. */
type AxisPlot = {
  readonly left: number;
  readonly width: number;
  readonly scale: AxisScale;
  /** Maps a value to its distance from the top. */
  readonly y: (value: number) => number;
  /** The number of positions on the horizontal axis. */
  readonly count: number;
};

/** Draws a chart with a value axis, without the surrounding `svg`: lines for the variant `line`, otherwise bars. */
export function drawAxisChart(chart: ChartBlock): Html {
  const plot = createPlot(chart);
  return html`${drawAxes(plot, chart)}${chart.variant === "line" ? drawLines(plot, chart) : drawBars(plot, chart)}`;
}

/** Computes the plot area. The left margin depends on the longest value label. */
function createPlot(chart: ChartBlock): AxisPlot {
  const scale = computeAxisScale(listValues(chart));
  const left = 14 + COLUMN_WIDTH * Math.max(...scale.ticks.map((tick) => formatNumber(tick).length));
  const height = CHART_HEIGHT - TOP - BOTTOM;
  const y = (value: number) => TOP + height * (1 - (value - scale.min) / (scale.max - scale.min));
  const count = Math.max(1, chart.xAxis.length, ...chart.series.map(({ data }) => data.length));
  return { left, width: CHART_WIDTH - left - RIGHT, scale, y, count };
}

function drawAxes({ left, width, scale, y, count }: AxisPlot, { xAxis }: ChartBlock): Html {
  const grid = scale.ticks.map((tick) => {
    const at = formatCoordinate(y(tick));
    const line = html`<line
      class="${tick === 0 ? "zero" : "grid"}"
      x1="${formatCoordinate(left)}"
      x2="${CHART_WIDTH - RIGHT}"
      y1="${at}"
      y2="${at}"
    />`;
    return html`${line}<text x="${formatCoordinate(left - 6)}" y="${at}" dy="4" text-anchor="end"
        >${formatNumber(tick)}</text
      >`;
  });
  const columns = Math.min(MAX_LABEL_COLUMNS, Math.max(1, ...xAxis.map(countColumns)));
  // Leave out labels that would overlap.
  const labelInterval = Math.max(1, Math.ceil((count * (columns + 1.5) * COLUMN_WIDTH) / width));
  const labels = xAxis.map((label, i) => {
    if (i % labelInterval !== 0) return null;
    return html`<text
      x="${formatCoordinate(left + (width * (i + 0.5)) / count)}"
      y="${CHART_HEIGHT - 14}"
      text-anchor="middle"
      >${truncateToColumns(label, MAX_LABEL_COLUMNS)}</text
    >`;
  });
  return html`${grid}${labels}`;
}

function drawBars({ left, width, y, count }: AxisPlot, chart: ChartBlock): Html {
  const slot = width / count;
  const gap = chart.variant === "distribution" ? 0.04 : 0.28;
  const bar = (slot * (1 - gap)) / Math.max(1, chart.series.length);
  return html`${chart.series.map(({ data, color }, s) =>
    data.map((value, i) => {
      if (value === null) return null;
      const x = left + slot * (i + gap / 2) + bar * s;
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const geometry = html`x="${formatCoordinate(x)}" y="${formatCoordinate(top)}"
      width="${formatCoordinate(Math.max(0.4, bar - 1))}" height="${formatCoordinate(Math.max(0.5, bottom - top))}"`;
      return html`<rect ${geometry} ${getColourAttributes(s, color)}>${renderTooltip(chart, i, s)}</rect>`;
    }),
  )}`;
}

/** Draws each series as a line. Long series have dots at isolated values only. */
function drawLines({ left, width, y, count }: AxisPlot, chart: ChartBlock): Html {
  const x = (i: number) => left + (width * (i + 0.5)) / count;
  return html`${chart.series.map(({ data, color }, s) => {
    const strokes = splitAtGaps(data).map((segment) => {
      const points = segment
        .map(({ at, value }) => `${formatCoordinate(x(at))},${formatCoordinate(y(value))}`)
        .join(" ");
      return html`<polyline points="${points}" />`;
    });
    const dots = data.map((value, i) =>
      value === null || (data.length > 80 && !isIsolated(data, i))
        ? null
        : html`<circle cx="${formatCoordinate(x(i))}" cy="${formatCoordinate(y(value))}" r="3"
            >${renderTooltip(chart, i, s)}</circle
          >`,
    );
    return html`<g ${getColourAttributes(s, color)}>${strokes}${dots}</g>`;
  })}`;
}

type LinePoint = { readonly at: number; readonly value: number };

/** Splits a series at its gaps. Single values have no line. */
function splitAtGaps(data: readonly (number | null)[]): LinePoint[][] {
  const segments: LinePoint[][] = [[]];
  for (const [at, value] of data.entries()) {
    if (value === null) segments.push([]);
    else segments.at(-1)?.push({ at, value });
  }
  return segments.filter(({ length }) => length > 1);
}

function isIsolated(data: readonly (number | null)[], at: number): boolean {
  return (data[at - 1] ?? null) === null && (data[at + 1] ?? null) === null;
}
