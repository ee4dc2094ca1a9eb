import type { PageRoute } from '#foundation/web/pages.ts'
import { routes as messages } from '#features/support/messages/web/routes.tsx'
import { routes as tickets } from '#features/support/tickets/web/routes.tsx'

/** The pages of all parts of support for customers. */
export const routes: readonly PageRoute[] = [...tickets, ...messages]
