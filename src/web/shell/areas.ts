import { Bot, CalendarClock, LayoutDashboard, Workflow, Wrench } from "lucide-react";

/** The areas of the application besides conversations. */
export const AREAS = [
  { path: "/agents", name: "agents", Icon: Bot },
  { path: "/schedules", name: "schedules", Icon: CalendarClock },
  { path: "/pages", name: "pages", Icon: LayoutDashboard },
  { path: "/tools", name: "tools", Icon: Wrench },
  { path: "/plans", name: "plans", Icon: Workflow },
] as const;

/** Returns the area of a path; undefined outside of all areas. Workflow instances belong to the area of workflows. */
export function areaAt(place: string): (typeof AREAS)[number] | undefined {
  return AREAS.find(({ path }) => isWithin(place, path) || (path === "/plans" && isWithin(place, "/instances")));
}

function isWithin(place: string, path: string): boolean {
  return place === path || place.startsWith(`${path}/`);
}
