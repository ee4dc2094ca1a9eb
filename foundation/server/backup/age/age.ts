import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  derived,
  unpadded,
  unwrapByIdentity,
  unwrapByPassphrase,
  wrapByPassphrase,
  wrapForRecipient,
  type Stanza,
} from './keys.ts'
import { openChunks, sealChunks } from './payload.ts'

// The file format of age (https://age-encryption.org/v1), which the `age` program reads and writes as well.
const INTRODUCTION = 'age-encryption.org/v1'
const NONE = Buffer.alloc(0)

export type SealedFor = { recipients: readonly string[] } | { passphrase: string }

export async function* seal(plain: AsyncIterable<Buffer>, sealedFor: SealedFor): AsyncGenerator<Buffer> {
  const key = randomBytes(16)
  const stanzas =
    'passphrase' in sealedFor
      ? [await wrapByPassphrase(key, sealedFor.passphrase)]
      : sealedFor.recipients.map((recipient) => wrapForRecipient(key, recipient))
  const head = `${INTRODUCTION}\n${stanzas.map(written).join('')}---`
  yield Buffer.from(`${head} ${unpadded(macOf(key, head))}\n`)
  const nonce = randomBytes(16)
  yield nonce
  yield* sealChunks(derived(key, nonce, 'payload'), plain)
}

// The body of both kinds of stanza has 43 characters, and so fits on one line.
const written = ({ words, body }: Stanza): string => `-> ${words.join(' ')}\n${unpadded(body)}\n`

const macOf = (key: Buffer, head: string): Buffer =>
  createHmac('sha256', derived(key, NONE, 'header'))
    .update(head)
    .digest()

/**
 * Returns the plain bytes; undefined if neither the passphrase nor an identity opens the file. Throws if the file is damaged or cut short.
 */
export async function open(
  sealed: AsyncIterable<Buffer>,
  by: { passphrase?: string | undefined; identities: readonly string[] },
): Promise<AsyncGenerator<Buffer> | undefined> {
  const source = sealed[Symbol.asyncIterator]()
  const { head, mac, stanzas, rest } = await readHead(source)
  const key = await keyIn(stanzas, by)
  if (!key) return undefined
  const expected = macOf(key, head)
  if (expected.length !== mac.length || !timingSafeEqual(expected, mac))
    throw new Error('The backup is damaged.')
  return payloadOf(key, rest, source)
}

async function keyIn(
  stanzas: readonly Stanza[],
  { passphrase, identities }: { passphrase?: string | undefined; identities: readonly string[] },
): Promise<Buffer | undefined> {
  for (const stanza of stanzas) {
    const byWords = passphrase === undefined ? undefined : await unwrapByPassphrase(stanza, passphrase)
    const key = byWords ?? identities.map((one) => unwrapByIdentity(stanza, one)).find(Boolean)
    if (key) return key
  }
  return undefined
}

async function* payloadOf(key: Buffer, first: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let begin = first
  while (begin.length < 16) {
    const next = await source.next()
    if (next.done) throw new Error('The backup is cut short.')
    begin = Buffer.concat([begin, next.value])
  }
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield begin.subarray(16)
    for (;;) {
      const next = await source.next()
      if (next.done) return
      yield next.value
    }
  }
  yield* openChunks(derived(key, begin.subarray(0, 16), 'payload'), rest())
}

const LONGEST_HEAD = 1 << 16

async function readHead(source: AsyncIterator<Buffer>) {
  let read = NONE
  for (;;) {
    const text = read.toString('latin1')
    const end = /\n--- ([\w+/]{43})\n/.exec(text)
    if (end) {
      const head = text.slice(0, end.index + 4)
      const mac = Buffer.from(end[1] ?? '', 'base64')
      return { head, mac, stanzas: stanzasIn(head), rest: read.subarray(end.index + end[0].length) }
    }
    const next = await source.next()
    if (next.done || read.length > LONGEST_HEAD) throw new Error('The backup is cut short.')
    read = Buffer.concat([read, next.value])
  }
}

/** Returns the stanzas of all kinds; `unwrapBy…` skips the kinds that it does not know. */
const stanzasIn = (head: string): Stanza[] =>
  [...head.matchAll(/^-> (.+)\n((?:[\w+/]{64}\n)*[\w+/]*)$/gm)].map(([, words = '', body = '']) => ({
    words: words.split(' '),
    body: Buffer.from(body, 'base64'),
  }))
