import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { must } from '#foundation/must.ts'
import { suspend } from '#features/licences/server/suspensions.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { buy, keyIn, look, pay, post } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const guide = readFileSync('docs/sell-a-program.md', 'utf8')
const codeOf = (fence: string) =>
  must(new RegExp(`\`\`\`${fence}\\n(.*?)\`\`\``, 's').exec(guide)?.[1], `a block ${fence} in the guide`)

const test = await startTestApp({ settings: { SHOP: 'on' } })
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-program-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => path.join(folder, name)

const hasGo = (() => {
  try {
    return execFileSync('go', ['version']).length > 0
  } catch {
    return false
  }
})()

/** The files that the guide downloads. */
const downloads = {
  'licence/licence.go': '/agent/libraries/go/licence.go',
  'jwks.json': '/.well-known/jwks.json',
}

/** Buys the program as a stranger does: link, form, payment, the link in the mail, password. Returns the key that the last page shows. */
async function boughtInTheShop(): Promise<string> {
  const email = 'vendor-buyer@example.com'
  expect((await look(test, '/shop/en/backup-agent/?country=DE')).html).toContain('/buy/agent-team-year?')
  const { id } = await buy(test, 'agent-team-year', { email, country: 'DE' })
  await pay(test, id)
  const { text = '' } = await test.mails.about(email, '/buy/open/?key=')
  const key = keyIn(text)
  const { html } = await post(test, '/buy/open/', { key, password: 'a long and good one 77' })
  return must(/<code>([A-Z\d]{5}(?:-[A-Z\d]{5}){4})<\/code>/.exec(html)?.[1], 'a licence key on the page')
}

it.skipIf(!hasGo)('the guide for programs sells one, in at most 40 lines of its program', async () => {
  const program = codeOf('go')
  const written = program.split('\n').filter((line) => line.trim() !== '').length
  expect(written).toBeLessThanOrEqual(40)
  for (const name of ['product.json', 'edition.json']) writeFileSync(at(name), codeOf(`json ${name}`))
  const lines = codeOf('sh')
    .split('\n')
    .filter((line) => line.startsWith('hostdesk '))
  const { config, log, ownerUrl } = test.app
  const here = { config, log, ownerUrl, close: async () => {} }
  for (const line of lines) {
    const [, group = '', name = '', ...rest] = line.split(' ')
    const place = rest.indexOf('--edition')
    const parameters = (place < 0 ? rest : rest.slice(0, place)).map((one) =>
      one.endsWith('.json') ? at(one) : one,
    )
    const options = place < 0 ? {} : { edition: must(rest[place + 1]) }
    await must(commands[`${group} ${name}`]).run(here, parameters, options)
  }
  writeFileSync(at('main.go'), program)
  mkdirSync(at('licence'))
  for (const [name, from] of Object.entries(downloads))
    writeFileSync(at(name), await (await fetch(`${test.url}${from}`)).text())
  execFileSync('go', ['mod', 'init', 'hostdesk'], { cwd: folder, stdio: 'ignore' })
  const built = execFileSync('go', ['build', '-o', 'agent', '.'], { cwd: folder, encoding: 'utf8' })
  expect(built).toBe('')

  const licence_key = await boughtInTheShop()
  const run = (key: string) =>
    new Promise<string>((resolve) => {
      execFile(at('agent'), [test.url, key], { cwd: folder }, (_error, said) => resolve(said.trim()))
    })
  expect(await run(licence_key)).toBe('valid valid valid')
  const [host] = await asOwner(test, 'select public_id as id from hosts where licence_key = $1', [
    licence_key,
  ])
  await suspend(test.app, {}, (host as { id: string }).id, { reason: 'abuse', text: '', note: 'x' })
  expect(await run(licence_key)).toBe('not_licensed suspended suspended')
  expect(await run('ABCDE-FGHIJ-KLMNO-PQRST-UVWXY')).toBe('not_licensed other_licence_key not_found')
})
