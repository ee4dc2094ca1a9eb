import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { place } from '#foundation/contract.ts'
import { render } from '#tests/web/render.tsx'
import { fill, fillPlaces, Place, preloadPlaces } from './slots.tsx'

const greeting = place<{ name: string }>('tests.greeting')

it('shows what was put into a place, in order, with what the page hands over', async () => {
  let loads = 0
  fillPlaces([
    fill(greeting, async () => {
      loads += 1
      return ({ name }) => <p>Hello {name}</p>
    }),
    fill(place<object>('tests.other'), async () => () => <p>elsewhere</p>),
    fill(greeting, async () => ({ name }) => <p>Goodbye {name}</p>),
  ])
  await preloadPlaces(greeting)
  await render(<Place of={greeting} props={{ name: 'Anna' }} />)
  await expect.element(page.getByText('Goodbye Anna')).toBeVisible()
  expect(document.body.textContent).toMatch(/Hello Anna.*Goodbye Anna/)
  expect(document.body.textContent).not.toContain('elsewhere')
  expect(loads).toBe(1)
  fillPlaces([])
})
