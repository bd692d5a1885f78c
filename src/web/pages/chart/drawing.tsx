// Draws a chart with the chart library. A separate script, loaded with the first chart.

import { unreachable } from "../../../protocol/assert.ts";
import { Bars, Lines, type DrawingProps } from "./axes.tsx";
import type { Shape } from "./data.ts";
import { PieDrawing, RadarDrawing } from "./round.tsx";

export function Drawing({ shape, ...props }: DrawingProps & { readonly shape: Exclude<Shape, "gauge" | "nothing"> }) {
  switch (shape) {
    case "upright":
      return <Bars {...props} />;
    case "sideways":
      return <Bars {...props} isSideways />;
    case "line":
      return <Lines {...props} />;
    case "pie":
      return <PieDrawing {...props} />;
    case "radar":
      return <RadarDrawing {...props} />;
    default:
      return unreachable(shape);
  }
}
