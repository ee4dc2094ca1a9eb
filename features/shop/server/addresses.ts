import type { Locale } from '#foundation/locale.ts'

/** The addresses of the shop's pages. Without a language they answer in that of the browser; search engines get those with one. */

/** The things that a link may bring along: they go on from page to page until they stand in the form. */
export type Brought = { code?: string | undefined; email?: string | undefined }

type Place = Brought & { locale?: Locale; country?: string | undefined }

const within = ({ locale }: Place): string => (locale === undefined ? '/shop/' : `/shop/${locale}/`)

const asked = ({ country, code = '', email = '' }: Place, lang?: Locale): string => {
  const query = new URLSearchParams({
    ...(lang === undefined ? {} : { lang }),
    ...(country === undefined ? {} : { country }),
    ...(code === '' ? {} : { code }),
    ...(email === '' ? {} : { email }),
  }).toString()
  return query === '' ? '' : `?${query}`
}

export const indexAddress = (place: Place = {}): string => `${within(place)}${asked(place)}`

export const productAddress = (slug: string, place: Place = {}): string =>
  `${within(place)}${encodeURIComponent(slug)}/${asked(place)}`

/** The form that buys a plan. */
export const buyAddress = (plan: string, place: Place = {}): `/${string}` =>
  `/buy/${encodeURIComponent(plan)}${asked(place, place.locale)}`

/** The form again, with all that was typed into one whose payment failed. */
export const againAddress = (plan: string, locale: Locale, public_id: string): string =>
  `/buy/${encodeURIComponent(plan)}?lang=${locale}&again=${public_id}`

/** The page that leads on to that of the provider, and the page to which that one leads back. */
export const payAddress = (public_id: string): string => `/buy/pay/${public_id}`
export const thanksAddress = (public_id: string): string => `/buy/thanks/${public_id}`

/** The page of the link in a mail, which opens the account, or asks its owner. */
export const openAddress = (key: string): `/${string}` => `/buy/open/?key=${encodeURIComponent(key)}`
