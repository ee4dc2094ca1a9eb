import * as answers from '#features/support/answers/web/staff-feature.tsx'
import * as desk from '#features/support/desk/web/staff-feature.tsx'
import * as mail from '#features/support/mail/web/staff-feature.tsx'
import * as messages from '#features/support/messages/web/staff-feature.tsx'
import * as ratings from '#features/support/ratings/web/staff-feature.tsx'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export { live, slots } from '#features/support/desk/web/staff-feature.tsx'

export const routes: readonly StaffPageRoute[] = [
  ...messages.routes,
  ...desk.routes,
  ...mail.routes,
  ...answers.routes,
  ...ratings.routes,
]
