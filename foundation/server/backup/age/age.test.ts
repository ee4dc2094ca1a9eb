import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { open, seal } from './age.ts'
import { isRecipient } from './keys.ts'

// The tests compare our code with `age-encryption`, the library by the author of age.
const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)
const other = await generateX25519Identity()

const all = async (parts: AsyncIterable<Buffer>) => Buffer.concat(await Readable.from(parts).toArray())
const inParts = (bytes: Buffer) =>
  Readable.from([bytes.subarray(0, 10), bytes.subarray(10)], { objectMode: false })
const openedBy = async (sealed: Buffer, identities: string[], passphrase?: string) => {
  const plain = await open(inParts(sealed), { identities, passphrase })
  return plain && all(plain)
}

const SIZES = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]

describe.each(SIZES)('%i bytes', (size) => {
  const plain = randomBytes(size)

  it('what our code seals, the age library and our code both open', async () => {
    const sealed = await all(
      seal(inParts(plain), { recipients: [await identityToRecipient(other), recipient] }),
    )
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    expect(Buffer.from(await decrypter.decrypt(sealed)).equals(plain)).toBe(true)
    expect((await openedBy(sealed, [identity]))?.equals(plain)).toBe(true)
  })

  it('what the library seals, we open', async () => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(recipient)
    const sealed = Buffer.from(await encrypter.encrypt(plain))
    expect((await openedBy(sealed, [other, identity]))?.equals(plain)).toBe(true)
    expect(await openedBy(sealed, [other])).toBeUndefined()
  })
})

it('opens by a passphrase what either side sealed by it', async () => {
  const plain = Buffer.from('hello')
  const ours = await all(seal(inParts(plain), { passphrase: 'some words' }))
  // Our own code opens it, because the library would take ten seconds.
  expect(await openedBy(ours, [], 'some words')).toEqual(plain)
  const encrypter = new Encrypter()
  encrypter.setPassphrase('some words')
  encrypter.setScryptWorkFactor(12)
  expect(await openedBy(Buffer.from(await encrypter.encrypt(plain)), [], 'some words')).toEqual(plain)
  expect(await openedBy(ours, [], 'other words')).toBeUndefined()
})

it('sees every change of a byte, and a missing end', async () => {
  const sealed = await all(seal(inParts(randomBytes(70_000)), { recipients: [recipient] }))
  const tried = [30, 60, 120, 160, 180, 190, 220, 40_000, sealed.length - 1]
  for (const place of tried) {
    const damaged = Buffer.from(sealed)
    damaged[place] = (damaged[place] ?? 0) ^ 1
    const plain = await openedBy(damaged, [identity]).catch(() => undefined)
    expect(plain, `byte ${place}`).toBeUndefined()
  }
  // The third length cuts the file between two chunks, so that each chunk that is left is whole.
  const head = sealed.length - 16 - (70_000 + 32)
  for (const length of [100, head + 16, head + 16 + 65_552, sealed.length - 1])
    await expect(openedBy(sealed.subarray(0, length), [identity])).rejects.toThrow('cut short')
})

it('knows public keys', async () => {
  expect(isRecipient(recipient)).toBe(true)
  expect(isRecipient(recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')))).toBe(false)
  expect(isRecipient(identity)).toBe(false)
  expect(isRecipient('age1')).toBe(false)
})
