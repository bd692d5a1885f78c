import { Panel } from "../ui/panel.tsx";

export function Plans() {
  return <Panel title="Plans">{null}</Panel>;
}
