// Charts with a vertical value axis: bars, lines and distributions.

import { numberText, scaleFor, type Scale } from "../../protocol/scale.ts";
import { columnsOf, fit } from "../../protocol/text-width.ts";
import { HEIGHT, paint, titleFor, valuesIn, WIDTH, xy, type Chart } from "./drawing.ts";
import { html, type Html } from "./html.ts";

// Margins in SVG units.
const TOP = 12;
const RIGHT = 12;
const BOTTOM = 34;
// The width of one text column in labels, in SVG units.
const COLUMN = 6.6;
// The maximum width of a label in text columns.
const MOST_COLUMNS = 16;

/** The plot area and its scales. */
type Plot = {
  readonly left: number;
  readonly width: number;
  readonly scale: Scale;
  /** Maps a value to its distance from the top. */
  readonly y: (value: number) => number;
  /** The number of positions on the horizontal axis. */
  readonly count: number;
};

/** Draws a bar, line or distribution chart, without the surrounding `svg`. */
export function upright(chart: Chart): Html {
  const plot = plotFor(chart);
  return html`${axes(plot, chart)}${chart.variant === "line" ? lines(plot, chart) : bars(plot, chart)}`;
}

/** Computes the plot area. The left margin depends on the longest value label. */
function plotFor(chart: Chart): Plot {
  const scale = scaleFor(valuesIn(chart));
  const left = 14 + COLUMN * Math.max(...scale.ticks.map((tick) => numberText(tick).length));
  const height = HEIGHT - TOP - BOTTOM;
  const y = (value: number) => TOP + height * (1 - (value - scale.min) / (scale.max - scale.min));
  const count = Math.max(1, chart.xAxis.length, ...chart.series.map(({ data }) => data.length));
  return { left, width: WIDTH - left - RIGHT, scale, y, count };
}

function axes({ left, width, scale, y, count }: Plot, { xAxis }: Chart): Html {
  const grid = scale.ticks.map((tick) => {
    const at = xy(y(tick));
    const line = html`<line
      class="${tick === 0 ? "zero" : "grid"}"
      x1="${xy(left)}"
      x2="${WIDTH - RIGHT}"
      y1="${at}"
      y2="${at}"
    />`;
    return html`${line}<text x="${xy(left - 6)}" y="${at}" dy="4" text-anchor="end">${numberText(tick)}</text>`;
  });
  const columns = Math.min(MOST_COLUMNS, Math.max(1, ...xAxis.map(columnsOf)));
  // Leave out labels that would overlap.
  const every = Math.max(1, Math.ceil((count * (columns + 1.5) * COLUMN) / width));
  const labels = xAxis.map((label, i) => {
    if (i % every !== 0) return null;
    return html`<text x="${xy(left + (width * (i + 0.5)) / count)}" y="${HEIGHT - 14}" text-anchor="middle"
      >${fit(label, MOST_COLUMNS)}</text
    >`;
  });
  return html`${grid}${labels}`;
}

function bars({ left, width, y, count }: Plot, chart: Chart): Html {
  const slot = width / count;
  const gap = chart.variant === "distribution" ? 0.04 : 0.28;
  const bar = (slot * (1 - gap)) / Math.max(1, chart.series.length);
  return html`${chart.series.map(({ data, color }, s) =>
    data.map((value, i) => {
      if (value === null) return null;
      const x = left + slot * (i + gap / 2) + bar * s;
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const place = html`x="${xy(x)}" y="${xy(top)}" width="${xy(Math.max(0.4, bar - 1))}"
      height="${xy(Math.max(0.5, bottom - top))}"`;
      return html`<rect ${place} ${paint(s, color)}>${titleFor(chart, i, s)}</rect>`;
    }),
  )}`;
}

/** Draws each series as a line. Long series have dots at isolated values only. */
function lines({ left, width, y, count }: Plot, chart: Chart): Html {
  const x = (i: number) => left + (width * (i + 0.5)) / count;
  return html`${chart.series.map(({ data, color }, s) => {
    const strokes = stretchesOf(data).map((stretch) => {
      const points = stretch.map(({ at, value }) => `${xy(x(at))},${xy(y(value))}`).join(" ");
      return html`<polyline points="${points}" />`;
    });
    const dots = data.map((value, i) =>
      value === null || (data.length > 80 && !isAlone(data, i))
        ? null
        : html`<circle cx="${xy(x(i))}" cy="${xy(y(value))}" r="3">${titleFor(chart, i, s)}</circle>`,
    );
    return html`<g ${paint(s, color)}>${strokes}${dots}</g>`;
  })}`;
}

type Point = { readonly at: number; readonly value: number };

/** Splits a series at its gaps. Single values have no line. */
function stretchesOf(data: readonly (number | null)[]): Point[][] {
  const stretches: Point[][] = [[]];
  for (const [at, value] of data.entries()) {
    if (value === null) stretches.push([]);
    else stretches.at(-1)?.push({ at, value });
  }
  return stretches.filter(({ length }) => length > 1);
}

function isAlone(data: readonly (number | null)[], at: number): boolean {
  return (data[at - 1] ?? null) === null && (data[at + 1] ?? null) === null;
}
