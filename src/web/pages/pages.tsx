import { Panel } from "../ui/panel.tsx";

export function Pages() {
  return <Panel title="Pages">{null}</Panel>;
}
