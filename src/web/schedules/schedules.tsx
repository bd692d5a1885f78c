import { Plus } from "lucide-react";
import { useWords } from "../language.ts";
import { Cards } from "../ui/cards.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { ScheduleRow } from "./schedule-row.tsx";
import { useSchedules } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

/** The page that lists all schedules. */
export function Schedules() {
  const say = useWords(WORDS);
  return (
    <Panel title={say("title")} lead={say("lead")} actions={<New />}>
      <List />
    </Panel>
  );
}

/** Schedules are created in conversations. */
function New() {
  const say = useWords(WORDS);
  return (
    <ButtonLink href={`/?message=${encodeURIComponent(say("example"))}`} look="primary">
      <Plus size={16} aria-hidden />
      {say("add")}
    </ButtonLink>
  );
}

function List() {
  const list = useSchedules();
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ schedules }) => schedules);
  if (all.length === 0) return <None />;
  return (
    <>
      <Cards>
        {[...new Map(all.map((schedule) => [schedule.schedule_id, schedule])).values()].map((schedule) => (
          <ScheduleRow key={schedule.schedule_id} schedule={schedule} />
        ))}
      </Cards>
      <More list={list} />
    </>
  );
}

function None() {
  const say = useWords(WORDS);
  const example = say("example");
  return (
    <Empty title={say("emptyTitle")}>
      <p>{say("emptyMore")}</p>
      <ButtonLink href={`/?message=${encodeURIComponent(example)}`}>{say("tryExample", { example })}</ButtonLink>
    </Empty>
  );
}
