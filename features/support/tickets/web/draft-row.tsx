import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { ticketDraft, useDraftTitle } from './ticket-draft.ts'

/** The row above the list for a new ticket that is half written, with buttons to continue it and to discard it. */
export function DraftRow({ onContinue }: { onContinue: () => void }) {
  const title = useDraftTitle()
  if (title === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed border-line-strong px-5 py-3 text-sm">
      <p dir="auto" className="min-w-0 flex-1 basis-48 truncate">
        {title === '' ? m.tickets_draft_untitled() : m.tickets_draft({ subject: title })}
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={onContinue}>
          {m.tickets_draft_continue()}
        </Button>
        <Button size="small" look="quiet" onClick={() => ticketDraft.forget()}>
          {m.tickets_draft_discard()}
        </Button>
      </div>
    </div>
  )
}
