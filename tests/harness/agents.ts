import type { InputOf } from '#foundation/contract.ts'
import { makeAgentToken } from '#features/hosts/contract.ts'
import { checkIn as checkInCall } from '#features/licences/contract.ts'
import { listKeys } from '#features/licences/published.ts'
import type { Judgement, Key } from '#agent/judge.mjs'
import { judgeLicence } from '#agent/licence.mjs'
import type { Client } from './client.ts'
import { bodyOf } from './hosts.ts'
import type { TestApp } from './test-app.ts'

/** The metrics of a healthy machine. */
export const figures: InputOf<typeof checkInCall>['body'] = {
  version: '0.1.0',
  hostname: 'web-1',
  uptime_s: 4711,
  load_1m: 0.42,
  memory_used_bytes: 2_000_000_000,
  memory_total_bytes: 8_000_000_000,
  disk_used_bytes: 30_000_000_000,
  disk_total_bytes: 100_000_000_000,
}

export async function tokenFor(api: Client, hostId: string): Promise<string> {
  return bodyOf(await api.call(makeAgentToken, { params: { hostId } }), 201).token
}

/** Checks in as the agent does: with its token and no other. */
export const checkIn = ({ client }: Pick<TestApp, 'client'>, token: string, body: object = figures) =>
  client().call(
    checkInCall,
    { body: body as typeof figures },
    { headers: { authorization: `Bearer ${token}` } },
  )

export async function publishedKeys({ api }: TestApp): Promise<Key[]> {
  return bodyOf(await api.call(listKeys, {}), 200).keys
}

/** Returns the judgement of the agent on a document, with the keys that the installation publishes. */
export async function judge(
  test: TestApp,
  licence: string,
  expected: { ipv4?: string; now?: number } = {},
): Promise<Judgement> {
  const { ipv4, ...rest } = expected
  return judgeLicence(licence, {
    keys: await publishedKeys(test),
    ipv4: ipv4 === undefined ? 'any' : [ipv4],
    ...rest,
  })
}
