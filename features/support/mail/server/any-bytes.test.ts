import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { aboutMail } from './mail.ts'
import { readBody, readHead } from './take-apart.ts'

// The same bytes in each run (xorshift32).
let state = 20_261_130
const random = (below: number): number => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}
const noise = (length: number) => Buffer.from(Array.from({ length }, () => random(256)))

const types = [
  'text/plain; charset=utf-8',
  'text/plain; charset=utf-16le',
  'text/plain; charset=nonsense',
  'text/html; charset=koi8-r',
  'multipart/mixed; boundary=x',
  'multipart/report; report-type=delivery-status; boundary=x',
  'application/ms-tnef; name="winmail.dat"',
  'message/rfc822',
]

/** Bytes of every kind: pure noise, and mails with noise in them, or from which a piece is cut. */
function bytesOf(place: number): Buffer {
  if (place % 4 === 0) return noise(1 + random(600))
  const type = must(types[random(types.length)])
  const text =
    place % 3 === 0 ? noise(200).toString('latin1') : '--x\r\nContent-Type: text/html\r\n\r\n<p>Hi\0\r\n--x--'
  const mail = rawMail({ type, text, subject: noise(20).toString('latin1') })
  const at = random(mail.length)
  const rest = mail.subarray(at + random(40))
  return Buffer.concat([mail.subarray(0, at), noise(random(30)), rest])
}

it('K-05 whatever comes in is read as text that can be kept, or as nothing, and never ends the program', async () => {
  let read = 0
  for (let place = 0; place < 2000; place += 1) {
    const bytes = bytesOf(place)
    const [facts, body] = [
      await readHead(bytes, 'mx.example.com').catch(() => undefined),
      await readBody(bytes).catch(() => undefined),
    ]
    if (facts && body) read += 1
    const { file_names, ...texts } = aboutMail({ facts, body })
    const kept = [...Object.values(texts), ...file_names, body?.returned?.reason, body?.returned?.message_id]
    const odd = kept.filter(
      (text) => typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()),
    )
    expect(odd, `${place}: ${bytes.toString('base64')}`).toEqual([])
  }
  expect(read).toBeGreaterThan(1000)
})

it('K-05 bytes that are no mail are stored to the byte and held, and the same bytes again are one', async () => {
  const test = await startTestApp({ settings: mailInSettings })
  const given = Array.from({ length: 12 }, (_, place) => bytesOf(place * 4))
  for (const bytes of [...given, ...given]) await comes(test, bytes)
  const rows = (await asOwner(
    test,
    `select state, content from received_mails order by received_at, id`,
  )) as {
    state: string
    content: Buffer
  }[]
  expect(rows.map((row) => row.state)).toEqual(given.map(() => 'held'))
  expect(new Set(rows.map(({ content }) => content.toString('hex')))).toEqual(
    new Set(given.map((bytes) => bytes.toString('hex'))),
  )
})
