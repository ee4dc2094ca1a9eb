import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, it } from 'vitest'
import { open, seal } from '#foundation/server/backup/age/age.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-age-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const all = async (parts: AsyncIterable<Buffer>) => Buffer.concat(await Readable.from(parts).toArray())

it.runIf(existsSync('/usr/bin/age'))(
  'the age of Debian opens what we seal, and we open what it seals',
  async () => {
    const file = path.join(folder, 'key.txt')
    execFileSync('/usr/bin/age-keygen', ['-o', file], { stdio: 'ignore' })
    const recipient = execFileSync('/usr/bin/age-keygen', ['-y', file], { encoding: 'utf8' }).trim()
    const identity = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.startsWith('AGE-SECRET-KEY-'))
    const plain = randomBytes(300_000)
    const ours = await all(seal(Readable.from([plain]), { recipients: [recipient] }))
    expect(
      execFileSync('/usr/bin/age', ['-d', '-i', file], { input: ours, maxBuffer: 1 << 22 }).equals(plain),
    ).toBe(true)
    const theirs = execFileSync('/usr/bin/age', ['-r', recipient], { input: plain, maxBuffer: 1 << 22 })
    const opened = await open(Readable.from([theirs]), { identities: [identity ?? ''] })
    expect(opened && (await all(opened)).equals(plain)).toBe(true)
  },
)
