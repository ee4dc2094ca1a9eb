import { Suspense } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import { addressOf } from './ticket-address.ts'

const UndoMerge = lazyPart<{ ticket: Ticket }>(() =>
  import('./merged-parts.tsx').then((file) => file.UndoMerge),
)

/**
 * The notice on a ticket that was merged: where it goes on, and for staff the undoing. Its words come with the page: how many lines they take
 * is known in no other way, and the messages above them would move.
 */
export function MergedNotice({ ticket, by_staff }: { ticket: Ticket; by_staff: boolean }) {
  const { merged_into } = ticket
  if (!merged_into) return null
  const number = String(merged_into.number)
  return (
    <Alert>
      <div className="flex flex-wrap items-center gap-2">
        <span>{m.messages_merged_into({ number })}</span>
        <TextLink to={addressOf(merged_into.id, by_staff)}>{m.messages_to_ticket({ number })}</TextLink>
        {by_staff ? (
          <Suspense fallback={<div className="h-8" />}>
            <UndoMerge ticket={ticket} />
          </Suspense>
        ) : null}
      </div>
    </Alert>
  )
}
