import { useEffect } from 'react'
import { afterEach, expect, it } from 'vitest'
import { render } from '#tests/web/render.tsx'
import { useMarkRead } from './hooks.ts'

const realFetch = globalThis.fetch
afterEach(() => void (globalThis.fetch = realFetch))

// Seen red: the mark of an own message was sent, and the mark of the answer then waited for two seconds.
it('sends the mark of a message by somebody else at once, also after one of the reader’s own', async () => {
  const sent: unknown[] = []
  globalThis.fetch = async (_, init) => {
    sent.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined)
    return new Response(null, { status: 204 })
  }
  function Reader() {
    const raise = useMarkRead('c'.repeat(22))
    useEffect(() => {
      raise(5, false)
      raise(6, true)
      raise(7, false)
    }, [raise])
    return null
  }
  await render(<Reader />)
  await expect.poll(() => sent).toEqual([{ seq: 6 }])
  // The page is left.
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
  await expect.poll(() => sent).toEqual([{ seq: 6 }, { seq: 7 }])
})
