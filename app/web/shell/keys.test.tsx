import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { letterKeys } from '#foundation/web/letter-keys.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { openAt } from '#tests/web/routed-pages.tsx'
import { visible } from '#tests/web/server-pages.tsx'
import { Keys } from './keys.tsx'

const Rows = () => (
  <main id="content">
    <h1>Rows</h1>
    {['one', 'two', 'three'].map((name) => (
      <Link key={name} to={`/row/${name}`} data-row>
        {name}
      </Link>
    ))}
    <Keys />
  </main>
)
const Row = () => <h1>One row</h1>

beforeEach(() => letterKeys.switchTo(true))

it('j and k walk through the rows of a list, and Enter opens one', async () => {
  const { address } = await openAt('/rows', [
    { path: '/rows', page: () => Promise.resolve(Rows), title: () => 'Rows' },
    { path: '/row/$name', page: () => Promise.resolve(Row), title: () => 'Row' },
  ])
  await visible('three')
  await userEvent.keyboard('jjkj')
  await expect.element(page.getByRole('link', { name: 'two' })).toHaveFocus()
  await userEvent.keyboard('kkk')
  await expect.element(page.getByRole('link', { name: 'one' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/row/one')
})
