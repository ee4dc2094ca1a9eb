import type { Product } from '#features/catalogue/product-contract.ts'
import { DESCRIPTION_LENGTH } from '#features/catalogue/rules.ts'
import { locales } from '#foundation/locale.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

export const kindTexts = {
  server: () => m.catalogue_kind_server(),
  program: () => m.catalogue_kind_program(),
} as const

/** The name and the description of a product in each language. */
export const ProductTexts = ({ product }: { product?: Product }) =>
  locales.map((locale) => (
    <fieldset key={locale} className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-semibold">{localeNames[locale]}</legend>
      <TextField
        name={`name.${locale}`}
        lang={locale}
        label={m.catalogue_edition_name()}
        most={100}
        defaultValue={product?.name[locale]}
        autoComplete="off"
        required
      />
      <TextField
        name={`description.${locale}`}
        lang={locale}
        label={m.catalogue_description()}
        most={DESCRIPTION_LENGTH}
        defaultValue={product?.description[locale]}
        autoComplete="off"
      />
    </fieldset>
  ))

/** Reads the typed texts of a product. */
export function textsIn(fields: FormFields) {
  const inAll = (of: 'name' | 'description') => ({
    en: fields.text(`${of}.en`),
    de: fields.text(`${of}.de`),
    ru: fields.text(`${of}.ru`),
  })
  return { name: inAll('name'), description: inAll('description') }
}
