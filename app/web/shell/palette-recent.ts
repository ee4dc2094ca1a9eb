import { propertyOf } from '#foundation/web/property.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { Entry } from './palette-entry.ts'
import { icons } from './palette-icons.ts'

type RecentPage = Extract<Entry, { to: string }>

const MOST = 5

/** Pages opened by the palette in this window, the latest first: people go back and forth between a few things. */
export function recentPages(): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPlace) : []
  } catch {
    return []
  }
}

export function rememberPage({ id, text, icon, detail, to }: RecentPage): void {
  const others = recentPages().filter((place) => place.id !== id)
  const kept = [{ id, text, icon, ...(detail ? { detail } : {}), to }, ...others].slice(0, MOST)
  try {
    sessionStorage.setItem(key(), JSON.stringify(kept))
  } catch {
    // A full or forbidden storage remembers nothing.
  }
}

// By account: the next person at this window does not see it.
const key = () => `recent:${storedSession.user()?.id ?? ''}`

const isPlace = (value: unknown): value is RecentPage =>
  ['id', 'text', 'to'].every((name) => typeof propertyOf(value, name) === 'string') &&
  Object.hasOwn(icons, String(propertyOf(value, 'icon')))
