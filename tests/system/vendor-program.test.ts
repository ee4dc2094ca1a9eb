import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { listMachines } from '#features/licences/machines.ts'
import { publishedKeys } from '#tests/harness/agents.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { orderProgram, sellProgram } from '#tests/harness/programs.ts'
import { buyer } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { languages, isInstalled } from '#tests/libraries/languages.ts'

const test = await startTestApp()
await sellProgram(test)
await asOwner(
  test,
  `insert into edition_entitlements (edition, key, type, value) values ('agent-solo', 'lease_min', 'int', '15')`,
)

const SOURCE = 'docs/vendor-program/main.go'
const COMPILED_MS = 180_000
const hasGo = languages.some((language) => language.name === 'Go' && isInstalled(language))

/** Builds the program of the guide as it stands there, for this installation and with its keys. */
async function build(): Promise<{ program: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-vendor-'))
  mkdirSync(path.join(folder, 'licence'))
  for (const file of ['licence.go', 'online.go'])
    copyFileSync(`agent/libraries/go/${file}`, path.join(folder, 'licence', file))
  writeFileSync(path.join(folder, 'go.mod'), 'module hostdesk\n\ngo 1.19\n')
  writeFileSync(path.join(folder, 'jwks.json'), JSON.stringify({ keys: await publishedKeys(test) }))
  const source = readFileSync(SOURCE, 'utf8').replaceAll('https://account.example.com', test.url)
  writeFileSync(path.join(folder, 'main.go'), source)
  const { stderr } = spawnSync('go', ['build', '-o', 'program', '.'], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return { program: path.join(folder, 'program'), remove: () => rmSync(folder, { recursive: true }) }
}

describe.skipIf(!hasGo)('L-26 the program of the vendors’ guide', () => {
  it('has 40 lines at most', () => {
    expect(readFileSync(SOURCE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })
  it(
    'runs with the licence that a buyer has ordered, and gives its seat back',
    { timeout: COMPILED_MS },
    async () => {
      const { program, remove } = await build()
      const customer = await buyer(test, 5_000n)
      const { host } = bodyOf(await orderProgram(customer), 201)
      const run = async (LICENCE_KEY: string) => {
        const child = spawn(program, { env: { LICENCE_KEY } })
        return (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
      }
      expect(await run(host.licence_key)).toBe('licensed: agent-solo\n')
      const seats = bodyOf(await customer.api.call(listMachines, { params: { hostId: host.id } }), 200)
      expect([seats.lease_s, seats.items]).toEqual([900, []])
      const took = 'select from activations where user_id = $1 and leased_at is not null'
      expect(await asOwner(test, took, [customer.user_id])).toHaveLength(1)
      expect(await run('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')).toContain('no licence: not_found')
      remove()
    },
  )
})
