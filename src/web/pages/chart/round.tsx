// Radial charts: pies and radars.

import { Pie, PieChart, PolarAngleAxis, PolarGrid, PolarRadiusAxis, Radar, RadarChart, Tooltip } from "recharts";
import { scaleFor } from "../../../protocol/scale.ts";
import { fit } from "../../../protocol/text-width.ts";
import { useLanguage, useWords } from "../../language.ts";
import { WORDS } from "../blocks/words.ts";
import { shownIn, type DrawingProps } from "./axes.tsx";
import { axisText } from "./axis-text.ts";
import { colourOf } from "./colours.ts";
import { rowsOf, slicesOf, valuesOf, type Row } from "./data.ts";
import { Hint, rowAt } from "./hint.tsx";

const MOST_LABELS = 24;
/** Limited by the width of a phone. */
const MOST_COLUMNS = 11;

export function PieDrawing({ chart }: DrawingProps) {
  const say = useWords(WORDS);
  const slices = slicesOf(chart).map(({ at, value, of }, i) => ({
    name: at === null ? say("others", { count: of }) : (chart.xAxis[at] ?? ""),
    value,
    fill: colourOf(i),
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
          return !active || slice === undefined ? null : <Hint label="" values={[{ ...slice, colour: slice.fill }]} />;
        }}
      />
    </PieChart>
  );
}

/** One axis per label, all with the same scale. */
export function RadarDrawing({ chart, hidden }: DrawingProps) {
  const language = useLanguage();
  const rows = rowsOf(chart);
  const { min, max, ticks } = scaleFor(valuesOf(rows));
  const every = Math.ceil(rows.length / MOST_LABELS);
  return (
    <RadarChart responsive width="100%" height="100%" data={rows} outerRadius="66%" title={chart.title}>
      <PolarGrid stroke="var(--line)" radialLines={rows.length <= MOST_LABELS} />
      <PolarAngleAxis
        dataKey="at"
        tick={{ fill: "var(--quiet)", fontSize: 12 }}
        tickFormatter={(at: number) => (at % every === 0 ? fit(rows[at]?.label ?? "", MOST_COLUMNS) : "")}
      />
      <PolarRadiusAxis
        domain={[min, max]}
        // The outermost tick would overlap the label of the first axis.
        ticks={ticks.slice(0, -1)}
        angle={90}
        axisLine={false}
        tick={{ fill: "var(--quiet)", fontSize: 12 }}
        tickFormatter={(value: number) => axisText(value, language)}
      />
      {chart.series.map(({ name, color }, i) => (
        <Radar
          // oxlint-disable-next-line react/no-array-index-key
          key={i}
          dataKey={({ values }: Row) => values[i]}
          name={name}
          stroke={colourOf(i, color)}
          strokeWidth={2}
          fill={colourOf(i, color)}
          fillOpacity={0.16}
          hide={hidden.has(i)}
          isAnimationActive={false}
        />
      ))}
      <Tooltip
        isAnimationActive={false}
        content={(props) => {
          const at = rowAt(props);
          const row = at === null ? undefined : rows[at];
          return row === undefined ? null : <Hint label={row.label} values={shownIn(chart, row, hidden)} />;
        }}
      />
    </RadarChart>
  );
}
