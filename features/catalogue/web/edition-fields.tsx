import { MOST_FEATURES } from '#features/catalogue/rules.ts'
import { locales } from '#foundation/locale.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useProducts } from './hooks.ts'
import type { EditionDraft } from './edition-draft.ts'
import { SlugField, TextsIn } from './text-fields.tsx'

type Props = {
  /** Undefined for a new edition, which gets its short name (slug) in this form. */
  draft?: EditionDraft
}

/** The form fields of an edition: its texts in each language, its entitlements, its rank, and its trial. */
export function EditionFields({ draft }: Props) {
  const products = useProducts().data?.items ?? []
  const textIn = (name: string) => String(draft?.[name] ?? '')
  return (
    <>
      {locales.map((locale) => (
        <TextsIn
          key={locale}
          locale={locale}
          name={textIn(`name.${locale}`)}
          description={textIn(`description.${locale}`)}
        >
          <TextAreaField
            name={`features.${locale}`}
            lang={locale}
            label={m.catalogue_features()}
            hint={m.catalogue_features_hint({ most: MOST_FEATURES })}
            rows={4}
            defaultValue={textIn(`features.${locale}`)}
          />
        </TextsIn>
      ))}
      <TextAreaField
        name="entitlements"
        label={m.catalogue_entitlements()}
        hint={m.catalogue_entitlements_hint()}
        rows={3}
        defaultValue={textIn('entitlements')}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {draft ? null : <SlugField />}
        <TextField
          name="rank"
          label={m.catalogue_rank()}
          hint={m.catalogue_rank_hint()}
          inputMode="numeric"
          defaultValue={textIn('rank')}
          autoComplete="off"
          required
        />
        <TextField
          name="trial_days"
          label={m.catalogue_trial_days()}
          hint={m.catalogue_trial_days_hint()}
          inputMode="numeric"
          defaultValue={draft ? textIn('trial_days') : '0'}
          autoComplete="off"
          required
        />
      </div>
      {draft || products.length < 2 ? null : (
        <SelectField
          name="product"
          label={m.catalogue_product()}
          options={products.map(({ slug, name }) => ({ value: slug, label: name[currentLocale()] }))}
        />
      )}
      {draft ? (
        <CheckboxField
          name="is_active"
          label={m.catalogue_edition_sold()}
          hint={m.catalogue_edition_sold_hint()}
          defaultChecked={draft['is_active'] === true}
        />
      ) : null}
    </>
  )
}
