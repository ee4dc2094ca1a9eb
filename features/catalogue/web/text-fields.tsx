import { DESCRIPTION_LENGTH } from '#features/catalogue/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import type { ReactNode } from 'react'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Props = {
  locale: Locale
  /** The texts that stand in the fields; undefined or empty for none. */
  name: string | undefined
  description: string | undefined
  /** Further fields of the language. */
  children?: ReactNode
}

/** The name and the description of what is sold, in one language. */
export const TextsIn = ({ locale, name, description, children }: Props) => (
  <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
    <legend className="px-1 text-sm font-semibold">{localeNames[locale]}</legend>
    <TextField
      name={`name.${locale}`}
      lang={locale}
      label={m.catalogue_edition_name()}
      most={100}
      defaultValue={name}
      autoComplete="off"
      required
    />
    <TextField
      name={`description.${locale}`}
      lang={locale}
      label={m.catalogue_description()}
      most={DESCRIPTION_LENGTH}
      defaultValue={description}
      autoComplete="off"
    />
    {children}
  </fieldset>
)

/** The short name (slug) of something new that is sold. */
export const SlugField = () => (
  <TextField
    name="slug"
    label={m.catalogue_slug()}
    hint={m.catalogue_slug_hint()}
    most={64}
    autoCapitalize="none"
    spellCheck={false}
    autoComplete="off"
    mono
    required
  />
)
