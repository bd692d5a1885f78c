import { Panel } from "../ui/panel.tsx";

export function Schedules() {
  return <Panel title="Schedules">{null}</Panel>;
}
