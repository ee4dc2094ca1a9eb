import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { secureUrl } from './ask.mjs'

/**
 * @typedef {{ url: URL, token: string, folder: string }} Settings
 * `url` is the operator's address, `folder` keeps the licence document and the operator's keys.
 */

/**
 * From the environment, and for what is not there from a file: `{"url": "https://…", "token": "hda_…"}`. systemd hands
 * the file over as a credential, so that the agent needs no right to read /etc.
 * @param {NodeJS.ProcessEnv} environment
 * @param {string | undefined} file
 * @returns {Promise<Settings>}
 */
export async function readSettings(environment, file) {
  const { HOSTDESK_URL, HOSTDESK_TOKEN, CREDENTIALS_DIRECTORY, STATE_DIRECTORY } = environment
  const handed = CREDENTIALS_DIRECTORY && path.join(CREDENTIALS_DIRECTORY, 'hostdesk-agent.json')
  const from = file ?? (handed || '/etc/hostdesk-agent.json')
  const written = HOSTDESK_URL && HOSTDESK_TOKEN && file === undefined ? {} : await readSettingsFile(from)
  const url = HOSTDESK_URL ?? written['url']
  const token = HOSTDESK_TOKEN ?? written['token']
  if (typeof url !== 'string')
    throw new Error(`There is no address: write "url" into ${from}, or set HOSTDESK_URL.`)
  if (typeof token !== 'string' || !/^[\w-]{10,200}$/.test(token))
    throw new Error(`There is no agent token: write "token" into ${from}, or set HOSTDESK_TOKEN.`)
  const folder = environment['HOSTDESK_STATE'] ?? STATE_DIRECTORY ?? '/var/lib/hostdesk-agent'
  return { url: secureUrl(url), token, folder }
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, unknown>>}
 */
async function readSettingsFile(file) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(await readFile(file, 'utf8')))
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value))
    throw new Error('it holds no JSON object')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be used: ${reason}.`, { cause: error })
  }
}
