import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import type { AnswerTimes } from '#features/support/answers/contract.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/answer-times/'
const office = { from: '09:00', to: '17:00' }
const times: AnswerTimes = {
  zone: 'Europe/Berlin',
  hours: [office, office, office, office, office, null, null],
  holidays: [{ day: '2026-12-25', name: 'Christmas Day' }],
  targets: [{ edition: null, items: [{ priority: 'medium', first_minutes: 240, next_minutes: 480 }] }],
  editions: [{ slug: 'business', name: { en: 'Business', de: 'Business', ru: 'Бизнес' } }],
  may_change: true,
  version: 3,
}

const open = async (body: AnswerTimes = times) => {
  await reply(`GET ${own}`, { status: 200, body })
  await openAt('/staff-tickets/times', routes)
  await expect.element(page.getByRole('heading', { name: 'Expected answers' })).toBeVisible()
}
const bodyOf = async (method: string, path: string) =>
  JSON.parse((await sent(method, path)).at(-1)?.body ?? '{}') as unknown
const save = () => userEvent.click(page.getByRole('button', { name: 'Save' }))

beforeEach(startAnew)

it('hours are shown by the day and changed as they are typed; what is none is said at its field', async () => {
  await reply(`PATCH ${own}`, { status: 200, body: { ...times, version: 4 } })
  await open()
  await expect.element(page.getByText('09:00–17:00').first()).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Change hours' }))
  await userEvent.fill(page.getByLabelText('Saturday'), '14-10')
  await save()
  await expect.element(page.getByLabelText('Saturday')).toHaveAttribute('aria-invalid', 'true')
  await userEvent.fill(page.getByLabelText('Saturday'), '10-14')
  await save()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(await bodyOf('PATCH', own)).toEqual({
    hours: [...times.hours.slice(0, 5), { from: '10:00', to: '14:00' }, null],
    holidays: times.holidays,
    version: 3,
  })
})

it('rule 45: hours that a colleague changed meanwhile stay theirs', async () => {
  const theirs = { ...times, hours: [null, ...times.hours.slice(1)], version: 4 }
  const errors = [{ code: 'changed', message: 'This was changed since it was read.' }]
  await reply(
    `PATCH ${own}`,
    { status: 409, body: { status: 409, errors, present: theirs } },
    { status: 200, body: { ...theirs, version: 5 } },
  )
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Change hours' }))
  await userEvent.fill(page.getByLabelText('Time zone'), 'Europe/Vienna')
  await save()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(await bodyOf('PATCH', own)).toMatchObject({ zone: 'Europe/Vienna', hours: theirs.hours, version: 4 })
})

it('an edition gets targets of its own, in hours; emptied it counts with all others', async () => {
  const targets = `${own}targets/`
  await reply(`PUT ${targets}`, { status: 200, body: { ...times, version: 4 } })
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Targets for an edition' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Business' }))
  await userEvent.fill(page.getByLabelText('Critical: first answer, hours'), '0.5')
  await save()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(await bodyOf('PUT', targets)).toMatchObject({
    edition: 'business',
    items: [{ priority: 'critical', first_minutes: 30, next_minutes: null }, {}, {}, {}, {}],
    version: 3,
  })
  await userEvent.click(page.getByRole('button', { name: 'Change targets: All others' }))
  await userEvent.fill(page.getByLabelText('Medium: first answer, hours'), '')
  await userEvent.fill(page.getByLabelText('Medium: next answer, hours'), '')
  await save()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(await bodyOf('PUT', targets)).toEqual({ edition: null, items: [], version: 3 })
})

it('a member who may not change them reads them, and a desk without hours says that nothing is promised', async () => {
  await open({ ...times, hours: times.hours.map(() => null), may_change: false })
  await expect.element(page.getByText(/Nothing is promised yet/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Change|Targets for/ })).not.toBeInTheDocument()
})
