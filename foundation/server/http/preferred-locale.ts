import type { FastifyRequest } from 'fastify'
import { locales, type Locale } from '#foundation/locale.ts'

export const isLocale = (text: string): text is Locale => locales.some((locale) => locale === text)

/** The first language of Accept-Language that we have. */
export function preferredLocale(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().slice(0, 2))
  return wanted.find(isLocale) ?? 'en'
}

/** The language that an address names by `?lang=`; otherwise the browser's. */
export function localeOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Locale {
  const named: unknown = Reflect.get(Object(query), 'lang')
  return typeof named === 'string' && isLocale(named) ? named : preferredLocale(headers['accept-language'])
}
