import { paths } from '#features/paths.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getRating, rateTicket, type TicketRating } from '#features/support/ratings/contract.ts'
import { faces, LONGEST_WORD, type Face } from '#features/support/ratings/rules.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { onlyReads } from '#foundation/web/acting.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { FaceMark, faceParts } from './faces.tsx'
import { WaitingQuestion, questionHeight } from './waiting-question.tsx'

/** Asks the customer of a closed ticket how they found the answers, and shows their rating, which they may change. */
export function RateTicket({ ticket }: { ticket: Ticket }) {
  const query = useQuery(queryFor(getRating, { params: { chatId: ticket.id } }))
  // A link in the mail about the closing names a face.
  const linked = useQueryValue('rate')
  const [chosen, setChosen] = useState(onlyReads() ? undefined : faces.find((face) => face === linked))
  const go = useGo()
  const close = () => {
    setChosen(undefined)
    if (linked !== undefined) void go(paths.ticket(ticket.id), { replace: true, resetScroll: false })
  }
  if (!query.data) return query.isPending ? <WaitingQuestion /> : null
  const { rating } = query.data
  return (
    <section
      aria-label={m.ratings_question()}
      className={classNames(
        'flex flex-wrap content-center items-center gap-x-4 gap-y-2 text-sm',
        questionHeight,
      )}
    >
      <p className="font-medium">{rating ? m.ratings_yours() : m.ratings_question()}</p>
      {rating ? <FaceMark face={rating.face} /> : null}
      {onlyReads() ? null : (
        <div className="flex flex-wrap gap-2">
          {faces
            .filter((face) => face !== rating?.face)
            .map((face) => {
              const { icon: Icon, text, tone } = faceParts[face]
              return (
                <Button
                  key={face}
                  size="small"
                  icon={<Icon size={16} aria-hidden="true" className={tone} />}
                  onClick={() => setChosen(face)}
                >
                  {rating ? m.ratings_instead({ face: text() }) : text()}
                </Button>
              )
            })}
        </div>
      )}
      {chosen ? <Say ticket={ticket} face={chosen} before={query.data} onClose={close} /> : null}
    </section>
  )
}

type SayProps = { ticket: Ticket; face: Face; before: TicketRating; onClose: () => void }

/** The word that goes with a face; none is needed. */
function Say({ ticket, face, before, onClose }: SayProps) {
  const params = { chatId: ticket.id }
  const form = useForm(async (fields) => {
    const answer = await call(rateTicket, { params, body: { face, word: fields.text('word').trim() } })
    if (answer.status !== 200) return answer
    keepAnswer(answer, keyOf(getRating, { params }), answer.body)
    toastSuccess(before.rating ? m.ratings_changed : m.ratings_thanks)
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={m.ratings_question()}
      description={before.rating ? m.ratings_again_text() : m.ratings_text()}
      form={form}
      act={m.ratings_send()}
      label={m.ratings_question()}
    >
      <p className="font-medium">
        <FaceMark face={face} />
      </p>
      <TextAreaField
        name="word"
        label={m.ratings_word()}
        hint={m.ratings_word_hint()}
        most={LONGEST_WORD}
        rows={3}
        defaultValue={before.rating?.word}
      />
    </FormDialog>
  )
}
