import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

/** Row R-04: `/support/…` is another name of the same pages. */
export const routes: readonly PageRoute[] = [paths.tickets, paths.support].map(({ pattern }) => ({
  path: pattern,
  page: () => import('./tickets-user-page.tsx').then((file) => file.TicketsUserPage),
  title: m.tickets_title,
}))
