import { useRef } from 'react'
import { newId } from '#foundation/web/new-id.ts'

type Header = { 'idempotency-key': string }

/**
 * Gives each intention one idempotency key (rule 10): `const send = useIntention()`, then `send(content, (headers) => call(…))`. The same
 * content is sent again with the same key while it is unknown if it took effect: after a lost connection, or an answer from 500 on.
 * Other content gets a new key, and so does the same content after any other answer.
 */
export function useIntention() {
  const kept = useRef<{ key: string; content: string }>(undefined)
  return async <A extends { status: number }>(
    content: unknown,
    send: (headers: Header) => Promise<A>,
  ): Promise<A> => {
    const text = JSON.stringify(content)
    if (kept.current?.content !== text) kept.current = { key: newId(), content: text }
    const answer = await send({ 'idempotency-key': kept.current.key })
    if (isSettled(answer.status)) kept.current = undefined
    return answer
  }
}

const isSettled = (status: number): boolean => status > 0 && status < 500
