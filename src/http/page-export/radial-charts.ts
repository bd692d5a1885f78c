// Radial charts: pie, gauge and radar.

import { formatNumber, computeAxisScale } from "../../pages/axis-scale.ts";
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

const CENTRE = { x: CHART_WIDTH / 2, y: CHART_HEIGHT / 2 };

/** Draws the first series as a pie. Values of zero or less have no slice. */
export function drawPie(chart: ChartBlock): Html {
  const values = (chart.series[0]?.data ?? []).map((value) => Math.max(0, value ?? 0));
  const sum = values.reduce((all, value) => all + value, 0);
  const radius = 130;
  let angle = 0;
  return html`${values.map((value, i) => {
    const share = sum === 0 ? 0 : value / sum;
    const [from, to] = [angle, angle + share];
    angle = to;
    if (share === 0) return null;
    const middle = toPoint((from + to) / 2, radius * 0.66);
    const label =
      share < 0.05
        ? null
        : html`<text
            class="on"
            x="${formatCoordinate(middle.x)}"
            y="${formatCoordinate(middle.y)}"
            dy="4"
            text-anchor="middle"
            >${Math.round(share * 100)}%</text
          >`;
    return html`<g class="slice"
      ><path d="${buildSectorPath(from, to, radius)}" ${getColourAttributes(i)}>${renderTooltip(chart, i, 0)}</path
      >${label}</g
    >`;
  })}`;
}

/** Returns the path of a slice. `from` and `to` are shares of the circle. */
function buildSectorPath(from: number, to: number, radius: number): string {
  // The ends of a full circle coincide, and an arc needs two different ends.
  const end = Math.min(to, from + 0.99999);
  const [a, b] = [toPoint(from, radius), toPoint(end, radius)];
  const isLarge = end - from > 0.5 ? 1 : 0;
  return `M${formatCoordinate(CENTRE.x)} ${formatCoordinate(CENTRE.y)}L${formatCoordinate(a.x)} ${formatCoordinate(a.y)}A${radius} ${radius} 0 ${isLarge} 1 ${b.x.toFixed(3)} ${b.y.toFixed(3)}Z`;
}

/** Draws the first value of the first series as a half circle. The scale is 0 to 100 if the value is within it. */
export function drawGauge({ series, xAxis }: ChartBlock): Html {
  const value = series[0]?.data.find((entry) => entry !== null) ?? 0;
  const { min, max } = value >= 0 && value <= 100 ? { min: 0, max: 100 } : computeAxisScale([value]);
  const share = (value - min) / (max - min);
  const arc = (to: number, kind: Html) => html`<path class="arc" d="${buildArcPath(to)}" ${kind} />`;
  const y = CENTRE.y + 70;
  return html`<g class="gauge"
    ><g class="rest">${arc(1, html``)}</g
    >${share > 0 ? html`<g ${getColourAttributes(0, series[0]?.color)}>${arc(share, html``)}</g>` : null}<text
      class="big"
      x="${CENTRE.x}"
      y="${y - 10}"
      text-anchor="middle"
      >${formatNumber(value)}</text
    ><text x="${CENTRE.x}" y="${y + 18}" text-anchor="middle"
      >${truncateToColumns(xAxis[0] ?? series[0]?.name ?? "", 40)}</text
    ><text x="${CENTRE.x - 130}" y="${y + 18}" text-anchor="middle">${formatNumber(min)}</text
    ><text x="${CENTRE.x + 130}" y="${y + 18}" text-anchor="middle">${formatNumber(max)}</text></g
  >`;
}

/** Returns the path of the half circle up to a share. */
function buildArcPath(share: number): string {
  const radius = 130;
  const y = CENTRE.y + 70;
  const angle = Math.PI * (1 - Math.min(1, share));
  const end = { x: CENTRE.x + radius * Math.cos(angle), y: y - radius * Math.sin(angle) };
  return `M${CENTRE.x - radius} ${y}A${radius} ${radius} 0 0 1 ${end.x.toFixed(2)} ${end.y.toFixed(2)}`;
}

/** Draws each series as a polygon without its gaps. All axes have the same scale. */
export function drawRadar(chart: ChartBlock): Html {
  const { min, max, ticks } = computeAxisScale(listValues(chart));
  const radius = 112;
  const { length: count } = chart.xAxis;
  const toRadius = (value: number) => (radius * (value - min)) / (max - min);
  const ring = (value: number) => formatPoints(chart.xAxis.map((_, i) => toPoint(i / count, toRadius(value))));
  const rings = ticks.filter((tick) => tick > min).map((tick) => html`<polygon class="grid" points="${ring(tick)}" />`);
  const spokes = chart.xAxis.map((label, i) => {
    const end = toPoint(i / count, radius);
    const text = toPoint(i / count, radius + 16);
    const anchor = Math.abs(text.x - CENTRE.x) < 8 ? "middle" : text.x > CENTRE.x ? "start" : "end";
    const line = html`<line
      class="grid"
      x1="${CENTRE.x}"
      y1="${CENTRE.y}"
      x2="${formatCoordinate(end.x)}"
      y2="${formatCoordinate(end.y)}"
    />`;
    return html`${line}<text
        x="${formatCoordinate(text.x)}"
        y="${formatCoordinate(text.y)}"
        dy="4"
        text-anchor="${anchor}"
        >${truncateToColumns(label, countColumns(label) > 24 ? 23 : 24)}</text
      >`;
  });
  const areas = chart.series.map(({ data, color }, s) => {
    // Gaps are left out instead of drawn at the centre.
    const points = chart.xAxis.flatMap((_, i) => {
      const value = data[i] ?? null;
      return value === null ? [] : [toPoint(i / count, toRadius(value))];
    });
    return html`<g class="area"
      ><polygon points="${formatPoints(points)}" ${getColourAttributes(s, color)}
        ><title>${chart.series[s]?.name ?? ""}</title></polygon
      ></g
    >`;
  });
  // The label of the last tick would overlap the name of the first axis.
  const labels = ticks
    .slice(0, -1)
    .map(
      (tick) =>
        html`<text class="tick" x="${CENTRE.x + 3}" y="${formatCoordinate(CENTRE.y - toRadius(tick))}" dy="-2"
          >${formatNumber(tick)}</text
        >`,
    );
  return html`${rings}${spokes}${areas}${labels}`;
}

/** Returns the point at a share of the circle, clockwise from the top. */
function toPoint(turn: number, radius: number): { x: number; y: number } {
  const angle = 2 * Math.PI * turn - Math.PI / 2;
  return { x: CENTRE.x + radius * Math.cos(angle), y: CENTRE.y + radius * Math.sin(angle) };
}

function formatPoints(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }) => `${formatCoordinate(x)},${formatCoordinate(y)}`).join(" ");
}
