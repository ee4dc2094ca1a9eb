import type { CustomerFilter, HostFilter } from '#features/customers/rules.ts'
import { locales, type Locale, type Translated } from '#foundation/locale.ts'

export const kinds = ['maintenance', 'incident', 'news'] as const
export type Kind = (typeof kinds)[number]

export const statuses = ['draft', 'published', 'resolved', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export const TITLE_LENGTH = 120
export const TEXT_LENGTH = 5000

/** The most plans, or servers, that one announcement may name. */
export const MOST_PLANS = 50
export const MOST_HOSTS = 1000

/** A mail to more customers than this number always needs a second person. */
export const MAILED_ALONE = 100

/** News without an end are shown for NEWS_DAYS after publication, an incident for RESOLVED_HOURS after its resolution. */
export const NEWS_DAYS = 14
export const RESOLVED_HOURS = 24

/**
 * The readers of an announcement: all customers, customers with one of these plans or of these servers (IPv4), or those whom a filter of the
 * list of all servers or of customers finds at the time of the publication.
 */
type Scopes = {
  all: true
  plans: string[]
  hosts: string[]
  servers: HostFilter
  customers: CustomerFilter
}
type Only<Kind extends keyof Scopes> = Pick<Scopes, Kind> & {
  [Other in Exclude<keyof Scopes, Kind>]?: undefined
}
export type Scope = { [Kind in keyof Scopes]: Only<Kind> }[keyof Scopes] & Spoken

/** With a language, only those of the readers who chose it read the announcement, and it needs the words of this language alone. */
type Spoken = { language?: Locale | undefined }

type Given = { [Kind in keyof Scopes]?: Scopes[Kind] | undefined } & Spoken

/** Returns the scope with the one field that is given beside the language; undefined if none, or more than one, is given. */
export function scopeOf({ all, plans, hosts, servers, customers, language }: Given): Scope | undefined {
  const scopes: Scope[] = []
  if (all) scopes.push({ all })
  if (plans) scopes.push({ plans })
  if (hosts) scopes.push({ hosts })
  if (servers) scopes.push({ servers })
  if (customers) scopes.push({ customers })
  const [only] = scopes
  return only && scopes.length === 1 ? { ...only, ...(language && { language }) } : undefined
}

/** The languages in which an announcement for these readers is written. */
export const languagesOf = ({ language }: Spoken): readonly Locale[] => (language ? [language] : locales)

/** The words in each language; those of another language stand for words that were never written. */
export const inAny = (words: Translated): Translated => {
  const some = words.en || words.de || words.ru
  return { en: words.en || some, de: words.de || some, ru: words.ru || some }
}

type Draft = {
  kind: Kind
  title: Translated
  text: Translated
  starts_at: Date | null
  ends_at: Date | null
  scope: Spoken
}

type Fault = { code: 'required' | 'invalid'; param: string }

/**
 * Returns the faults that keep a draft from being published: a missing language, maintenance without times, an end in the past or before
 * the start.
 */
export function faultsOf({ kind, title, text, starts_at, ends_at, scope }: Draft, now: Date): Fault[] {
  const faults: Fault[] = []
  for (const locale of languagesOf(scope)) {
    if (title[locale].trim() === '') faults.push({ code: 'required', param: `title.${locale}` })
    if (text[locale].trim() === '') faults.push({ code: 'required', param: `text.${locale}` })
  }
  if (kind === 'maintenance' && !starts_at) faults.push({ code: 'required', param: 'starts_at' })
  if (kind === 'maintenance' && !ends_at) faults.push({ code: 'required', param: 'ends_at' })
  if (ends_at && (ends_at <= now || (starts_at && ends_at <= starts_at)))
    faults.push({ code: 'invalid', param: 'ends_at' })
  return faults
}
