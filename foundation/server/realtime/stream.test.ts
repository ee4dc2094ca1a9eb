import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { openStream, whisper } from './stream.ts'

const kB = 1024

/** A reader who takes nothing until told so. */
function slowReader() {
  let take = () => {}
  const out = new Writable({ highWaterMark: 16 * kB, write: (_chunk, _encoding, done) => void (take = done) })
  const reader = { session_id: 1n, generation: 1, user_id: 'a', is_staff: false, in_staff_network: true }
  const stream = openStream({ ...reader, tab: undefined, after: undefined }, out)
  const send = (size: number) => whisper(stream, 'test.said', { word: 'x'.repeat(size) })
  const takeAll = async () => {
    while (out.writableLength > 0) {
      take()
      await new Promise(setImmediate)
    }
  }
  return { out, send, takeAll }
}

it('rule 29: a large piece is no reason to cut a reader off, what comes while they do not take it is', async () => {
  const { out, send } = slowReader()
  send(2000 * kB)
  send(100 * kB)
  send(100 * kB)
  expect(out.destroyed).toBe(false)
  send(100 * kB)
  expect(out.destroyed).toBe(true)
})

it('rule 29: a reader who takes it all now and then is not cut off', async () => {
  const { out, send, takeAll } = slowReader()
  for (let round = 0; round < 5; round += 1) {
    send(150 * kB)
    send(150 * kB)
    await takeAll()
  }
  expect(out.destroyed).toBe(false)
})
