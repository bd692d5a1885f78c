// The registry of all tools that an analysis can call.

import { getAssignmentSubmissions, getClassDetail, getStudentGrades, getTeacherClasses } from "./classroom.ts";
import { columnStatsTool, describeDataset, listDatasets, queryDataset } from "./data.ts";
import {
  calculateStatsTool,
  comparePerformanceTool,
  correlationTool,
  histogramTool,
  linearTrendTool,
  rankingTool,
} from "./statistics.ts";
import { registryOf } from "./tool.ts";

/** All data tools by name. */
export const registry = registryOf([
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
