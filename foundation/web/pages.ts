import type { ComponentType } from 'react'

/** A page of a feature, as `features/x/web/routes.tsx` lists it in `routes`. */
export type PageRoute = {
  /** The pattern of a path in `features/paths.ts`. */
  path: string
  /** `() => import('./profile-page.tsx').then((file) => file.ProfilePage)`: a chunk of its own. */
  page: () => Promise<ComponentType>
  /** The document's title; asked again when the language changes. Pages of staff give their own (`useTitle`). */
  title?: () => string
  /** Auth and logout are shown without navigation (row R-09). */
  shell?: false
  /** Chats and the host's details show no menu button on small screens (row R-11). */
  mobileHeader?: 'spacer'
  staffOnly?: never
  /**
   * Fills the cache when the pointer comes near a link: `() => import('./hooks.ts').then((file) => file.prefetchHost())`.
   * Settles when what one sees first is there. Imported late, so that the login page does not carry every feature's calls.
   */
  prefetch?: (params: Record<string, string>) => Promise<unknown>
}

/** A page for staff, as `features/x/web/staff-routes.tsx` lists it. The browsers of customers never load that list. */
export type StaffPageRoute = Omit<PageRoute, 'staffOnly'> & {
  /** Others than staff, or than those who hold this permission, get the error page of row G-04. */
  staffOnly: true | string
}
