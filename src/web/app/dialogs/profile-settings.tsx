import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { UserProfile } from "../../../protocol/agents/profile.ts";
import { toFault } from "../../../protocol/wire/fault.ts";
import { api } from "../../session/full-api.ts";
import { LANGUAGES, useMessages } from "../../session/language.ts";
import { removeFieldPrefix } from "../../session/user-error.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toast.tsx";
import { findInvalidFact, toProfileChange, toProfileForm, type ProfileForm } from "./profile-form.ts";
import styles from "./settings-dialog.module.css";

/** The section of the settings in which a user tells agents about themself. */
export function ProfileSettings() {
  const t = useMessages("dialogs");
  const { data, error, refetch } = useQuery({ queryKey: ["profile"], queryFn: () => api.profile() });
  const content =
    error !== null ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : data === undefined ? (
      <Loading />
    ) : (
      <ProfileFields profile={data} />
    );
  return (
    <section className={styles["section"]}>
      <h3>{t("profile")}</h3>
      {content}
    </section>
  );
}

function ProfileFields({ profile }: { readonly profile: UserProfile }) {
  const t = useMessages("dialogs");
  const queries = useQueryClient();
  const [form, setForm] = useState<ProfileForm>(() => toProfileForm(profile));
  const [wasSubmitted, setSubmitted] = useState(false);
  const update = useMutation({
    mutationFn: () => api.updateProfile(toProfileChange(form, profile)),
    onSuccess: (stored) => {
      queries.setQueryData(["profile"], stored);
      setForm(toProfileForm(stored));
      showToast(t("profileSaved"));
    },
  });
  const change = (next: Partial<ProfileForm>) => {
    update.reset();
    setForm({ ...form, ...next });
  };
  const invalid = findInvalidFact(form.facts);
  const fault = update.error === null ? undefined : toFault(update.error);
  const field = fault?.field?.split(".")[0];
  const getError = (name: string) =>
    fault !== undefined && field === name ? removeFieldPrefix(fault.message, fault.field) : undefined;
  const factError = wasSubmitted && invalid !== null ? t("factInvalid", { line: invalid }) : getError("facts");
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (invalid === null && !update.isPending) update.mutate();
  };
  const languages = Object.entries(LANGUAGES).filter(([tag]) => tag !== form.language);
  const known = form.language === "" ? [] : [[form.language, findLanguageName(form.language)] as const];
  const zones = [...new Set([form.timezone, ...Intl.supportedValuesOf("timeZone")])].filter((zone) => zone !== "");
  return (
    <form className={styles["settings"]} onSubmit={save} noValidate>
      <p className="quiet">{t("profileMore")}</p>
      <Field
        label={t("profileName")}
        value={form.name}
        maxLength={200}
        autoComplete="name"
        error={getError("name")}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Select
        label={t("profileLanguage")}
        value={form.language}
        options={[["", t("notSet")], ...known, ...languages]}
        error={getError("language")}
        onChange={(language) => change({ language })}
      />
      <Select
        label={t("profileTimezone")}
        value={form.timezone}
        options={[["", t("notSet")], ...zones.map((zone) => [zone, zone] as const)]}
        hint={t("profileLocaleHint")}
        error={getError("timezone")}
        onChange={(timezone) => change({ timezone })}
      />
      <TextArea
        label={t("profileFacts")}
        value={form.facts}
        hint={t("profileFactsHint")}
        error={factError}
        onChange={(event) => change({ facts: event.target.value })}
      />
      {fault !== undefined && field === undefined ? <p role="alert">{fault.message}</p> : null}
      <Button type="submit" className={styles["start"]} disabled={update.isPending}>
        {t("saveProfile")}
      </Button>
    </form>
  );
}

/** Returns the name of a language in the application; its tag if the application does not have it. */
function findLanguageName(tag: string): string {
  return Object.entries(LANGUAGES).find(([known]) => known === tag)?.[1] ?? tag;
}
