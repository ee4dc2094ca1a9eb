import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { tarEnd, tarEntries, tarEntry, type Entry } from './tar.ts'

it('gives back names and contents, also of a name that fills its field of 100 bytes', async () => {
  const entries = ['rows', 'é'.repeat(50), 'n'.repeat(100)].map((name) => ({ name, body: Buffer.from(name) }))
  const archive = Readable.from([...entries.flatMap((entry) => tarEntry(entry, new Date())), tarEnd()])
  const read: Entry[] = []
  for await (const entry of tarEntries(archive)) read.push(entry)
  expect(read).toEqual(entries)
})

it('refuses a name that is longer', () => {
  const entry = { name: 'n'.repeat(101), body: Buffer.alloc(0) }
  expect(() => tarEntry(entry, new Date())).toThrow('too long')
})
