import { paths } from '#features/paths.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { propertyOf } from '#foundation/web/property.ts'
import { VIEWING } from '#foundation/web/viewing.ts'

/** A view of an account, as its tab keeps it: it outlives reloads and ends with the tab. */
export type StoredView = { id: string; expires_at: string; user_id: string; name: string }

export function storedView(): StoredView | undefined {
  try {
    const view: unknown = JSON.parse(sessionStorage.getItem(VIEWING) ?? '')
    return isView(view) ? view : undefined
  } catch {
    return undefined
  }
}

const isView = (view: unknown): view is StoredView => typeof propertyOf(view, 'id') === 'string'

// Both functions load the page anew, so that no data of the customer or of the member stays in sight or in memory for the other.

export function enterView(view: StoredView): void {
  sessionStorage.setItem(VIEWING, JSON.stringify(view))
  window.location.assign(PAGES_BASE + paths.hosts())
}

/** Ends the view and leads back to the page on which it began. */
export function leaveView(user_id?: string): void {
  sessionStorage.removeItem(VIEWING)
  window.location.assign(PAGES_BASE + (user_id === undefined ? paths.customers() : paths.customer(user_id)))
}
