import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

/** Row R-04: `/support/…` is another name of the same pages. */
export const routes: readonly PageRoute[] = ['/tickets', '/support'].map((path) => ({
  path,
  page: () => import('./tickets-user-page.tsx').then((file) => file.TicketsUserPage),
  title: m.tickets_title,
}))
