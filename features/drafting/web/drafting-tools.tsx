import { useQuery } from '@tanstack/react-query'
import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
import { draftText, getDrafting } from '#features/drafting/contract.ts'
import type { Kind } from '#features/drafting/rules.ts'
import type { Writing } from '#features/support/messages/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

type Props = { ticket: Ticket; writing: Writing }

/** The buttons by which the operator's model drafts an answer, sums up a ticket, or translates; nothing where it may not see this ticket. */
export function DraftingTools({ ticket, writing }: Props) {
  const { data } = useQuery({ ...queryFor(getDrafting), staleTime: Infinity })
  if (!data?.is_on || !data.topics.includes(ticket.topic)) return null
  return <Tools ticket={ticket} writing={writing} />
}

type Shown = { kind: Exclude<Kind, 'draft'>; text: string }

function Tools({ ticket, writing }: Props) {
  const language = useLocale()
  const [shown, setShown] = useState<Shown>()
  const [running, setRunning] = useState<Kind>()
  const act = useAct(async (kind: Kind) => {
    setRunning(kind)
    const answer = await call(draftText, { params: { chatId: ticket.id }, body: { kind, language } })
    setRunning(undefined)
    if (answer.status !== 200) {
      toastError(m.drafting_failed, answer)
      return
    }
    const { text, sources } = answer.body
    if (kind === 'draft') writing.insert([text, ...sources.map(linkTo)].join('\n'))
    else setShown({ kind, text })
  })
  return (
    <>
      {KINDS.map((kind) => (
        <Button
          key={kind}
          size="small"
          look="quiet"
          icon={kind === 'draft' ? <Sparkles size={15} aria-hidden="true" /> : undefined}
          title={m.drafting_hint()}
          pending={act.pending && running === kind}
          aria-disabled={act.pending}
          onClick={() => act.run(kind)}
        >
          {TEXTS[kind]()}
        </Button>
      ))}
      {shown ? (
        <Dialog
          open
          wide
          onClose={() => setShown(undefined)}
          title={shown.kind === 'summary' ? m.drafting_summary() : m.drafting_translation()}
        >
          <p dir="auto" className="max-h-[70dvh] overflow-y-auto text-sm whitespace-pre-wrap">
            {shown.text}
          </p>
          <p className="mt-4 text-xs text-muted">{m.drafting_by_model()}</p>
        </Dialog>
      ) : null}
    </>
  )
}

const linkTo = ({ title, url }: { title: string; url: string }) => `\n[${title}](${url})`

const KINDS: readonly Kind[] = ['draft', 'summary', 'translation']
const TEXTS: Readonly<Record<Kind, () => string>> = {
  draft: m.drafting_draft,
  summary: m.drafting_sum_up,
  translation: m.drafting_translate,
}
