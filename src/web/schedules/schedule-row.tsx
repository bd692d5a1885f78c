import { Play, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "../../protocol/recurring.ts";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import { Card, CardText } from "../ui/cards.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { IconButton } from "../ui/button.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toast.tsx";
import { Facts, Standing, Trouble } from "./facts.tsx";
import { Remove } from "./remove.tsx";
import styles from "./schedules.module.css";
import { usePause, useRunNow } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

export function ScheduleRow({ schedule }: { readonly schedule: Schedule }) {
  const { schedule_id: id, title, query, agent_name, last_run } = schedule;
  const agent = useAgentNames()(agent_name);
  return (
    <Card look={styles["row"]}>
      <div className={styles["words"]}>
        <div className={styles["head"]}>
          <h2>
            <CoverLink href={`/schedules/${id}`}>{title}</CoverLink>
          </h2>
          <Standing schedule={schedule} />
        </div>
        {query.toLowerCase() === title.toLowerCase() ? null : <CardText>{query}</CardText>}
        <div className={styles["facts"]}>
          <span className={styles["fact"]}>
            <Avatar name={agent_name} label={agent} size="small" />
            {agent}
          </span>
        </div>
        <Facts schedule={schedule} />
        <Trouble schedule={schedule} />
        {last_run?.error === undefined ? null : <p className={styles["error"]}>{last_run.error}</p>}
      </div>
      <Actions schedule={schedule} />
    </Card>
  );
}

function Actions({ schedule }: { readonly schedule: Schedule }) {
  const say = useWords(WORDS);
  const { schedule_id: id, title, status, last_run } = schedule;
  const pause = usePause();
  const run = useRunNow(id);
  const [isRemoving, setRemoving] = useState(false);
  const isRunning = run.isPending || last_run?.status === "running";
  return (
    <div className={styles["actions"]}>
      <IconButton
        label={say("runNowOf", { title })}
        disabled={isRunning}
        onClick={() => run.mutate(undefined, { onSuccess: () => toast(say("started", { title })) })}
      >
        <Play size={18} aria-hidden />
      </IconButton>
      <IconButton label={say("deleteOf", { title })} onClick={() => setRemoving(true)}>
        <Trash2 size={18} aria-hidden />
      </IconButton>
      <Switch
        label={say("runsByItself", { title })}
        isOn={status === "active"}
        onChange={(isOn) => pause.mutate({ id, status: isOn ? "active" : "paused" })}
      />
      {isRemoving ? <Remove schedule={schedule} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}
