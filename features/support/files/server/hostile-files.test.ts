import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as messages from '#features/support/messages/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { MARK } from '#tests/harness/hostile-bytes.ts'
import { hostileFiles, hostileNames } from '#tests/harness/hostile-files.ts'
import { heic, phonePicture } from '#tests/harness/hostile-heic.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { download, sendForm, upload } from '#tests/harness/upload.ts'
import { readHeic } from './heic.ts'
import { makePreview } from './pictures.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { api } = await signedInCustomer(test)
const files = await hostileFiles()
const runnable = /html|xml|svg|script|ecma|css|flash/i

/** The peak memory of the process while the files were read, above the level before, in MB. */
let risen_mb = 0
let watch: NodeJS.Timeout | undefined
beforeAll(async () => {
  // Loads the modules for pictures and types, so that only the files are measured.
  await upload(
    api,
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const before = process.memoryUsage.rss()
  watch = setInterval(() => {
    risen_mb = Math.max(risen_mb, (process.memoryUsage.rss() - before) / 1_000_000)
  }, 20)
})
afterAll(() => clearInterval(watch))

describe('rule 25: uploads of malicious files', () => {
  it.each(files)(
    '%s is a download and nothing else',
    async (name, bytes) => {
      const began = Date.now()
      const { status, body } = await upload(api, bytes, name)
      expect(status, JSON.stringify(body)).toBe(201)
      expect(Date.now() - began).toBeLessThan(12_000)
      expect(body.type).not.toMatch(runnable)
      await expectDownload(body, bytes)
      await expectPreviewIsNew(body)
    },
    30_000,
  )

  // Seen red: the library that draws all other pictures cannot read them.
  it('09-phone: a picture of a phone is kept byte for byte and shown upright, without the place where it was taken', async () => {
    expect(phonePicture.includes('Exif')).toBe(true)
    const { body } = await upload(api, phonePicture, 'IMG_0001.HEIC')
    expect(body).toMatchObject({
      type: 'image/heic',
      name: 'IMG_0001.HEIC',
      preview: { width: 48, height: 64 },
    })
    await expectDownload(body, phonePicture)
    const drawn = (await download(api, body.id, 'preview')).bytes
    const { exif, xmp, format } = await sharp(drawn).metadata()
    expect({ exif, xmp, format }).toEqual({ exif: undefined, xmp: undefined, format: 'webp' })
    const [red = 0, green = 0, blue = 0] = await sharp(drawn)
      .extract({ left: 2, top: 2, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect([red > 150, green < 80, blue < 80]).toEqual([true, true, true])
  })

  it.each(hostileNames)('the name %j leads nowhere and breaks no header', async (name) => {
    const { status, body } = await uploadAs(name)
    // A name with a line break makes the multipart form of the request invalid.
    expect([201, 400], JSON.stringify(body)).toContain(status)
    if (status !== 201) return
    expect(body.name).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\\/]/u)
    expect(body.name).not.toMatch(/^\.*$/)
    expect([...body.name].length).toBeLessThanOrEqual(200)
    expect(body.name.isWellFormed()).toBe(true)
    await expectDownload(body, Buffer.from('x'))
  })

  it('a harmless name is kept, paths and direction marks are removed, and a name over 200 characters keeps its extension', async () => {
    const nameOf = async (name: string) => (await uploadAs(name)).body.name
    expect(await nameOf('Ошибка сервера.log')).toBe('Ошибка сервера.log')
    expect(await nameOf('../../../../etc/passwd')).toBe('passwd')
    expect(await nameOf('invoice\u202Efdp.exe')).toBe('invoicefdp.exe')
    expect(await nameOf(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(196)}.pdf`)
    expect(await nameOf('..')).toBe('file')
  })

  it('nothing is written outside of its folder or under a name from an upload', () => {
    const { dataDir } = test.app.config
    expect(files.length).toBeGreaterThan(100)
    // Some of the archives hold an entry for this path: an archive that is unpacked would write the file.
    expect(existsSync('/tmp/hostdesk-was-here.html')).toBe(false)
    expect(readdirSync(dataDir)).toEqual(['files'])
    const all = readdirSync(path.join(dataDir, 'files'), { recursive: true }).map(String)
    expect(all.length).toBeGreaterThan(150)
    expect(
      all.filter((name) => !/^(incoming|[0-9a-f]{2}|([0-9a-f]{2})[\\/]\2[0-9a-f]{30}(\.webp)?)$/.test(name)),
    ).toEqual([])
  })

  it('the server survives, logged no error, and took some hundred MB at the worst', async () => {
    expect((await fetch(`${test.url}/healthz`)).status).toBe(200)
    expect(test.logged.filter((line) => line['level'] === 'error' || line['level'] === 'fatal')).toEqual([])
    process.stdout.write(`  memory rose by ${Math.round(risen_mb)} MB at most\n`)
    expect(risen_mb).toBeLessThan(600)
  })
})

describe('decision 037: what a picture of a phone may cost', () => {
  // Files of a kilobyte.
  const costly: Record<string, Buffer> = {
    'is cut off': phonePicture.subarray(0, 600),
    'holds nothing': Buffer.concat([
      phonePicture.subarray(0, 12),
      Buffer.from('    mif1heic'),
      Buffer.alloc(500),
    ]),
    'is noise behind its first bytes': Buffer.concat([phonePicture.subarray(0, 24), Buffer.alloc(700, 0xff)]),
    'is noise where its points should be': heic([64, 64], [64, 64], Buffer.alloc(200, 0xff)),
    // Seen red without the bound: it was drawn, in seven seconds.
    'has more than 25 megapixels': heic([5120, 5120], [5120, 5120]),
    'claims to be as large as the format can say': heic([2 ** 31 - 1, 2 ** 31 - 1], [64, 64]),
    'tells its decoder another size than its header': heic([64, 64], [16_000, 16_000]),
  }

  it('a file that is broken or claims too much is kept, is a named line in the chat, and the next picture is drawn', async () => {
    const sent: Attachment[] = []
    for (const [what, bytes] of Object.entries(costly)) {
      const { status, body } = await upload(api, bytes, '09-phone.heic')
      expect([what, status, body.type, body.preview]).toEqual([what, 201, 'image/heic', null])
      await expectDownload(body, bytes)
      sent.push(body)
    }
    const { body: next } = await upload(api, phonePicture)
    expect(next.preview).toEqual({ width: 48, height: 64 })
    const { body: chat } = await api.call(tickets.createTicket, {
      body: { subject: 'Pictures', message: 'Look', topic: 'technical', attachment_ids: [] },
    })
    const attachment_ids = [...sent, next].map(({ id }) => id)
    const message = await api.call(messages.postMessage, {
      params: { chatId: chat.id },
      body: { client_id: randomUUID(), text: '', attachment_ids },
    })
    expect(message).toMatchObject({ status: 201, body: { attachments: [...sent, next] } })
  })

  // Seen red with memory that grows as it likes: 1,100 MB, and then the refusal of a picture without points.
  it('the memory of its reader ends at 512 MB, and its time by its end, while it works', async () => {
    const file = path.join(test.app.config.dataDir, 'picture.heic')
    const read = async (bytes: Buffer, seconds: number) => {
      await writeFile(file, bytes)
      try {
        return (await readHeic(file, seconds)).width
      } finally {
        await rm(file)
      }
    }
    await expect(read(heic([64, 64], [64, 64], Buffer.alloc(1_000_000), 31), 50)).rejects.toThrow('Aborted')
    const began = Date.now()
    // Seven seconds of work.
    await expect(read(heic([4992, 4992], [4992, 4992]), 0.7)).rejects.toThrow('not read in time')
    expect(Date.now() - began).toBeLessThan(4000)
  })

  // Seen red: each picture waited for all before it, so that twenty slow ones held up the answers to all uploads for minutes.
  it('no picture waits much longer for those of others than it may take itself', async () => {
    const [slow, quick] = ['slow.heic', 'quick.png'].map((name) => path.join(test.app.config.dataDir, name))
    await writeFile(must(slow), heic([4992, 4992], [4992, 4992]))
    const red = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    await writeFile(must(quick), await red.png().toBuffer())
    const before = [makePreview(must(slow), 'image/heic', 2), makePreview(must(slow), 'image/heic', 2)]
    // Drawn in a hundredth of its second, if it were drawn.
    const behind = makePreview(must(quick), 'image/png', 1)
    expect(await behind).toBeUndefined()
    await Promise.all(before)
    expect(await makePreview(must(quick), 'image/png', 1)).toMatchObject({ width: 9, height: 9 })
    await Promise.all([rm(must(slow)), rm(must(quick))])
  })
})

async function expectDownload({ id }: Attachment, bytes: Buffer): Promise<void> {
  const kept = await download(api, id)
  expect(kept.status).toBe(200)
  expect(kept.bytes.equals(bytes)).toBe(true)
  const { headers } = kept
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w .()-]*"; filename\*=UTF-8''[\w.!~%&+$#^`|-]+$/,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'")
  expect(headers.get('content-type')).not.toMatch(runnable)
  expect(headers.get('set-cookie')).toBeNull()
}

/** A preview is a new drawing: a small WebP without any of the file's metadata. */
async function expectPreviewIsNew({ id, preview }: Attachment): Promise<void> {
  const shown = await download(api, id, 'preview')
  if (preview === null) return expect(shown.status).toBe(404)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(shown.bytes.includes(MARK)).toBe(false)
  const { format, width, height } = await sharp(shown.bytes).metadata()
  expect({ format, width, height }).toEqual({ format: 'webp', ...preview })
  expect(Math.max(width, height)).toBeLessThanOrEqual(1600)
}

async function uploadAs(name: string | Buffer): Promise<{ status: number; body: Attachment }> {
  const body = Buffer.concat([
    Buffer.from('--line\r\nContent-Disposition: form-data; name="file"; filename="'),
    Buffer.from(name),
    Buffer.from('"\r\nContent-Type: text/html\r\n\r\nx\r\n--line--\r\n'),
  ])
  return sendForm<Attachment>(api, body, { 'content-type': 'multipart/form-data; boundary=line' })
}
