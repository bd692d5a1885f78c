import { Bot, CalendarClock, LayoutDashboard, Workflow, Wrench } from "lucide-react";

/** The areas of the application besides conversations, in the order of the sidebar. `name` is a key of its messages. */
export const AREAS = [
  { path: "/agents", name: "agents", Icon: Bot },
  { path: "/schedules", name: "schedules", Icon: CalendarClock },
  { path: "/pages", name: "pages", Icon: LayoutDashboard },
  { path: "/tools", name: "tools", Icon: Wrench },
  { path: "/plans", name: "workflows", Icon: Workflow },
] as const;

/** Returns the area of a path; undefined outside of all areas. Workflow instances belong to the area of workflows. */
export function findArea(pathname: string): (typeof AREAS)[number] | undefined {
  return AREAS.find(
    ({ path }) => isBelowPath(pathname, path) || (path === "/plans" && isBelowPath(pathname, "/instances")),
  );
}

function isBelowPath(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
