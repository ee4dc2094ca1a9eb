import * as files from '#features/support/files/web/feature.tsx'
import * as mail from '#features/support/mail/web/feature.tsx'
import * as messages from '#features/support/messages/web/feature.tsx'
import * as tickets from '#features/support/tickets/web/feature.tsx'
import type { PageRoute } from '#foundation/web/pages.ts'
import type { SlotEntry } from '#foundation/web/slots.tsx'

export const routes: readonly PageRoute[] = [...tickets.routes, ...messages.routes]

export const slots: readonly SlotEntry[] = [
  ...tickets.slots,
  ...messages.slots,
  ...files.slots,
  ...mail.slots,
]

export const live = async () => (await Promise.all([tickets.live(), messages.live(), mail.live()])).flat()
