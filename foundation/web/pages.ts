import type { ComponentType } from 'react'

/** A page of a feature, as `features/x/web/feature.tsx` lists it in `routes`. */
export type PageRoute = {
  /** The pattern of a path in `features/paths.ts`. A page of staff that only the menu leads to has its address here. */
  path: string
  /** `() => import('./profile-page.tsx').then((file) => file.ProfilePage)`: a chunk of its own. */
  page: () => Promise<ComponentType>
  /** Returns the document's title; called again when the language changes. Pages of staff set their title with `useTitle` instead. */
  title?: () => string
  /** False for pages that are shown without navigation, such as auth and logout (row R-09). */
  shell?: false
  /** For pages that show no menu button on small screens: those of a ticket and of a server (row R-11). */
  mobileHeader?: 'spacer'
  /**
   * For the page of a mail to people who cannot sign in: the sign-in page shows it as this view to whoever is not signed in (row R-07), with
   * the key of the mail's link.
   */
  authView?: string
  staffOnly?: never
  /**
   * Fills the cache when the pointer reaches a link to the page: `() => import('./hooks.ts').then((file) => file.prefetchHost())`. Settles
   * when the data of the first view is there. It is imported on demand, so that the sign-in page does not load the calls of all features.
   */
  prefetch?: (params: Record<string, string>) => Promise<unknown>
}

export type MenuGroup = 'customers' | 'money' | 'shop' | 'installation'

/** A page for staff, as `features/x/web/staff-feature.tsx` lists it. No customer's first page waits for that list. */
export type StaffPageRoute = Omit<PageRoute, 'staffOnly' | 'authView'> & {
  authView?: never
  /** People who are not staff, or do not hold this permission, see the error page of row G-04. */
  staffOnly: true | string
  /** The page's place in the menu and in the palette; `keys` is its shortcut (app/web/shell/shortcuts.tsx). */
  menu?: {
    text: () => string
    icon: ComponentType<{ size: number; 'aria-hidden': 'true'; className?: string }>
    /** The part of the menu in which the page stands; a page without one stands above all parts. */
    group?: MenuGroup
    keys?: string
  }
}
