import type { Handler } from '#foundation/server/http/handler.ts'
import { routes as desk } from '#features/support/desk/server/routes.ts'
import { routes as files } from '#features/support/files/server/routes.ts'
import { routes as messages } from '#features/support/messages/server/routes.ts'
import { routes as tickets } from '#features/support/tickets/server/routes.ts'

/** The handlers of all parts of support. */
export const routes: readonly Handler[] = [...tickets, ...files, ...messages, ...desk]
