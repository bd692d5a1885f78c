import { useLocation } from "wouter";
import { useMessages } from "../session/language.ts";
import { Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { findArea } from "./areas.ts";

/** The placeholder of a view while its script loads; in the areas, with their title and the menu button. */
export function ViewSkeleton() {
  const t = useMessages("shell");
  const [path] = useLocation();
  const area = findArea(path);
  if (area === undefined) return <Loading />;
  return (
    <Panel title={t(area.name)}>
      <Loading />
    </Panel>
  );
}
