import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { uuid } from '#foundation/fields.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changeHosts, helpNote, helpPermission, host, hostId, seeHosts } from '#features/hosts/contract.ts'

/** SHA-256 of the host's id and the id of the machine, in hexadecimal digits. */
export const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'invalid'))

/** The most machines that an owner may release in 30 days. More would let one licence serve one machine after another. */
export const MOST_RELEASES = 3

const machine = z.strictObject({
  id: uuidText(),
  hostname: z.nullable(z.string()),
  /** The address that the machine asked from when it was seen first. */
  address: z.string(),
  first_seen: time(),
  /** The time at which it was seen last, to the hour. */
  last_seen: time(),
  /** True if the machine came when all places were taken. */
  is_over: z.boolean(),
  /** The time until which it holds a floating seat; null for a machine of a licence that does not float. */
  lease_until: z.nullable(time()),
  /** True if another machine has the same id, as a clone of one disk does. */
  shares_id: z.boolean(),
})
named('Machine', machine)
export type Machine = z.infer<typeof machine>

export const listMachines = route({
  id: 'listMachines',
  tag: 'Licences',
  method: 'GET',
  path: '/api/hosts/{hostId}/machines/',
  access: { who: 'customer', acts: seeHosts },
  viewable: true,
  summary: 'The machines on which the licence of a host runs',
  description:
    'The machines on which the licence of a host runs, the first one first; those not seen for 30 days are released. Of a floating licence those that hold a seat',
  params: z.strictObject({ hostId }),
  replies: {
    200: z.strictObject({
      /** The number of machines that the licence allows. */
      limit: count(),
      /** The seconds for which a machine holds a seat of a floating licence; null if the licence does not float. */
      lease_s: z.nullable(count()),
      /** The number of machines that the owner may still release now, of three in 30 days. */
      releases_left: count(),
      items: z.array(machine),
    }),
  },
})

export const releaseMachine = route({
  id: 'releaseMachine',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/machines/{machineId}/release/',
  access: { who: 'customer', acts: changeHosts, whileBlocked: 'allowed' },
  summary: 'Release a machine, so that another takes its place',
  description:
    'Release a machine, three in 30 days. Documents of the host from before are void; a machine that asks again takes a place again. Of a floating licence free a seat, 30 a day',
  params: z.strictObject({ hostId, machineId: uuid }),
  replies: { 204: null },
  errors: { 409: ['release_limit_reached'] },
})

export const resetReleases = route({
  id: 'resetReleases',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/hosts/{hostId}/releases/',
  access: staff(helpPermission),
  summary: 'Let a customer release machines of a host again',
  description: 'Forget the counted releases of a host, so that its owner may release three machines again',
  params: z.strictObject({ hostId }),
  query: z.strictObject({ note: helpNote }),
  replies: { 200: host },
  errors: { 403: ['own_account'] },
})
