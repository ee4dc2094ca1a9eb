import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { routes as desk } from '#features/support/desk/web/staff-routes.tsx'
import { routes as messages } from '#features/support/messages/web/staff-routes.tsx'

/** The pages of all parts of support for staff. */
export const routes: readonly StaffPageRoute[] = [...messages, ...desk]
