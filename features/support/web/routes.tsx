import type { PageRoute } from '#foundation/web/pages.ts'
import { routes as desk } from '#features/support/desk/web/routes.tsx'
import { routes as messages } from '#features/support/messages/web/routes.tsx'
import { routes as tickets } from '#features/support/tickets/web/routes.tsx'

/** The pages of all parts. */
export const routes: readonly PageRoute[] = [...tickets, ...messages, ...desk]
