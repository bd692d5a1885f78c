import { useId, useState, type FormEvent } from "react";
import { toFault } from "../../protocol/fault.ts";
import type { Schedule, UpdateSchedule } from "../../protocol/recurring.ts";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { toast } from "../ui/toast.tsx";
import { withoutPath } from "../ui/without-path.ts";
import styles from "./edit.module.css";
import { configOf, isSame, presetOf, wrongIn, type Preset } from "./preset.ts";
import { RhythmFields } from "./rhythm-fields.tsx";
import { useUpdate } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

type Draft = {
  readonly title: string;
  readonly query: string;
  readonly catchUp: Schedule["catch_up"];
  readonly preset: Preset;
};

/** Fields that show their own error. */
const FIELDS = ["title", "query", "schedule_config"];

/** The dialog that edits title, request and recurrence of a schedule. */
export function Edit({ schedule, onClose }: { readonly schedule: Schedule; readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const formId = useId();
  const zone = schedule.schedule_config.timezone;
  const [draft, setDraft] = useState<Draft>(() => draftOf(schedule));
  const [isTried, setTried] = useState(false);
  const update = useUpdate(schedule.schedule_id);
  const wrong = wrongIn(draft.preset);
  const isEmpty = (text: string) => text.trim() === "";
  const refused = update.error === null ? undefined : toFault(update.error);
  const field = refused?.field?.split(".")[0];
  const errorAt = (name: string) =>
    refused !== undefined && field === name ? withoutPath(refused.message, refused.field) : undefined;
  const change = (next: Partial<Draft>) => {
    update.reset();
    setDraft({ ...draft, ...next });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong !== null || isEmpty(draft.title) || isEmpty(draft.query) || update.isPending) return;
    const done = () => {
      toast(say("saved"));
      onClose();
    };
    update.mutate(changeOf(draft, schedule), { onSuccess: done });
  };
  const needed = (text: string) => (isTried && isEmpty(text) ? say("required") : undefined);
  const actions = (
    <Button type="submit" form={formId} look="primary" disabled={update.isPending}>
      {say("save")}
    </Button>
  );
  return (
    <Dialog title={say("editTitle")} onClose={onClose} actions={actions}>
      <form id={formId} className={styles["form"]} onSubmit={save} noValidate>
        <Field
          label={say("fieldTitle")}
          value={draft.title}
          maxLength={200}
          error={errorAt("title") ?? needed(draft.title)}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextArea
          label={say("fieldQuery")}
          hint={say("fieldQueryHint")}
          rows={3}
          value={draft.query}
          error={errorAt("query") ?? needed(draft.query)}
          onChange={(event) => change({ query: event.target.value })}
        />
        <RhythmFields
          preset={draft.preset}
          zone={zone}
          error={errorAt("schedule_config") ?? (isTried && wrong !== null ? say(wrong) : undefined)}
          onChange={(preset) => change({ preset })}
        />
        <Select
          label={say("catchUp")}
          hint={say("catchUpMore")}
          value={draft.catchUp}
          options={[
            ["once", say("catchUpOnce")],
            ["skip", say("catchUpSkip")],
          ]}
          onChange={(value) => change({ catchUp: value === "skip" ? "skip" : "once" })}
        />
        <p role="alert" className={styles["error"]}>
          {refused === undefined || FIELDS.includes(field ?? "") ? null : refused.message}
        </p>
      </form>
    </Dialog>
  );
}

function draftOf({ title, query, catch_up: catchUp, schedule_config }: Schedule): Draft {
  return { title, query, catchUp, preset: presetOf(schedule_config) };
}

/** Returns only changed fields: sending an unchanged interval would restart it. */
function changeOf(draft: Draft, schedule: Schedule): UpdateSchedule {
  const { schedule_config: config } = schedule;
  const before = draftOf(schedule);
  return {
    ...(draft.title === before.title ? {} : { title: draft.title.trim() }),
    ...(draft.query === before.query ? {} : { query: draft.query }),
    ...(draft.catchUp === before.catchUp ? {} : { catch_up: draft.catchUp }),
    ...(isSame(draft.preset, before.preset, config.timezone)
      ? {}
      : { schedule_config: configOf(draft.preset, config.timezone) }),
  };
}
