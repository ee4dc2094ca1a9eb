import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { bucket } from './bucket-setting.ts'
import { openStorage } from './storage.ts'
import type { Kept } from './store.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-storage-'))
const s3 = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: path.join(folder, 's3'),
  configureBuckets: [{ name: 'files', configs: [] }],
})
const { port } = await s3.run()
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)
const inBucket = bucket().parse(`s3://S3RVER:S3RVER@127.0.0.1:${port}/files?tls=off`)
const kinds = [
  ['a folder', openStorage({ bucket: undefined, dataDir: at('disk') })],
  ['a bucket', openStorage({ bucket: inBucket, dataDir: at('s3-incoming') })],
] as const

describe.each(kinds)('storage in %s', (_kind, storage) => {
  const laid = (bytes: string | Buffer, name = 'one') => {
    const from = path.join(storage.incoming, name)
    writeFileSync(from, bytes)
    return from
  }
  const read = async (key: string) => {
    const stream = await storage.open(key)
    return stream && (await buffer(stream))
  }

  it('keeps a file, opens it, lists it, removes it', async () => {
    const bytes = Buffer.alloc(3_000_000, 7)
    await storage.keep('00112233aabb', laid(bytes))
    expect((await read('00112233aabb'))?.equals(bytes)).toBe(true)
    expect(readdirSync(storage.incoming)).toEqual([])
    await storage.keep('ff112233aabb.webp', laid('small'))
    const listed: Kept[] = []
    for await (const kept of storage.list()) listed.push(kept)
    expect(listed.map(({ key }) => key).toSorted()).toEqual(['00112233aabb', 'ff112233aabb.webp'])
    for (const { changed_at } of listed) expect(Date.now() - changed_at.getTime()).toBeLessThan(60_000)
    await storage.remove('00112233aabb')
    expect(await read('00112233aabb')).toBeUndefined()
    expect(await read('ff112233aabb.webp')).toEqual(Buffer.from('small'))
    await storage.remove('ff112233aabb.webp')
  })

  it('finds nothing under an unknown key, and removing that key is no error', async () => {
    expect(await storage.open('0123456789abcdef')).toBeUndefined()
    await storage.remove('0123456789abcdef')
  })

  it('keeps twenty at once', async () => {
    const keys = Array.from({ length: 20 }, (_, place) => `a${place.toString(16).padStart(9, '0')}`)
    await Promise.all(keys.map((key) => storage.keep(key, laid(key, key))))
    for (const key of keys) expect((await read(key))?.toString()).toBe(key)
    await Promise.all(keys.map((key) => storage.remove(key)))
  })

  it.each([
    '../../etc/passwd',
    '..',
    '',
    'AABBCCDD',
    '00112233/../x',
    'x',
    '00112233aabb.webp/..',
    '00112233\0',
  ])('rule 25: refuses to leave its folder: %j', async (key) => {
    await expect(storage.keep(key, laid('x'))).rejects.toThrow('not a key')
    await expect(storage.open(key)).rejects.toThrow('not a key')
    await expect(storage.remove(key)).rejects.toThrow('not a key')
  })
})

describe('what goes wrong', () => {
  it('a missing bucket is reported, and the file stays for another try', async () => {
    const nowhere = openStorage({
      bucket: bucket().parse(`s3://S3RVER:S3RVER@127.0.0.1:${port}/missing?tls=off`),
      dataDir: at('nowhere'),
    })
    const from = path.join(nowhere.incoming, 'one')
    writeFileSync(from, 'x')
    await expect(nowhere.keep('0011223344', from)).rejects.toThrow(/bucket/i)
    expect(existsSync(from)).toBe(true)
  })

  it('a missing server is reported within seconds', async () => {
    const gone = openStorage({
      bucket: bucket().parse(`s3://k:s@127.0.0.1:${await freePort()}/files?tls=off`),
      dataDir: at('gone'),
    })
    await expect(gone.open('0011223344')).rejects.toThrow('ECONNREFUSED')
  })

  it.skipIf(process.getuid?.() === 0 && !mayMount())('a read-only folder is reported', async () => {
    const storage = openStorage({ bucket: undefined, dataDir: at('fixed') })
    writeFileSync(path.join(storage.incoming, 'one'), 'x')
    const restore = makeReadOnly(at('fixed/files'))
    try {
      await expect(storage.keep('0011223344', path.join(storage.incoming, 'one'))).rejects.toThrow(
        /EACCES|EPERM|EROFS/,
      )
    } finally {
      restore()
    }
  })
})

/** True if this process can make a folder immutable, which not every file system allows. Root may write to every other folder. */
function mayMount(): boolean {
  try {
    const probe = mkdtempSync(path.join(tmpdir(), 'hostdesk-immutable-'))
    execFileSync('chattr', ['+i', probe], { stdio: 'ignore' })
    execFileSync('chattr', ['-i', probe])
    return true
  } catch {
    return false
  }
}

function makeReadOnly(at: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(at, 0o500)
    return () => chmodSync(at, 0o700)
  }
  execFileSync('chattr', ['+i', at])
  return () => void execFileSync('chattr', ['-i', at])
}
