// A value on a semicircle.

import { numberText } from "../../../protocol/scale.ts";
import { fit } from "../../../protocol/text-width.ts";
import styles from "./chart.module.css";
import { colourOf } from "./colours.ts";
import { gaugeOf, type Chart } from "./data.ts";

const CENTRE = { x: 160, y: 150 };
const RADIUS = 120;

export function Gauge({ chart }: { readonly chart: Chart }) {
  const { value, min, max, from, to, label } = gaugeOf(chart);
  return (
    <svg className={styles["gauge"]} viewBox="0 0 320 184" role="img" aria-label={`${label}: ${numberText(value)}`}>
      <path className={styles["gaugeRest"]} d={arc(0, 1)} />
      {to > from ? <path d={arc(from, to)} stroke={colourOf(0, chart.series[0]?.color)} /> : null}
      <text className={styles["gaugeValue"]} x={CENTRE.x} y={CENTRE.y - 12} textAnchor="middle">
        {numberText(value)}
      </text>
      <text x={CENTRE.x} y={CENTRE.y + 14} textAnchor="middle">
        {fit(label, 30)}
      </text>
      <text x={CENTRE.x - RADIUS} y={CENTRE.y + 28} textAnchor="middle">
        {numberText(min)}
      </text>
      <text x={CENTRE.x + RADIUS} y={CENTRE.y + 28} textAnchor="middle">
        {numberText(max)}
      </text>
    </svg>
  );
}

function arc(from: number, to: number): string {
  return `M${placeAt(from)}A${RADIUS} ${RADIUS} 0 0 1 ${placeAt(to)}`;
}

function placeAt(share: number): string {
  const angle = Math.PI * (1 - share);
  return `${(CENTRE.x + RADIUS * Math.cos(angle)).toFixed(2)} ${(CENTRE.y - RADIUS * Math.sin(angle)).toFixed(2)}`;
}
