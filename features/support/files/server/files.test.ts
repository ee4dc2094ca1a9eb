import { MOST_BYTES, MOST_UNUSED_BYTES } from '#features/support/files/rules.ts'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { download, sendForm, upload, type Refused } from '#tests/harness/upload.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const folder = path.join(test.app.config.dataDir, 'files')
const incoming = () =>
  existsSync(path.join(folder, 'incoming')) ? readdirSync(path.join(folder, 'incoming')) : []
/**
 * Returns the files in `incoming` that this process has open; empty on a system without /proc. An open folder is left out, because a sweep
 * reads the folder.
 */
const openFiles = () =>
  !existsSync('/proc/self/fd')
    ? []
    : readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          const file = readlinkSync(`/proc/self/fd/${fd}`)
          return file.startsWith(path.join(folder, 'incoming/')) ? [file] : []
        } catch {
          return []
        }
      })
const code = (reply: { body: unknown }) => (reply.body as Refused).errors[0]?.code

describe('an upload', () => {
  it('is returned byte for byte, as a download with every guard', async () => {
    const { api } = await signedInCustomer(test)
    const bytes = randomBytes(300_000)
    const { status, body } = await upload(api, bytes, 'Größe und "Zeichen".bin')
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Größe und "Zeichen".bin', size: 300_000, preview: null })
    expect(body.id).toMatch(/^[\w-]{22}$/)
    const kept = await download(api, body.id)
    expect(kept.status).toBe(200)
    expect(kept.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(kept.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
      'content-disposition': `attachment; filename="Gro__e und _Zeichen_.bin"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20und%20%22Zeichen%22.bin`,
    })
    expect((await download(api, body.id, 'preview')).status).toBe(404)
    expect(incoming()).toEqual([])
  })

  it("of a picture has a redrawn preview, upright and without the camera's metadata", async () => {
    const { api } = await signedInCustomer(test)
    const photo = await sharp({ create: { width: 4000, height: 2000, channels: 3, background: 'teal' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await upload(api, photo, 'photo.jpg')
    expect(body).toMatchObject({ type: 'image/jpeg', preview: { width: 800, height: 1600 } })
    const preview = await download(api, body.id, 'preview')
    expect(preview.headers.get('content-type')).toBe('image/webp')
    expect(preview.headers.get('content-disposition')).toBe('inline')
    expect(preview.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    )
    expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'webp', width: 800, height: 1600 })
    expect(preview.bytes.includes('SECRET-PLACE')).toBe(false)
    expect((await sharp(preview.bytes).metadata()).exif).toBeUndefined()
    // The original is unchanged.
    expect((await download(api, body.id)).bytes.equals(photo)).toBe(true)
  })

  it.each(['png', 'webp', 'gif', 'avif'] as const)('of a %s has a preview', async (format) => {
    const { api } = await signedInCustomer(test)
    const picture = await sharp({ create: { width: 40, height: 30, channels: 4, background: 'red' } })
      .toFormat(format)
      .toBuffer()
    const { body } = await upload(api, picture, 'x')
    expect(body).toMatchObject({ type: `image/${format}`, preview: { width: 40, height: 30 } })
  })

  it('of exactly 20 MB is accepted, and an upload of one byte more gets 413 and leaves no file behind', async () => {
    const { api } = await signedInCustomer(test)
    expect((await upload(api, new Uint8Array(MOST_BYTES))).status).toBe(201)
    const before = readdirSync(folder).length
    // Undici sends a length, so this body is refused by its announced length; the next test sends no length.
    const refused = await upload<Refused>(api, new Uint8Array(MOST_BYTES + 1))
    expect([refused.status, code(refused)]).toEqual([413, 'too_large'])
    expect(incoming()).toEqual([])
    expect(readdirSync(folder)).toHaveLength(before)
  })

  it.each([
    ['nothing', () => upload<Refused>(api, ''), 400, 'empty_file'],
    ['no file', () => sendForm(api, new FormData()), 400, 'one_file'],
    ['two files', () => sendForm(api, formOf(['a', 'b'])), 400, 'one_file'],
    ['three files', () => sendForm(api, formOf(['a', 'b', 'c'])), 400, 'one_file'],
    ['a field beside it', () => sendForm(api, formOf(['a'], { more: 'x' })), 400, 'one_file'],
    ['a field before it', () => sendForm(api, fieldFirst()), 400, 'one_file'],
    [
      'JSON',
      () => sendForm(api, '{}', { 'content-type': 'application/json' }),
      415,
      'unsupported_media_type',
    ],
    ['a page', () => sendForm(api, 'x', { 'content-type': 'text/html' }), 415, 'unsupported_media_type'],
    [
      'a form without a boundary',
      () => sendForm(api, 'x', { 'content-type': 'multipart/form-data' }),
      400,
      'invalid',
    ],
    [
      'a form that breaks off',
      () => sendForm(api, broken, { 'content-type': `multipart/form-data; boundary=x` }),
      400,
      'invalid',
    ],
  ] as const)('%s is refused', async (_what, send, status, says) => {
    const refused = await send()
    expect([refused.status, code(refused)]).toEqual([status, says])
    expect(incoming()).toEqual([])
  })

  // Seen red: a file that was still being created appeared after it had been removed.
  it('of a form that breaks off nothing is left, nor still being made, once it is refused', async () => {
    const form = { 'content-type': `multipart/form-data; boundary=x` }
    for (let round = 0; round < 50; round += 1) {
      const { status } = await sendForm(api, broken, form)
      // A file that is removed already may still be closing.
      expect([status, ...openFiles().filter((file) => !file.endsWith(' (deleted)'))].join(' ')).toBe('400')
    }
    expect(incoming()).toEqual([])
    await expect.poll(openFiles).toEqual([])
  })

  it('takes no more once too much waits for a message', async () => {
    const { api, user_id } = await signedInCustomer(test)
    expect((await upload(api, new Uint8Array(2))).status).toBe(201)
    // The file now counts as 25 files of the maximum size: an upload is accepted while exactly so many bytes wait for a message, and
    // refused at one byte more.
    await transaction(test.app, 'system', (tx) =>
      tx
        .updateTable('attachments')
        .set({ size: BigInt(MOST_UNUSED_BYTES) })
        .where('user_id', '=', user_id)
        .execute(),
    )
    expect((await upload(api, new Uint8Array(1))).status).toBe(201)
    const refused = await upload(api, new Uint8Array(1))
    expect([refused.status, code(refused)]).toEqual([409, 'too_many_uploads'])
  })
})

const { api } = await signedInCustomer(test)
const broken = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of'

function formOf(files: string[], fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const name of files) form.append('file', new Blob(['x']), name)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

function fieldFirst(): FormData {
  const form = new FormData()
  form.append('more', 'x')
  form.append('file', new Blob(['x']), 'a')
  return form
}

describe('over a bare connection', () => {
  const head = (token: string | undefined, length: string) =>
    [
      'POST /api/attachments/ HTTP/1.1',
      'Host: localhost',
      ...(token ? [`Authorization: Bearer ${token}`] : []),
      'Content-Type: multipart/form-data; boundary=x',
      length,
      '',
      '',
    ].join('\r\n')
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

  it('an announced length of 3 GB gets 413 before 5 MB are sent, and the connection closes within 9 seconds', async () => {
    const answer = await converse(head(api.access_token, 'Content-Length: 3000000000'), { more: Infinity })
    expect(answer.text).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.text).toContain('"too_large"')
    expect(answer.answered_after_bytes).toBeLessThan(5_000_000)
    expect(answer.took_ms).toBeLessThan(9_000)
    expect(incoming()).toEqual([])
  }, 20_000)

  it('413 comes as soon as a body without a length has become too large', async () => {
    const answer = await converse(head(api.access_token, 'Transfer-Encoding: chunked'), {
      first: part,
      chunked: true,
      more: Infinity,
    })
    expect(answer.text).toMatch(/^HTTP\/1\.1 413 /)
    // The sender goes on while the answer is made: over loopback that is 20 MB in some 20 ms.
    expect(answer.answered_after_bytes).toBeLessThan(MOST_BYTES * 10)
    expect(incoming()).toEqual([])
  }, 30_000)

  it('without permission to upload the refusal comes before any byte is read', async () => {
    const answer = await converse(head(undefined, 'Content-Length: 20000000'), { more: 0 })
    expect(answer.text).toMatch(/^HTTP\/1\.1 401 /)
  }, 20_000)

  it('a connection closed in the middle leaves nothing behind', async () => {
    const socket = net.connect(Number(new URL(test.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(head(api.access_token, 'Content-Length: 9000000') + part)
    socket.write(Buffer.alloc(1_000_000))
    await expect.poll(incoming).toHaveLength(1)
    socket.destroy()
    await expect.poll(incoming).toEqual([])
  })
})

type Sending = { first?: string; chunked?: boolean; more: number }

/** Sends up to `more` bytes and listens. Returns the answer, the bytes sent before it came, and the time until the connection closed. */
function converse(head: string, { first = '', chunked = false, more }: Sending) {
  return new Promise<{ text: string; answered_after_bytes: number; took_ms: number }>((resolve) => {
    const began = Date.now()
    const piece = Buffer.alloc(65_536)
    const wrap = (bytes: Buffer) =>
      chunked
        ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
        : bytes
    let sent = 0
    let text = ''
    let answered_after_bytes = -1
    const socket = net.connect(Number(new URL(test.url).port), '127.0.0.1')
    const done = () => resolve({ text, answered_after_bytes, took_ms: Date.now() - began })
    const push = () => {
      while (sent < more && !socket.destroyed) {
        sent += piece.length
        if (!socket.write(wrap(piece))) return
      }
    }
    socket.on('drain', push)
    socket.on('data', (bytes) => {
      if (answered_after_bytes < 0) answered_after_bytes = sent
      text += bytes.toString('latin1')
      if (more === 0) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', done)
    socket.write(head)
    if (first) socket.write(wrap(Buffer.from(first)))
    push()
  })
}
