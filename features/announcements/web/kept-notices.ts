import { kinds } from '#features/announcements/rules.ts'
import type { Notice } from '#features/announcements/contract.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { locales } from '#foundation/web/i18n/locale.ts'
import { tryToStore } from '#foundation/web/drafts.ts'
import { isRecord, propertyOf } from '#foundation/web/property.ts'
import { isViewing } from '#foundation/web/viewing.ts'

/** The key is also read by the frame (app/web/shell/frame.tsx), which then fetches the code of the notices beside the page. */
const KEY = 'notices'

/**
 * Returns the notices that this reader saw last, with which the next page begins. Without them each page would jump down by their height as
 * soon as the answer comes. They are kept until the session ends.
 */
export function keptNotices(): readonly Notice[] {
  const stored = parse(localStorage.getItem(KEY))
  const items = propertyOf(stored, 'items')
  const isMine = propertyOf(stored, 'reader') === storedSession.user()?.id
  return isMine && !isViewing() && Array.isArray(items) ? items.filter(isNotice) : []
}

export function keepNotices(items: readonly Notice[]): void {
  if (isViewing()) return
  const reader = storedSession.user()?.id
  if (items.length === 0 || reader === undefined) forgetNotices()
  else tryToStore(KEY, JSON.stringify({ reader, items }))
}

export const forgetNotices = (): void => localStorage.removeItem(KEY)

function parse(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null')
  } catch {
    return null
  }
}

/** True for a notice of the present shape: the browser may hold what another release stored. */
const isNotice = (value: unknown): value is Notice =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  kinds.some((kind) => kind === value['kind']) &&
  isTranslated(value['title']) &&
  isTranslated(value['text']) &&
  (value['resolution'] === null || isTranslated(value['resolution'])) &&
  ['starts_at', 'ends_at', 'resolved_at'].every(
    (name) => value[name] === null || typeof value[name] === 'string',
  )

const isTranslated = (value: unknown): boolean =>
  locales.every((locale) => typeof propertyOf(value, locale) === 'string')
