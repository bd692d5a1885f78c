// Sizes, colours and texts that all charts share.

import type { Block } from "../../protocol/page.ts";
import { numberText } from "../../protocol/scale.ts";
import { html, type Html } from "./html.ts";

export type Chart = Extract<Block, { type: "chart" }>;

// The size of a drawing in SVG units.
export const WIDTH = 640;
export const HEIGHT = 320;
/** The number of series colours in the style sheet. Further series repeat them. */
const COLOURS = 8;
/** The maximum number of shapes with a tooltip. */
const MOST_TITLES = 400;

/** Returns the colour attributes of a shape: `own` if it is a hexadecimal colour, otherwise the class of its index. */
export function paint(index: number, own?: string): Html {
  if (own !== undefined && /^#([\da-f]{3}|[\da-f]{6})$/i.test(own)) return html`fill="${own}" stroke="${own}"`;
  return html`class="c${index % COLOURS}"`;
}

/** Formats a coordinate with one decimal place. */
export function xy(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function valueText(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : numberText(value);
}

/** Returns the tooltip of a value; null if the chart has too many shapes. */
export function titleFor(chart: Chart, at: number, series: number): Html | null {
  const { data = [], name = "" } = chart.series[series] ?? {};
  if (data.length * chart.series.length > MOST_TITLES) return null;
  const label = [chart.xAxis[at] ?? "", chart.series.length > 1 ? name : ""].filter((part) => part !== "").join(" · ");
  return html`<title>${label}: ${valueText(data[at])}</title>`;
}

/** Returns the values of all series without gaps. */
export function valuesIn({ series }: Chart): number[] {
  return series.flatMap(({ data }) => data.filter((value) => value !== null));
}
