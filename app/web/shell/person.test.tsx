import { expect, it } from 'vitest'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { openAt } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { useProfileFailure } from './person.ts'

it('V-07 T-03 shows by a toast, with reason and request id, that the profile could not be fetched', async () => {
  clearToasts()
  await reply('GET /api/users/detail/', {
    status: 500,
    headers: { 'x-request-id': 'req-9' },
    body: { status: 500, errors: [{ code: 'unknown', message: '' }] },
  })
  await openAt('/any', [{ path: '/any', page: () => Promise.resolve(AnyPage), title: () => 'Any page' }])
  const told = () => currentToasts().map(({ message }) => toastText(message))
  await expect.poll(told).toEqual(['Failed to fetch user profile'])
  expect(toastText(currentToasts()[0]?.extended ?? '')).toContain('req-9')
})

function AnyPage() {
  useProfileFailure()
  return <h1>Any page</h1>
}
