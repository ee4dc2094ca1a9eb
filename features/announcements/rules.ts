import { locales, type Translated } from '#foundation/locale.ts'

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

/** The readers of an announcement: all customers, customers with one of these plans, or customers with one of these servers (IPv4). */
export type Scope =
  | { all: true; plans?: undefined; hosts?: undefined }
  | { all?: undefined; plans: readonly string[]; hosts?: undefined }
  | { all?: undefined; plans?: undefined; hosts: readonly string[] }

type Given = { all?: true | undefined; plans?: string[] | undefined; hosts?: string[] | undefined }

/** Returns the scope with the one field that is given; undefined if no field, or more than one, is given. */
export function scopeOf({ all, plans, hosts }: Given): Scope | undefined {
  const scopes: Scope[] = []
  if (all) scopes.push({ all })
  if (plans) scopes.push({ plans })
  if (hosts) scopes.push({ hosts })
  return scopes.length === 1 ? scopes[0] : undefined
}

type Draft = {
  kind: Kind
  title: Translated
  text: Translated
  starts_at: Date | null
  ends_at: Date | null
}

type Fault = { code: 'required' | 'invalid'; param: string }

/**
 * Returns the faults that keep a draft from being published: a missing language, maintenance without times, an end in the past or before
 * the start.
 */
export function faultsOf({ kind, title, text, starts_at, ends_at }: Draft, now: Date): Fault[] {
  const faults: Fault[] = []
  for (const locale of locales) {
    if (title[locale].trim() === '') faults.push({ code: 'required', param: `title.${locale}` })
    if (text[locale].trim() === '') faults.push({ code: 'required', param: `text.${locale}` })
  }
  if (kind === 'maintenance' && !starts_at) faults.push({ code: 'required', param: 'starts_at' })
  if (kind === 'maintenance' && !ends_at) faults.push({ code: 'required', param: 'ends_at' })
  if (ends_at && (ends_at <= now || (starts_at && ends_at <= starts_at)))
    faults.push({ code: 'invalid', param: 'ends_at' })
  return faults
}
