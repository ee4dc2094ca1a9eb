import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/support/desk/absence-contract.ts'
import { listColleagues } from '#features/support/desk/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [olivia, jonas, anna] = [
  await signedInStaff(test),
  await signedInStaff(test),
  await signedInCustomer(test),
]
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const seen = async ({ api } = jonas) =>
  bodyOf(await api.call(listColleagues, {}), 200).items.find(({ id }) => id === olivia.user_id)?.away
const goAway = (until: string, from: string | null, note?: string) =>
  olivia.api.call(contract.setAbsence, { body: { until, from, ...(note === undefined ? {} : { note }) } })

it('an absence is read at the name until its last day, and ends by itself or by hand', async () => {
  expect(await seen()).toBeNull()
  const week = dayIn(7)
  expect(await goAway(week, null, 'Ask Jonas')).toMatchObject({ status: 200 })
  expect(await seen()).toEqual({ until: week, note: 'Ask Jonas' })
  expect(await seen(olivia)).toEqual({ until: week, note: 'Ask Jonas' })
  // A tab that saw none, or another day, is told of the present absence.
  expect(await goAway(dayIn(3), null)).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'changed' }], present: { until: week } },
  })
  expect(bodyOf(await goAway(dayIn(3), week), 200)).toEqual({ until: dayIn(3), note: '' })
  for (const until of [dayIn(-2), dayIn(400)])
    expect(await goAway(until, dayIn(3))).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'past_time', param: 'until' }] },
    })
  await superuser.query(`update desk_absences set until = current_date - 2`)
  expect(await seen()).toBeNull()
  expect((await goAway(week, null)).status).toBe(200)
  for (const _twice of [1, 2]) expect((await olivia.api.call(contract.endAbsence, {})).status).toBe(204)
  expect(await seen()).toBeNull()
  expect((await anna.api.delete('/api/staff/absence/')).status).toBe(403)
  // The audit holds each change, no refused day, and one end.
  const { rows } = await superuser.query<object>(
    `select act, detail, request_id is not null as is_traced from audit where act like 'desk.absence%' order by id`,
  )
  const by = olivia.user_id
  expect(rows).toEqual([
    { act: 'desk.absence_set', detail: { by, until: week }, is_traced: true },
    { act: 'desk.absence_set', detail: { by, until: dayIn(3) }, is_traced: true },
    { act: 'desk.absence_set', detail: { by, until: week }, is_traced: true },
    { act: 'desk.absence_ended', detail: { by, until: week }, is_traced: true },
  ])
})
