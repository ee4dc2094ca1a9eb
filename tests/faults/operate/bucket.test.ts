import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { bucket } from '#foundation/server/storage/bucket-setting.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { download, upload } from '#tests/harness/upload.ts'
import { must } from '#foundation/must.ts'
import { hasS3Server, startS3Server } from './s3-server.ts'

describe.skipIf(!hasS3Server())('files in the bucket of an S3 server that others wrote', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-bucket-'))
  const server = hasS3Server() ? await startS3Server(folder, ['files']) : undefined
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { key, secret, port, ca, folderOf } = must(server)
  const url = (name: string, password = secret) => `s3://${key}:${password}@localhost:${port}/${name}`

  it('a customer attaches a file, and gets it again, over TLS by an authority of the operator', async () => {
    const settings = { S3_URL: url('files'), NODE_EXTRA_CA_CERTS: ca }
    const installation = await startInstallation(settings)
    try {
      const { api } = await signedInCustomer(installation)
      const bytes = Buffer.alloc(10_000_000, 'what was sent ')
      const { status, body } = await upload(api, bytes)
      expect(status).toBe(201)
      const got = await download(api, body.id)
      expect([got.status, got.bytes.equals(bytes)]).toEqual([200, true])
      const [file] = readdirSync(folderOf('files')).filter((name) => !name.startsWith('.'))
      expect(readFileSync(path.join(folderOf('files'), must(file))).equals(bytes)).toBe(true)

      // The command line gets its settings from a file, as a service does.
      const settingsFile = path.join(folder, 'settings.env')
      const lines = Object.entries({ ...installation.settings, ...settings, DATA_DIR: installation.dataDir })
      writeFileSync(settingsFile, lines.map(([name, value]) => `${name}='${value}'\n`).join(''))
      const doctor = spawnSync(process.execPath, ['app/cli/main.ts', '--settings', settingsFile, 'doctor'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], PUBLIC_ORIGIN: 'http://localhost:3000' },
      })
      expect(doctor.stdout).toContain('a file was kept, read and removed in the bucket files')
    } finally {
      await installation.close()
    }
  })

  it('lists more than a page of 1,000, and says what is wrong with a key or a bucket', async () => {
    // The process of the tests does not trust the server's authority, so this test uses the server without TLS.
    const plain = await startS3Server(path.join(folder, 'plain'), ['files'], { tls: false })
    try {
      const at = (address: string) =>
        openStorage({
          bucket: bucket().parse(address.replace(String(port), String(plain.port)) + '?tls=off'),
          dataDir: path.join(folder, 'incoming'),
        })
      const storage = at(url('files'))
      const keys = Array.from({ length: 1_001 }, (_, place) => place.toString(16).padStart(8, '0'))
      for (const name of keys) {
        const from = path.join(storage.incoming, name)
        writeFileSync(from, name)
        await storage.keep(name, from)
      }
      const listed: string[] = []
      for await (const kept of storage.list()) listed.push(kept.key)
      expect(listed.toSorted()).toEqual(keys)
      expect(String(await buffer(must(await storage.open(must(keys[1_000])))))).toBe(keys[1_000])
      await storage.remove(must(keys[0]))
      expect(await storage.open(must(keys[0]))).toBeUndefined()
      await expect(at(url('files', 'wrong')).open('0011223344')).rejects.toThrow('SignatureDoesNotMatch')
      await expect(at(url('none')).open('0011223344')).rejects.toThrow('NoSuchBucket')
    } finally {
      await plain.stop()
    }
  })
})
