import type { Endpoint } from '#features/webhooks/contract.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'

/** The host of a URL, which names an endpoint where it has no description. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

export const titleOf = ({ description, url }: Endpoint): string => description || hostOf(url)

export const typesText = ({ types }: Endpoint): string =>
  types.length === 0 ? m.webhooks_all_types() : m.webhooks_types_count({ count: types.length })

export const lastOkText = ({ last_ok_at }: Endpoint): string =>
  last_ok_at === null ? m.webhooks_never_ok() : m.webhooks_last_ok({ time: relativeTime(last_ok_at) })

/** The share of the last attempts that succeeded; undefined before the first. */
export function rateText({ recent: { succeeded, failed } }: Endpoint): string | undefined {
  const all = succeeded + failed
  return all === 0 ? undefined : m.webhooks_rate({ succeeded, count: all })
}
