import type { Product } from '#features/catalogue/product-contract.ts'
import { locales } from '#foundation/locale.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { m } from '#texts/messages.js'
import { TextsIn } from './text-fields.tsx'

export const kindTexts = {
  server: () => m.catalogue_kind_server(),
  program: () => m.catalogue_kind_program(),
} as const

/** The name and the description of a product in each language. */
export const ProductTexts = ({ product }: { product?: Product }) =>
  locales.map((locale) => (
    <TextsIn
      key={locale}
      locale={locale}
      name={product?.name[locale]}
      description={product?.description[locale]}
    />
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
