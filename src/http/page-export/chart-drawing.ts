// Sizes, colours and texts that all charts share.

import type { PageBlock } from "../../protocol/pages/page.ts";
import { formatNumber } from "../../pages/axis-scale.ts";
import { html, type Html } from "../html-template.ts";

export type ChartBlock = Extract<PageBlock, { type: "chart" }>;

// The size of a drawing in SVG units.
export const CHART_WIDTH = 640;
export const CHART_HEIGHT = 320;
/** The number of colours in the style sheet. Further series or slices repeat them. */
const COLOUR_COUNT = 8;
/** The maximum number of shapes with a tooltip. */
const MAX_TITLED_SHAPES = 400;

/** Returns the colour attributes of a shape: `own` if it is a hexadecimal colour, otherwise the class of its index. */
export function getColourAttributes(index: number, own?: string): Html {
  if (own !== undefined && /^#([\da-f]{3}|[\da-f]{6})$/i.test(own)) return html`fill="${own}" stroke="${own}"`;
  return html`class="c${index % COLOUR_COUNT}"`;
}

/** Formats a coordinate, rounded to one decimal place. */
export function formatCoordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Formats a value for people; a gap is `–`. */
export function formatValue(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatNumber(value);
}

/** Returns the tooltip (`title`) of the value at a position of a series; null if the chart has too many shapes. */
export function renderTooltip(chart: ChartBlock, at: number, series: number): Html | null {
  const { data = [], name = "" } = chart.series[series] ?? {};
  if (data.length * chart.series.length > MAX_TITLED_SHAPES) return null;
  const label = [chart.xAxis[at] ?? "", chart.series.length > 1 ? name : ""].filter((part) => part !== "").join(" · ");
  return html`<title>${label}: ${formatValue(data[at])}</title>`;
}

/** Returns the values of all series without gaps. */
export function listValues({ series }: ChartBlock): number[] {
  return series.flatMap(({ data }) => data.filter((value) => value !== null));
}
