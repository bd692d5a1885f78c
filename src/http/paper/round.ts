// Radial charts: pie, gauge and radar.

import { numberText, scaleFor } from "../../protocol/scale.ts";
import { columnsOf, fit } from "../../protocol/text-width.ts";
import { HEIGHT, paint, titleFor, valuesIn, WIDTH, xy, type Chart } from "./drawing.ts";
import { html, type Html } from "./html.ts";

const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 };

/** Draws the first series as a pie. Values of zero or less have no slice. */
export function pie(chart: Chart): Html {
  const values = (chart.series[0]?.data ?? []).map((value) => Math.max(0, value ?? 0));
  const sum = values.reduce((all, value) => all + value, 0);
  const radius = 130;
  let turned = 0;
  return html`${values.map((value, i) => {
    const share = sum === 0 ? 0 : value / sum;
    const [from, to] = [turned, turned + share];
    turned = to;
    if (share === 0) return null;
    const middle = at((from + to) / 2, radius * 0.66);
    const label =
      share < 0.05
        ? null
        : html`<text class="on" x="${xy(middle.x)}" y="${xy(middle.y)}" dy="4" text-anchor="middle"
            >${Math.round(share * 100)}%</text
          >`;
    return html`<g class="slice"
      ><path d="${sector(from, to, radius)}" ${paint(i)}>${titleFor(chart, i, 0)}</path>${label}</g
    >`;
  })}`;
}

/** Returns the path of a slice. `from` and `to` are shares of the circle. */
function sector(from: number, to: number, radius: number): string {
  // The ends of a full circle coincide, and an arc needs two different ends.
  const end = Math.min(to, from + 0.99999);
  const [a, b] = [at(from, radius), at(end, radius)];
  const isLarge = end - from > 0.5 ? 1 : 0;
  return `M${xy(CENTRE.x)} ${xy(CENTRE.y)}L${xy(a.x)} ${xy(a.y)}A${radius} ${radius} 0 ${isLarge} 1 ${b.x.toFixed(3)} ${b.y.toFixed(3)}Z`;
}

/** Draws the first value as a half circle. The scale is 0 to 100 if the value is within it. */
export function gauge({ series, xAxis }: Chart): Html {
  const value = series[0]?.data.find((one) => one !== null) ?? 0;
  const { min, max } = value >= 0 && value <= 100 ? { min: 0, max: 100 } : scaleFor([value]);
  const share = (value - min) / (max - min);
  const arc = (to: number, kind: Html) => html`<path class="arc" d="${halfArc(to)}" ${kind} />`;
  const y = CENTRE.y + 70;
  return html`<g class="gauge"
    ><g class="rest">${arc(1, html``)}</g
    >${share > 0 ? html`<g ${paint(0, series[0]?.color)}>${arc(share, html``)}</g>` : null}<text
      class="big"
      x="${CENTRE.x}"
      y="${y - 10}"
      text-anchor="middle"
      >${numberText(value)}</text
    ><text x="${CENTRE.x}" y="${y + 18}" text-anchor="middle">${fit(xAxis[0] ?? series[0]?.name ?? "", 40)}</text
    ><text x="${CENTRE.x - 130}" y="${y + 18}" text-anchor="middle">${numberText(min)}</text
    ><text x="${CENTRE.x + 130}" y="${y + 18}" text-anchor="middle">${numberText(max)}</text></g
  >`;
}

/** Returns the path of the half circle up to a share. */
function halfArc(share: number): string {
  const radius = 130;
  const y = CENTRE.y + 70;
  const angle = Math.PI * (1 - Math.min(1, share));
  const end = { x: CENTRE.x + radius * Math.cos(angle), y: y - radius * Math.sin(angle) };
  return `M${CENTRE.x - radius} ${y}A${radius} ${radius} 0 0 1 ${end.x.toFixed(2)} ${end.y.toFixed(2)}`;
}

/** Draws each series as a polygon. All axes have the same scale. */
export function radar(chart: Chart): Html {
  const { min, max, ticks } = scaleFor(valuesIn(chart));
  const radius = 112;
  const { length: count } = chart.xAxis;
  const reach = (value: number) => (radius * (value - min)) / (max - min);
  const ring = (value: number) => polygon(chart.xAxis.map((_, i) => at(i / count, reach(value))));
  const rings = ticks.filter((tick) => tick > min).map((tick) => html`<polygon class="grid" points="${ring(tick)}" />`);
  const spokes = chart.xAxis.map((label, i) => {
    const end = at(i / count, radius);
    const text = at(i / count, radius + 16);
    const anchor = Math.abs(text.x - CENTRE.x) < 8 ? "middle" : text.x > CENTRE.x ? "start" : "end";
    const line = html`<line class="grid" x1="${CENTRE.x}" y1="${CENTRE.y}" x2="${xy(end.x)}" y2="${xy(end.y)}" />`;
    return html`${line}<text x="${xy(text.x)}" y="${xy(text.y)}" dy="4" text-anchor="${anchor}"
        >${fit(label, columnsOf(label) > 24 ? 23 : 24)}</text
      >`;
  });
  const areas = chart.series.map(({ data, color }, s) => {
    // Gaps are left out instead of drawn at the centre.
    const points = chart.xAxis.flatMap((_, i) => {
      const value = data[i] ?? null;
      return value === null ? [] : [at(i / count, reach(value))];
    });
    return html`<g class="area"
      ><polygon points="${polygon(points)}" ${paint(s, color)}
        ><title>${chart.series[s]?.name ?? ""}</title></polygon
      ></g
    >`;
  });
  // The label of the last tick would overlap the name of the first axis.
  const labels = ticks
    .slice(0, -1)
    .map(
      (tick) =>
        html`<text class="tick" x="${CENTRE.x + 3}" y="${xy(CENTRE.y - reach(tick))}" dy="-2"
          >${numberText(tick)}</text
        >`,
    );
  return html`${rings}${spokes}${areas}${labels}`;
}

/** Returns the point at a share of the circle, clockwise from the top. */
function at(turn: number, radius: number): { x: number; y: number } {
  const angle = 2 * Math.PI * turn - Math.PI / 2;
  return { x: CENTRE.x + radius * Math.cos(angle), y: CENTRE.y + radius * Math.sin(angle) };
}

function polygon(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }) => `${xy(x)},${xy(y)}`).join(" ");
}
