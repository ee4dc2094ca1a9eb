import { useMemo, useRef } from 'react'
import {
  readAnswerTimes,
  type AnswerTimes,
  type changeAnswerCalendar,
  type changeAnswerTargets,
} from '#features/support/answers/contract.ts'
import type { Answer } from '#foundation/web/api/answer.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

type Saved = Answer<typeof changeAnswerCalendar> | Answer<typeof changeAnswerTargets>

/**
 * The times as a form shows them, which must stay the same object while they are the same. `known` are the latest times that a save was
 * told of, on which the next try builds: what others changed meanwhile stays theirs. `typedOf` must stay the same function.
 */
export function useTyped<Typed>(times: AnswerTimes, typedOf: (times: AnswerTimes) => Typed) {
  const saved = useMemo(() => typedOf(times), [times, typedOf])
  const latest = useRef(times)
  const asForm = (answer: Saved) => {
    if (answer.status === 200) return { ...answer, body: typedOf(answer.body) }
    if (answer.status !== 409) return answer
    latest.current = answer.body.present
    return { ...answer, body: { ...answer.body, present: typedOf(answer.body.present) } }
  }
  return { saved, known: () => typedOf(latest.current), asForm }
}

/** The refusal of fields that cannot be read, in the form of the server’s own. */
export const invalid = (params: readonly string[]) => ({
  status: 400,
  body: undefined,
  errors: params.map((param) => ({ code: 'invalid' as const, param })),
})

/** Ends a form of the times: they are read anew, and what was saved is told of. */
export const endedBy = (onClose: () => void) => (saved: object | undefined) => {
  refreshQueries(readAnswerTimes)
  if (saved) toastSuccess(() => m.answers_saved())
  onClose()
}
