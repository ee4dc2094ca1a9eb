import type { Locale } from '#foundation/locale.ts'

/** The addresses of the shop's pages. Without a language they answer in that of the browser; search engines get those with one. */

type Place = { locale?: Locale; country?: string | undefined }

const within = ({ locale }: Place): string => (locale === undefined ? '/shop/' : `/shop/${locale}/`)

const asked = ({ country }: Place): string =>
  country === undefined ? '' : `?country=${encodeURIComponent(country)}`

export const indexAddress = (place: Place = {}): string => `${within(place)}${asked(place)}`

export const productAddress = (slug: string, place: Place = {}): string =>
  `${within(place)}${encodeURIComponent(slug)}/${asked(place)}`

/** The form that buys a plan; `email` may be added by whoever links to it. */
export const buyAddress = (plan: string, { locale, country }: Place = {}): string => {
  const query = new URLSearchParams({
    ...(locale === undefined ? {} : { lang: locale }),
    ...(country === undefined ? {} : { country }),
  }).toString()
  return `/buy/${encodeURIComponent(plan)}${query === '' ? '' : `?${query}`}`
}
