import { expect, it } from 'vitest'
import { liveEvent } from '#foundation/contract.ts'
import type { LiveEvent } from './live-event.ts'

it('the name of a live event comes from a contract: a text by itself does not compile', () => {
  const known: LiveEvent = { type: liveEvent('thing.changed'), id: 1 }
  // @ts-expect-error -- the name is a misspelt text: the event is called thing.changed
  const misspelt: LiveEvent = { type: 'thing.chnaged', id: 1 }
  expect([known.type, misspelt.type]).toEqual(['thing.changed', 'thing.chnaged'])
})
