import { useRef } from 'react'
import { newId } from '#foundation/web/new-id.ts'

type Header = { 'idempotency-key': string }

/**
 * One key for one intention (rule 10). `const send = useIntention()`, then `send(content, (headers) => call(…))`: the key
 * is made for this content and sent again as long as nobody knows whether it took effect, after a cut line or a fault of
 * the server. Other content, or an answer that settles it, is followed by a new key.
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
