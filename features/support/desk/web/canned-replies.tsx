import MessageSquareQuote from 'lucide-react/icons/message-square-quote'
import type { Writing } from '#features/support/messages/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { hasActs } from './acts-text.ts'
import { doMacro, PlannedActs } from './planned-acts.tsx'
import { useMarkedPicker } from './use-marked-picker.ts'

const ReplyPicker = lazyPart(() => import('./reply-picker.tsx').then((file) => file.ReplyPicker))

/** The button that opens the picker of canned replies; `/` at the beginning of a line opens the picker, too. */
export function CannedReplies({ ticket, writing }: { ticket: Ticket; writing: Writing }) {
  const picker = useMarkedPicker('/', ReplyPicker, writing)
  const { plan } = writing
  const choose = (words: string, acts: Acts) => {
    picker.choose(words)
    if (!hasActs(acts)) return
    // A note goes by itself: its text is there to change, and the acts are done at once.
    if (plan) plan.planActs(acts)
    else void doMacro(ticket, acts)
  }
  return (
    <>
      <Button
        size="small"
        look="quiet"
        icon={<MessageSquareQuote size={15} aria-hidden="true" />}
        title={m.desk_replies_hint()}
        {...picker.opener}
      >
        {m.desk_replies()}
      </Button>
      {plan?.acts ? (
        <PlannedActs ticket={ticket} acts={plan.acts} onDrop={() => plan.planActs(undefined)} />
      ) : null}
      {picker.open ? (
        <ReplyPicker
          open
          onClose={() => picker.leave('')}
          onLeave={picker.leave}
          onChoose={choose}
          ticket={ticket}
        />
      ) : null}
    </>
  )
}
