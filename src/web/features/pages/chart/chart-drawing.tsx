// Draws a chart with the chart library. A separate script, loaded with the first chart.

import { assertNever } from "../../../../lib/assert.ts";
import { BarDrawing, LineDrawing, type ChartDrawingProps } from "./axis-charts.tsx";
import type { ChartShape } from "./chart-data.ts";
import { PieDrawing, RadarDrawing } from "./radial-charts.tsx";

/** Draws the given shape; see `selectShape`. */
export function ChartDrawing({
  shape,
  ...props
}: ChartDrawingProps & { readonly shape: Exclude<ChartShape, "gauge" | "nothing"> }) {
  switch (shape) {
    case "upright":
      return <BarDrawing {...props} />;
    case "sideways":
      return <BarDrawing {...props} isSideways />;
    case "line":
      return <LineDrawing {...props} />;
    case "pie":
      return <PieDrawing {...props} />;
    case "radar":
      return <RadarDrawing {...props} />;
    default:
      return assertNever(shape);
  }
}
