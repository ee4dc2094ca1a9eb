import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openAt } from '#tests/web/routed-pages.tsx'
import { anyText, oneOf, useUrlFilter } from './url-filter.ts'

const shape = { q: anyText, kind: oneOf(['one', 'two']) }

function Filtered() {
  const [filter, change, clear] = useUrlFilter(
    shape,
    (values) => `/list?${new URLSearchParams(values as Record<string, string>).toString()}`,
  )
  const both = () => {
    change({ q: 'lind' })
    change({ kind: 'two' })
  }
  return (
    <>
      <h1>{JSON.stringify(filter)}</h1>
      <button onClick={both}>Both</button>
      <button onClick={() => change({ q: '' })}>Without text</button>
      <button onClick={clear}>Clear</button>
    </>
  )
}

it('keeps a change that is not drawn yet when the next one comes, and the values of another list', async () => {
  const { address } = await openAt('/list?other=1&kind=none', [
    { path: '/list', page: () => Promise.resolve(Filtered), title: () => 'A list' },
  ])
  await userEvent.click(page.getByRole('button', { name: 'Both' }))
  await expect.element(page.getByRole('heading')).toHaveTextContent('{"q":"lind","kind":"two"}')
  await expect.poll(address).toMatch(/^\/list\?other=.*1.*&q=lind&kind=two$/)
  await userEvent.click(page.getByRole('button', { name: 'Without text' }))
  await expect.poll(address).toMatch(/^\/list\?other=.*1.*&kind=two$/)
  await userEvent.click(page.getByRole('button', { name: 'Clear' }))
  await expect.poll(address).toMatch(/^\/list\?other=[^&]*$/)
})
