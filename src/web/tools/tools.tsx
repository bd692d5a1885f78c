import { Panel } from "../ui/panel.tsx";

export function Tools() {
  return <Panel title="Tools">{null}</Panel>;
}
