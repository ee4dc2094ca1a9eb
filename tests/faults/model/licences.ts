import { expect } from 'vitest'
import { deleteHost, updateHost } from '#features/hosts/contract.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { hostsOf, pick, type Person, type Story } from './story.ts'
import { must } from '#foundation/must.ts'

export type Reply = { status: number; body: unknown }

/** True if a server is refused since it is suspended, which a debt does. */
export async function isSuspended(person: Person, id: string, body: unknown): Promise<boolean> {
  const [code] = (body as { errors: { code: string }[] }).errors.map((error) => error.code)
  if (code !== 'host_suspended') return false
  const suspended = (await hostsOf(person)).filter((host) => host.licence.suspended !== null)
  expect(suspended.map((host) => host.id)).toContain(id)
  return true
}

export async function addressOf(person: Person, id: string): Promise<string> {
  return (await hostsOf(person)).find((host) => host.id === id)?.ipv4 ?? ''
}

export async function isHeld({ people }: Story, ipv4: string): Promise<boolean> {
  const hosts = (await Promise.all(people.map(hostsOf))).flat()
  return hosts.some((host) => host.ipv4 === ipv4 && host.licence.status === 'active')
}

export async function setAutoRenew(person: Person, which: number, auto_renew: boolean): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const params = { hostId: host.id }
  const reply = await person.customer.api.call(updateHost, { params, body: { auto_renew } })
  expect(bodyOf(reply, 200).auto_renew).toBe(auto_renew)
  host.auto_renew = auto_renew
  return auto_renew ? 'on' : 'off'
}

/** Changes the address of a host. */
export async function move(person: Person, story: Story, which: number): Promise<string> {
  const host = pick(
    person.hosts.filter(({ isProgram }) => !isProgram),
    which,
  )
  if (!host) return 'nothing'
  const ipv4 = must(pick(story.addresses, which))
  const reply = await person.customer.api.call(updateHost, { params: { hostId: host.id }, body: { ipv4 } })
  if (reply.status === 200) return 'moved'
  const codes = [refusal(409, 'ipv4_change_limit', 'ipv4'), refusal(409, 'ipv4_licensed', 'ipv4')]
  expect(codes).toContainEqual(reply.body)
  return 'refused'
}

export async function removeHost(person: Person, which: number): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const { id, name } = host
  const reply = await person.customer.api.call(deleteHost, { params: { hostId: id }, query: { name } })
  expect(reply.status).toBe(204)
  person.hosts = person.hosts.filter((one) => one !== host)
  return 'deleted'
}
