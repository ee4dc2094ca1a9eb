import type { Edition } from '#features/catalogue/contract.ts'
import { entitlementLines, MOST_TRIAL_DAYS, parseEntitlements } from '#features/catalogue/rules.ts'
import { locales, type Locale } from '#foundation/locale.ts'

/** An edition as the fields of its form: a text, or a boolean for a checkbox. Features and entitlements are texts with one item a line. */
export type EditionDraft = { version: number; [field: string]: string | boolean | number }

export const draftOf = ({
  name,
  description,
  features,
  entitlements,
  rank,
  trial_days,
  is_active,
  version,
}: Edition): EditionDraft => ({
  version,
  ...Object.fromEntries(
    locales.flatMap((locale): [string, string][] => [
      [`name.${locale}`, name[locale]],
      [`description.${locale}`, description[locale]],
      [`features.${locale}`, features.map((text) => text[locale]).join('\n')],
    ]),
  ),
  entitlements: entitlementLines(entitlements),
  rank: String(rank),
  trial_days: String(trial_days),
  is_active,
})

/** The fields of a form by name; checkboxes are 'true' or 'false'. */
export type Fields = Readonly<Record<string, string | undefined>>
type Refused = { errors: { code: 'invalid' | 'required'; param: string }[] }
type Words = { [Language in Locale]?: string }

/**
 * Returns the body of the API call for the `changed` fields of a form, or the errors of these fields. If the features of one language
 * changed, the body has the features of all languages, taken from `all` fields, because line n is the same feature in each language. A
 * language with fewer lines than another gets the error `required`.
 */
export function bodyOf(changed: Fields, all: Fields) {
  const [name, description] = [wordsIn(changed, 'name'), wordsIn(changed, 'description')]
  const isFeature = locales.some((locale) => changed[`features.${locale}`] !== undefined)
  const features = isFeature ? featuresIn(all) : undefined
  if (features && 'errors' in features) return features
  const { rank, trial_days, is_active } = changed
  if (trial_days !== undefined && !isTrial(trial_days.trim())) return refused('invalid', 'trial_days')
  if (rank !== undefined && !/^\d{1,4}$/.test(rank.trim())) return refused('invalid', 'rank')
  const entitlements =
    changed['entitlements'] === undefined ? undefined : (parseEntitlements(changed['entitlements']) ?? null)
  if (entitlements === null) return refused('invalid', 'entitlements')
  return {
    body: {
      ...(name ? { name } : {}),
      ...(description ? { description } : {}),
      ...(features ? { features: features.all } : {}),
      ...(entitlements ? { entitlements } : {}),
      ...(rank === undefined ? {} : { rank: Number(rank) }),
      ...(trial_days === undefined ? {} : { trial_days: Number(trial_days) }),
      ...(is_active === undefined ? {} : { is_active: is_active === 'true' }),
    },
  }
}

/** Returns the body that adds an edition, from all fields of its form, or the errors of the fields. */
export function newBodyOf(fields: Fields) {
  const read = bodyOf({ ...fields, is_active: undefined }, fields)
  if ('errors' in read) return read
  const { features = [], entitlements = {}, rank = 0, trial_days = 0 } = read.body
  const inAll = (of: 'name' | 'description') => ({
    en: fields[`${of}.en`] ?? '',
    de: fields[`${of}.de`] ?? '',
    ru: fields[`${of}.ru`] ?? '',
  })
  const slug = fields['slug'] ?? ''
  return {
    body: {
      slug,
      name: inAll('name'),
      description: inAll('description'),
      features,
      entitlements,
      rank,
      trial_days,
    },
  }
}

function featuresIn(fields: Fields): Refused | { all: Edition['features'] } {
  const lines = (locale: Locale) =>
    (fields[`features.${locale}`] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const [en, de, ru] = [lines('en'), lines('de'), lines('ru')]
  const most = Math.max(en.length, de.length, ru.length)
  const short = locales.filter((locale) => lines(locale).length < most)
  if (short.length > 0)
    return { errors: short.map((locale) => ({ code: 'required', param: `features.${locale}` })) }
  return { all: en.map((text, place) => ({ en: text, de: de[place] ?? '', ru: ru[place] ?? '' })) }
}

const isTrial = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) <= MOST_TRIAL_DAYS

const refused = (code: 'invalid', param: string): Refused => ({ errors: [{ code, param }] })

function wordsIn(fields: Fields, of: 'name' | 'description'): Words | undefined {
  const given = locales.flatMap((locale): [Locale, string][] => {
    const value = fields[`${of}.${locale}`]
    return value === undefined ? [] : [[locale, value]]
  })
  return given.length > 0 ? Object.fromEntries(given) : undefined
}
