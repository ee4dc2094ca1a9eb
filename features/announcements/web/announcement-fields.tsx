import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { TEXT_LENGTH, TITLE_LENGTH } from '#features/announcements/rules.ts'
import type { Plan } from '#features/licences/contract.ts'
import { inLanguage, locales } from '#foundation/locale.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { filterIn, type Draft } from './draft.ts'
import { filterText } from './filter-text.ts'
import { kindTexts } from './kind-texts.ts'

type Props = {
  plans: readonly Plan[]
  draft?: Draft
  /** An announcement that customers read keeps its kind. */
  isPublished?: boolean
}

/** Returns the names of all fields of the form, each with true for a checkbox. */
export const fieldNames = (plans: readonly Plan[]): (readonly [name: string, isBox: boolean])[] => [
  ...['kind', 'starts_at', 'ends_at', 'scope', 'hosts', 'filter', 'language'].map(
    (name) => [name, false] as const,
  ),
  ...locales.flatMap((locale) => [[`title.${locale}`, false] as const, [`text.${locale}`, false] as const]),
  ...['mail', ...plans.map(({ slug }) => `plan.${slug}`)].map((name) => [name, true] as const),
]

export function AnnouncementFields({ plans, draft, isPublished = false }: Props) {
  const textIn = (name: string) => String(draft?.[name] ?? '')
  const [language, setLanguage] = useState(textIn('language'))
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          name="kind"
          label={m.announcements_kind()}
          defaultValue={draft ? textIn('kind') : 'maintenance'}
          disabled={isPublished}
          options={Object.entries(kindTexts).map(([value, text]) => ({ value, label: text() }))}
        />
        <TextField
          name="starts_at"
          type="datetime-local"
          label={m.announcements_begins()}
          defaultValue={textIn('starts_at')}
        />
        <TextField
          name="ends_at"
          type="datetime-local"
          label={m.announcements_ends()}
          defaultValue={textIn('ends_at')}
        />
      </div>
      <p className="-mt-2 text-sm text-muted">{m.announcements_times_hint()}</p>
      {locales.map((locale) => (
        <fieldset
          key={locale}
          hidden={language !== '' && language !== locale}
          className="flex-col gap-3 rounded-md border border-line p-4 not-[[hidden]]:flex"
        >
          <legend className="px-1 text-sm font-semibold">{localeNames[locale]}</legend>
          <TextField
            name={`title.${locale}`}
            lang={locale}
            label={m.announcements_heading()}
            most={TITLE_LENGTH}
            defaultValue={textIn(`title.${locale}`)}
            autoComplete="off"
          />
          <TextAreaField
            name={`text.${locale}`}
            lang={locale}
            label={m.announcements_text()}
            rows={3}
            most={TEXT_LENGTH}
            defaultValue={textIn(`text.${locale}`)}
          />
        </fieldset>
      ))}
      <Readers plans={plans} draft={draft} />
      <SelectField
        name="language"
        label={m.announcements_language()}
        defaultValue={language}
        onChange={(event) => setLanguage(event.target.value)}
        options={[
          { value: '', label: m.announcements_language_all() },
          ...locales.map((value) => ({ value, label: localeNames[value] })),
        ]}
      />
      <CheckboxField
        name="mail"
        label={m.announcements_mail()}
        hint={m.announcements_mail_hint()}
        defaultChecked={draft?.['mail'] === true}
      />
    </>
  )
}

/** The choice of the readers. Fields of the scopes that are not chosen are hidden but stay in the form, so that their values are kept. */
function Readers({ plans, draft }: { plans: readonly Plan[]; draft: Draft | undefined }) {
  const locale = useLocale()
  const [scope, setScope] = useState(String(draft?.['scope'] ?? 'all'))
  const json = String(draft?.['filter'] ?? '')
  const filter = filterIn(json)
  return (
    <>
      <SelectField
        name="scope"
        label={m.announcements_for()}
        defaultValue={scope}
        onChange={(event) => setScope(event.target.value)}
        options={[
          { value: 'all', label: m.announcements_for_all() },
          { value: 'plans', label: m.announcements_for_plans() },
          { value: 'hosts', label: m.announcements_for_hosts() },
          ...(filter ? [{ value: 'filter', label: m.announcements_for_filter() }] : []),
        ]}
      />
      <input type="hidden" name="filter" defaultValue={json} />
      {filter && scope === 'filter' ? (
        <p className="-mt-2 text-sm text-muted">{`${filterText(filter)}. ${m.announcements_filter_hint()}`}</p>
      ) : null}
      <fieldset hidden={scope !== 'plans'} className="flex flex-col gap-2 not-[[hidden]]:flex">
        <legend className="mb-2 text-sm font-medium">{m.announcements_plans()}</legend>
        {plans.length === 0 ? (
          <p className="text-sm text-muted">
            <span>{m.announcements_no_plans()}</span>{' '}
            <TextLink to={paths.catalogue()}>{m.announcements_to_plans()}</TextLink>
          </p>
        ) : null}
        {plans.map(({ slug, name }) => (
          <CheckboxField
            key={slug}
            name={`plan.${slug}`}
            label={inLanguage(name, locale)}
            defaultChecked={draft?.[`plan.${slug}`] === true}
          />
        ))}
      </fieldset>
      <div hidden={scope !== 'hosts'}>
        <TextAreaField
          name="hosts"
          label={m.announcements_hosts()}
          hint={m.announcements_hosts_hint()}
          rows={3}
          defaultValue={String(draft?.['hosts'] ?? '')}
        />
      </div>
    </>
  )
}
