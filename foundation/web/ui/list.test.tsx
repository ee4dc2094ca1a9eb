import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import '#app/web/styles.css'
import { must } from '#foundation/must.ts'
import { render } from '#tests/web/render.tsx'
import { List, ListRow, TitleAmount } from './list.tsx'

it('an amount at the begin of a title stands apart from what follows, for eyes and for screen readers', async () => {
  await render(
    <List label="Payments">
      <ListRow
        title={
          <>
            <TitleAmount amount={{ amount: '9000', currency: 'EUR' }} />
            <bdi>Anna Berger</bdi>
          </>
        }
        actions={<button type="button">Book</button>}
      />
    </List>,
  )
  await expect
    .element(page.getByRole('group', { name: '€90.00 Anna Berger', exact: true }))
    .toBeInTheDocument()
  const name = must(document.querySelector('bdi'))
  const amount = must(name.previousElementSibling)
  const gap = name.getBoundingClientRect().left - amount.getBoundingClientRect().right
  expect(gap).toBeGreaterThanOrEqual(4)
})
