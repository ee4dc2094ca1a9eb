import { propertyOf } from '#foundation/web/property.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { Entry } from './palette-entry.ts'
import { icons, type IconName } from './palette-icons.ts'

type RecentPage = Extract<Entry, { to: string }> & { icon: IconName }

const MOST = 5

/** Returns the last pages that were opened by the palette in this tab, the latest first, because people often return to them. */
export function recentPages(): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPlace) : []
  } catch {
    return []
  }
}

export function rememberPage({ id, text, icon, detail, to }: Extract<Entry, { to: string }>): void {
  // The list of pages has those of staff in any case.
  if (typeof icon !== 'string') return
  const others = recentPages().filter((place) => place.id !== id)
  const kept = [{ id, text, icon, ...(detail ? { detail } : {}), to }, ...others].slice(0, MOST)
  try {
    sessionStorage.setItem(key(), JSON.stringify(kept))
  } catch {
    // If the storage is full or forbidden, nothing is remembered.
  }
}

// The list is stored by account, so that the next person at this screen does not see it.
const key = () => `recent:${storedSession.user()?.id ?? ''}`

const isPlace = (value: unknown): value is RecentPage =>
  ['id', 'text', 'to'].every((name) => typeof propertyOf(value, name) === 'string') &&
  Object.hasOwn(icons, String(propertyOf(value, 'icon')))
