import type { Announcement } from '#features/announcements/contract.ts'
import { kinds, type Kind } from '#features/announcements/rules.ts'
import type { Plan } from '#features/licences/contract.ts'
import { must } from '#foundation/must.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'

/**
 * An announcement as its form holds it: for each field a text, or true or false for a checkbox. Plans are checkboxes `plan.<slug>`; servers
 * are the lines of the field `hosts`.
 */
export type Draft = { version: number; [field: string]: string | boolean | number }

export function draftOf(announcement: Announcement, plans: readonly Plan[]): Draft {
  const { kind, title, text, starts_at, ends_at, scope, mail, version } = announcement
  const words = locales.flatMap((locale): [string, string][] => [
    [`title.${locale}`, title[locale]],
    [`text.${locale}`, text[locale]],
  ])
  const boxes = plans.map(({ slug }): [string, boolean] => [
    `plan.${slug}`,
    scope.plans?.includes(slug) ?? false,
  ])
  return {
    version,
    kind,
    starts_at: fieldOf(starts_at),
    ends_at: fieldOf(ends_at),
    scope: scope.plans ? 'plans' : scope.hosts ? 'hosts' : scope.all ? 'all' : 'filter',
    filter:
      scope.servers || scope.customers
        ? JSON.stringify({ servers: scope.servers, customers: scope.customers })
        : '',
    hosts: scope.hosts?.join('\n') ?? '',
    language: scope.language ?? '',
    mail,
    ...Object.fromEntries(words),
    ...Object.fromEntries(boxes),
  }
}

/** The values of a form by field; a checkbox is 'true' or 'false'. */
export type Fields = Readonly<Record<string, string | undefined>>

type Words = { [Language in Locale]?: string }

/**
 * Returns the body that the API takes. `changed` holds the fields to send, `all` the values of all fields: a scope is sent whole, from
 * `all`, if any part of it has changed.
 */
export function bodyOf(changed: Fields, all: Fields) {
  const { kind, starts_at, ends_at, mail } = changed
  const title = wordsIn(changed, 'title')
  const text = wordsIn(changed, 'text')
  const isScope = Object.keys(changed).some((name) => /^(scope|hosts|filter|language|plan\..*)$/u.test(name))
  return {
    ...(kind === undefined ? {} : { kind: kindIn(kind) }),
    ...(title ? { title } : {}),
    ...(text ? { text } : {}),
    ...(starts_at === undefined ? {} : { starts_at: timeOf(starts_at) }),
    ...(ends_at === undefined ? {} : { ends_at: timeOf(ends_at) }),
    ...(isScope ? { scope: scopeIn(all) } : {}),
    ...(mail === undefined ? {} : { mail: mail === 'true' }),
  }
}

/** Reads the filter of a list of servers or of customers from its JSON, as addresses and forms hold it; undefined for any other text. */
export function filterIn(json: string): Pick<Announcement['scope'], 'servers' | 'customers'> | undefined {
  try {
    const read: unknown = JSON.parse(json)
    const name = isObject(read) ? Object.keys(read)[0] : undefined
    return isObject(read) && (name === 'servers' || name === 'customers') && isObject(read[name])
      ? { [name]: read[name] }
      : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const kindIn = (value: string | undefined): Kind => must(kinds.find((kind) => kind === value))

function wordsIn(fields: Fields, of: 'title' | 'text'): Words | undefined {
  const given = locales.flatMap((locale): [Locale, string][] => {
    const value = fields[`${of}.${locale}`]
    return value === undefined ? [] : [[locale, value]]
  })
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

function scopeIn(fields: Fields) {
  const language = locales.find((known) => known === fields['language'])
  return { ...readersIn(fields), ...(language && { language }) }
}

function readersIn(fields: Fields) {
  if (fields['scope'] === 'filter') return must(filterIn(fields['filter'] ?? ''))
  if (fields['scope'] === 'hosts') return { hosts: (fields['hosts'] ?? '').split(/[\s,;]+/u).filter(Boolean) }
  if (fields['scope'] !== 'plans') return { all: true as const }
  const chosen = Object.entries(fields).filter(
    ([name, value]) => name.startsWith('plan.') && value === 'true',
  )
  return { plans: chosen.map(([name]) => name.slice('plan.'.length)) }
}

/** Returns a time as a field of the type datetime-local holds it: `2026-11-29T02:00`, in the reader's time zone. */
function fieldOf(time: string | null): string {
  if (time === null) return ''
  const date = new Date(time)
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${dayOf(date)}T${digits(date.getHours())}:${digits(date.getMinutes())}`
}

const timeOf = (field: string): string | null => (field === '' ? null : new Date(field).toISOString())
