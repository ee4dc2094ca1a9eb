// `npm run test:generators` makes a client by each of seven generators from the document of the running product, compiles it, and lists the
// servers of a demo customer with it. Words after `--` choose generators by a part of their names. A generator whose tools are not installed
// is named, and fails the run unless it says `--allow-missing`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { login } from '#features/auth/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { createToken } from '#features/sharing/token-contract.ts'
import { Client } from '#tests/harness/client.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { isInstalled } from './commands.ts'
import type { Generator, Workplace } from './generator.ts'
import { generators } from './generators.ts'

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const mayLack = process.argv.includes('--allow-missing')
const wanted = generators.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-generators-'))
const { dataDir, remove } = makeDataDir()
const product = await startProduct({ dataDir, settings: { RATE_LIMIT_SCALE: '1000' } })
const tally = { green: 0, red: 0, missing: 0 }
try {
  const document = await keep('openapi.json', '')
  const calls = await keep('calls.json', '?webhooks=no')
  const { env, hosts } = await customerOf(product.url)
  const count = hosts.trim().split('\n').length
  say(['generator', 'version', 'generates', 'compiles', `lists ${count} hosts`])
  for (const [index, generator] of wanted.entries()) {
    const own = path.join(folder, String(index))
    mkdirSync(own)
    tally[await judge(generator, { folder: own, document, calls, env }, hosts)] += 1
    // A command that took too long may have left a process of its own that writes on.
    rmSync(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
  }
} finally {
  await product.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  remove()
}
const missing = tally.missing > 0 ? `, ${tally.missing} not run` : ''
process.stdout.write(`${tally.green} of ${wanted.length} generators make clients that list hosts${missing}\n`)
process.exitCode =
  tally.red > 0 || (tally.missing > 0 && !mayLack) || tally.green + tally.missing === 0 ? 1 : 0

async function keep(name: string, query: string): Promise<string> {
  const file = path.join(folder, name)
  writeFileSync(file, await (await fetch(`${product.url}/api/openapi.json${query}`)).text())
  return file
}

/** Makes a token that reads, as a customer does, and returns what the API itself says of the servers. */
async function customerOf(url: string) {
  const api = new Client(url)
  const signedIn = await api.call(login, { body: { email: 'anna@example.com', password: 'lively-otter-42' } })
  if (signedIn.status !== 200) throw new Error(`No session: ${JSON.stringify(signedIn)}`)
  const made = await api.call(createToken, {
    body: { name: 'Generated clients', role: 'read', all_hosts: true, month_limit: null, ends: '30' },
  })
  if (made.status !== 201) throw new Error(`No token: ${JSON.stringify(made)}`)
  const { secret } = made.body
  const program = new Client(url)
  const listed = await program.call(listHosts, { query: { limit: '100' } }, { access_token: secret })
  if (listed.status !== 200) throw new Error(`No list: ${JSON.stringify(listed)}`)
  const hosts = listed.body.items.map(({ id, name, ipv4 }) => `${id} ${name} ${ipv4 ?? '-'}\n`).join('')
  return { env: { HOSTDESK_URL: url, HOSTDESK_TOKEN: secret }, hosts }
}

async function judge(generator: Generator, place: Workplace, hosts: string): Promise<keyof typeof tally> {
  const { name, version, needs } = generator
  const lacking = needs.filter((tool) => !isInstalled(tool))
  if (lacking.length > 0) {
    say([name, version, `NOT RUN: ${lacking.join(', ')} not installed`])
    return 'missing'
  }
  const row = [name, version]
  try {
    await generator.generate(place)
    row.push('yes')
    await generator.compile(place)
    row.push('yes')
    const listed = await generator.list(place)
    if (listed !== hosts) throw new Error(`It listed\n${listed}but the API says\n${hosts}`)
    say([...row, 'yes'])
    return 'green'
  } catch (error) {
    say([...row, 'NO'])
    process.stdout.write(`${String(error)}\n`)
    return 'red'
  }
}

function say(row: readonly string[]): void {
  const widths = [27, 10, 11, 10, 0]
  process.stdout.write(
    `${row
      .map((word, place) => word.padEnd(widths[place] ?? 0))
      .join('')
      .trimEnd()}\n`,
  )
}
