import type { CataloguePlan } from '#features/catalogue/contract.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The fields for the name of a plan, one for each language. */
export const PlanNames = ({ name }: { name?: CataloguePlan['name'] }) =>
  (['en', 'de', 'ru'] as const).map((language) => (
    <TextField
      key={language}
      name={`name.${language}`}
      label={LABELS[language]()}
      defaultValue={name?.[language]}
      most={100}
      lang={language}
      autoComplete="off"
      required
    />
  ))

const LABELS = { en: m.catalogue_name_en, de: m.catalogue_name_de, ru: m.catalogue_name_ru } as const

export const namesIn = (fields: FormFields): CataloguePlan['name'] => ({
  en: fields.text('name.en'),
  de: fields.text('name.de'),
  ru: fields.text('name.ru'),
})
