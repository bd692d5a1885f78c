import { useLocation } from "wouter";
import { useWords } from "../language.ts";
import { Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { areaAt } from "./areas.ts";
import { WORDS } from "./words.ts";

/** The placeholder of a view while its script loads, with title and menu button. */
export function Coming() {
  const say = useWords(WORDS);
  const [place] = useLocation();
  const area = areaAt(place);
  if (area === undefined) return <Loading />;
  return (
    <Panel title={say(area.name)}>
      <Loading />
    </Panel>
  );
}
