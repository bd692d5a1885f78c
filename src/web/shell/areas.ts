import { Bot, CalendarClock, LayoutDashboard, Workflow, Wrench } from "lucide-react";

/** What there is besides conversations. */
export const AREAS = [
  { path: "/agents", name: "agents", Icon: Bot },
  { path: "/schedules", name: "schedules", Icon: CalendarClock },
  { path: "/pages", name: "pages", Icon: LayoutDashboard },
  { path: "/tools", name: "tools", Icon: Wrench },
  { path: "/plans", name: "plans", Icon: Workflow },
] as const;
