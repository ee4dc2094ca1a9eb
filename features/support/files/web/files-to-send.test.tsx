import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { FilesToSend } from './files-to-send.ts'
import { draftFiles } from './draft-files.ts'

const UPLOAD = 'POST /api/attachments/'
const attachment = (name = 'a.txt') => ({
  id: name.padEnd(22, 'x').replace('.', '_'),
  name,
  type: 'text/plain',
  size: 5,
  preview: null,
})
const file = (name = 'a.txt', size = 5) => new File(['x'.repeat(size)], name)
const large = () => {
  const made = file('large.bin')
  Object.defineProperty(made, 'size', { value: 20 * 1024 * 1024 + 1 })
  return made
}
const uploads = async () => (await requests()).filter(({ method }) => method === 'POST')

beforeEach(async () => {
  localStorage.clear()
  storeUser({ id: 'a0000000-0000-4000-8000-000000000001', display: 'Anna' })
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await resetWire()
  await reply(UPLOAD, { status: 201, body: attachment() })
})

const settled = (files: FilesToSend) =>
  expect.poll(() => files.shown().all.every(({ done, error }) => done ?? error)).toBe(true)

describe('files of a message that is being written', () => {
  it('go up at once, as a form with one file and the access token', async () => {
    const files = new FilesToSend()
    files.add([file()])
    expect(files.shown().all).toMatchObject([{ name: 'a.txt', size: 5, share: 0 }])
    expect(await files.settled()).toEqual([attachment()])
    expect(files.shown().all).toMatchObject([{ share: 1, done: attachment() }])
    const [sent] = await uploads()
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(sent?.headers['authorization']).toMatch(/^Bearer /)
    expect(sent?.body).toContain('name="file"; filename="a.txt"')
  })

  it('that are too large or empty are not even sent, and trying again would not help', async () => {
    const files = new FilesToSend()
    files.add([large(), file('empty.txt', 0)])
    expect(files.shown().all.map(({ error }) => error?.code)).toEqual(['too_large', 'empty_file'])
    expect(await files.settled()).toBeUndefined()
    expect(await uploads()).toEqual([])
  })

  it('are ten at most, and a notice shows that more were left out', async () => {
    const files = new FilesToSend()
    files.add(Array.from({ length: 7 }, () => file()))
    files.add(Array.from({ length: 7 }, () => file()))
    expect(files.shown().all).toHaveLength(10)
    expect(files.shown().left_out).toBe(4)
    await settled(files)
    expect(await uploads()).toHaveLength(10)
  })

  it('that found no network go up again by hand, or when it is back', async () => {
    // A browser repeats a request by itself if a reused connection breaks, so one broken answer is not enough.
    await reply(UPLOAD, { status: 0 })
    const files = new FilesToSend()
    files.add([file()])
    await settled(files)
    expect(files.shown().all[0]?.error?.code).toBe('network')
    files.retry(files.shown().all[0]!.key)
    await settled(files)
    expect(files.shown().all[0]?.error?.code).toBe('network')
    await reply(UPLOAD, { status: 201, body: attachment() })
    files.retryUnreached()
    await settled(files)
    expect(files.shown().all[0]?.done).toEqual(attachment())
  })

  it('that the server refuses show the reason', async () => {
    await reply(UPLOAD, { status: 409, body: { errors: [{ code: 'too_many_uploads', message: '' }] } })
    const files = new FilesToSend()
    files.add([file()])
    await settled(files)
    expect(files.shown().all[0]?.error?.code).toBe('too_many_uploads')
  })

  it('can be cancelled while uploading, and the next continues', async () => {
    await reply(UPLOAD, { status: 201, body: attachment(), hold_ms: 3000 })
    const files = new FilesToSend()
    files.add(['1', '2', '3', '4'].map((name) => file(name)))
    await expect.poll(uploads).toHaveLength(3)
    await reply(UPLOAD, { status: 201, body: attachment('4') })
    files.remove(files.shown().all[0]!.key)
    expect(files.shown().all.map(({ name }) => name)).toEqual(['2', '3', '4'])
    await expect.poll(() => files.shown().all[2]?.done).toEqual(attachment('4'))
  })

  it('that are there outlive the page with the draft, until the message took them', async () => {
    const files = new FilesToSend('chat')
    files.add([file()])
    await settled(files)
    const after = new FilesToSend('chat')
    expect(after.shown().all).toMatchObject([{ name: 'a.txt', done: attachment() }])
    expect(new FilesToSend('other').shown().all).toEqual([])
    expect(after.take()).toEqual([attachment()])
    expect(new FilesToSend('chat').shown().all).toEqual([])
  })

  it('are offered no longer than the server keeps them, however often the draft is touched', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    draftFiles.write('chat', [attachment()])
    vi.setSystemTime(Date.now() + 22 * 3_600_000)
    draftFiles.write('chat', draftFiles.read('chat'))
    expect(draftFiles.read('chat')).toEqual([attachment()])
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    expect(draftFiles.read('chat')).toEqual([])
    vi.useRealTimers()
  })

  it('are not shown to the next account', () => {
    draftFiles.write('chat', [attachment()])
    storeUser({ id: 'a0000000-0000-4000-8000-000000000002', display: 'Mikhail' })
    expect(draftFiles.read('chat')).toEqual([])
  })
})
