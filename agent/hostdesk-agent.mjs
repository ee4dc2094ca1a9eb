#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { VERSION } from './figures.mjs'
import { run } from './run.mjs'
import { readSettings } from './settings.mjs'

const help = `hostdesk-agent ${VERSION}: tells your provider that this machine lives, and keeps its licence.

  node hostdesk-agent.mjs [--config /etc/hostdesk-agent.json]

The file holds {"url": "https://account.example.com", "token": "hda_…"}; HOSTDESK_URL and HOSTDESK_TOKEN go before it.
The licence is kept in /var/lib/hostdesk-agent, or in the folder that HOSTDESK_STATE or STATE_DIRECTORY names.
`

const say = (/** @type {string} */ line) => process.stdout.write(`hostdesk-agent: ${line}\n`)
const stopping = new AbortController()
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => stopping.abort())

try {
  const options = /** @type {const} */ ({ config: { type: 'string' }, help: { type: 'boolean' } })
  const { values } = parseArgs({ options })
  if (values.help) process.stdout.write(help)
  else await start(values.config)
} catch (error) {
  process.stderr.write(`hostdesk-agent: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** @param {string | undefined} config */
async function start(config) {
  await run(() => readSettings(process.env, config), { signal: stopping.signal, say })
  say('stopped')
}
