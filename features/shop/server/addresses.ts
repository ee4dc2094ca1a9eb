import type { Locale } from '#foundation/locale.ts'

/** The addresses of the shop's pages. Without a language they answer in that of the browser; search engines get those with one. */

type Place = { locale?: Locale; country?: string | undefined; code?: string | undefined }

const within = ({ locale }: Place): string => (locale === undefined ? '/shop/' : `/shop/${locale}/`)

const asked = ({ country, code = '' }: Place, lang?: Locale): string => {
  const query = new URLSearchParams({
    ...(lang === undefined ? {} : { lang }),
    ...(country === undefined ? {} : { country }),
    ...(code === '' ? {} : { code }),
  }).toString()
  return query === '' ? '' : `?${query}`
}

export const indexAddress = (place: Place = {}): string => `${within(place)}${asked(place)}`

export const productAddress = (slug: string, place: Place = {}): string =>
  `${within(place)}${encodeURIComponent(slug)}/${asked(place)}`

/** The form that buys a plan; `email` may be added by whoever links to it, and the promo code as `code`. */
export const buyAddress = (plan: string, place: Place = {}): string =>
  `/buy/${encodeURIComponent(plan)}${asked(place, place.locale)}`

/** The page that leads on to that of the provider, and the page to which that one leads back. */
export const payAddress = (public_id: string): string => `/buy/pay/${public_id}`
export const thanksAddress = (public_id: string): string => `/buy/thanks/${public_id}`

/** The page of the link in a mail, which opens the account, or asks its owner. */
export const openAddress = (key: string): `/${string}` => `/buy/open/?key=${encodeURIComponent(key)}`
