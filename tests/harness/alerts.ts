import { expect } from 'vitest'
import { detectOfflineHosts } from '#features/hosts/server/agents.ts'
import { watchAlerts } from '#features/hosts/server/alert-watch.ts'
import { findByAgentToken, recordCheckIn } from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import { openContent } from '#foundation/server/mail/outbox.ts'
import { figures, tokenFor } from './agents.ts'
import { signedInCustomer, type Customer } from './customer.ts'
import { addHost, asOwner } from './hosts.ts'
import { withConnectionAt } from './pools.ts'
import type { TestApp } from './test-app.ts'

type Report = { by?: App; disks?: { mount: string; used_bytes: number; total_bytes: number }[] }

export type Watched = {
  id: string
  row: bigint
  checkIn: (percent?: number, by?: App) => Promise<unknown>
  report: (percent: number, report: Report) => Promise<unknown>
}

/** Adds servers with agents to an account. */
export async function watchedHosts(
  test: TestApp,
  customer: Customer,
  names: readonly string[],
): Promise<Watched[]> {
  const hosts: Watched[] = []
  for (const name of names) {
    const { id } = await addHost(customer.api, { name })
    hosts.push(await agentFor(test, customer, id))
  }
  return hosts
}

/** Makes an agent for a server: `checkIn` reports how full its disk is, and `report` other disks, too. */
export async function agentFor({ app }: TestApp, { api }: Customer, id: string): Promise<Watched> {
  const { id: host_id } = must(await findByAgentToken(app, await tokenFor(api, id)))
  const { fingerprint: _fingerprint, boot: _boot, ...usual } = figures
  const report = (percent: number, { by = app, disks }: Report) =>
    recordCheckIn(by, {
      host_id,
      address: '10.0.0.1',
      figures: { ...usual, disk_used_bytes: percent * 1e9, disk_total_bytes: 100e9, disks },
    })
  const checkIn = (percent = 50, by = app) => report(percent, { by })
  return { id, row: host_id, checkIn, report }
}

export async function watchedHost(test: TestApp, name = 'web-1') {
  const customer = await signedInCustomer(test)
  const [host] = await watchedHosts(test, customer, [name])
  return { ...customer, host: must(host) }
}

/**
 * Lets seconds pass, for all that alerts know of time: it goes into the past, since the clock of the database cannot be moved. With `isJump`
 * nobody watches meanwhile, as when we are down or the clock jumps; seconds below zero are a clock that goes back.
 */
export async function pass(test: TestApp, seconds: number, { isJump = false } = {}): Promise<void> {
  const step = `interval '${seconds} seconds'`
  const back = (columns: readonly string[]) => columns.map((name) => `${name} = ${name} - ${step}`).join(', ')
  const incident = ['since', 'opened_at', 'closed_at', 'opening_told_at', 'closing_told_at', 'tell_at']
  await withConnectionAt(test.app.ownerUrl, (owner) =>
    owner.query(`begin; select set_config('app.actor', 'system', true);
      update host_agents set ${back(['last_seen_at', 'look_at', 'alert_at', 'disk_since'])};
      update alert_incidents set ${back(incident)};
      update alert_watch set ${back(isJump ? ['hold_until', 'beat_at'] : ['hold_until'])}; commit`),
  )
}

/** Does the work of the watches of a process, which is due each second. */
export async function tick({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await detectOfflineHosts(app)
  await watchAlerts(app)
}

/** Lets time pass in steps, and looks after each of them. */
export async function watchFor(test: TestApp, seconds: number, step = 20): Promise<void> {
  for (let at = 0; at < seconds; at += step) {
    await pass(test, Math.min(step, seconds - at))
    await tick(test)
  }
}

/** A kind of mail of alerts, and its subject, in the order in which they were queued. */
export async function alertMails(
  test: TestApp,
  { user_id }: Pick<Customer, 'user_id'>,
): Promise<[string, string][]> {
  const rows = (await asOwner(
    test,
    `select id, letter, content from mails where user_id = $1 and letter like 'alert%' order by created_at, id`,
    [user_id],
  )) as { id: string; letter: string; content: string }[]
  return rows.map(({ id, letter, content }) => [letter, openContent(test.app, id, content).subject])
}

export const kindsOf = async (test: TestApp, customer: Pick<Customer, 'user_id'>): Promise<string[]> =>
  (await alertMails(test, customer)).map(([kind]) => kind)

export const incidentsOf = async (test: TestApp, { row }: Pick<Watched, 'row'>) =>
  (await asOwner(
    test,
    `select kind, closed_at is null as is_open, peak, extract(epoch from opened_at - since)::int as after_s
      from alert_incidents where host_id = $1 order by id`,
    [String(row)],
  )) as { kind: string; is_open: boolean; peak: number | null; after_s: number }[]

/** Fails unless each alert was told once when it opened and once when it closed, at the latest with a sum. */
export async function expectAllMailed(test: TestApp): Promise<void> {
  const rows = await asOwner(
    test,
    `select 1 from alert_incidents where opening_told_at is null or (closed_at is not null and closing_told_at is null)`,
  )
  expect(rows).toEqual([])
}
