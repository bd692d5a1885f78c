// The registry of all tools that an analysis can call.

import { getAssignmentSubmissions, getClassDetail, getStudentGrades, getTeacherClasses } from "./classroom-tools.ts";
import { columnStatsTool, describeDataset, listDatasets, queryDataset } from "./dataset-tools.ts";
import {
  calculateStatsTool,
  comparePerformanceTool,
  correlationTool,
  histogramTool,
  linearTrendTool,
  rankingTool,
} from "./statistics-tools.ts";
import { createDataToolRegistry } from "./data-tool.ts";

/** All data tools by name. */
export const dataToolRegistry = createDataToolRegistry([
  getTeacherClasses,
  getClassDetail,
  getAssignmentSubmissions,
  getStudentGrades,
  calculateStatsTool,
  comparePerformanceTool,
  listDatasets,
  describeDataset,
  queryDataset,
  columnStatsTool,
  correlationTool,
  linearTrendTool,
  histogramTool,
  rankingTool,
]);
