import { useLocation } from "wouter";
import { useWords } from "../language.ts";
import { Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { findArea } from "./areas.ts";
import { WORDS } from "./words.ts";

/** The placeholder of a view while its script loads, with title and menu button. */
export function ViewSkeleton() {
  const say = useWords(WORDS);
  const [path] = useLocation();
  const area = findArea(path);
  if (area === undefined) return <Loading />;
  return (
    <Panel title={say(area.name)}>
      <Loading />
    </Panel>
  );
}
