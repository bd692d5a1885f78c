import { Panel } from "../ui/panel.tsx";

export function Agents() {
  return <Panel title="Agents">{null}</Panel>;
}
