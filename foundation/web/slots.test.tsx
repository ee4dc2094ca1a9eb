import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { slot } from '#foundation/contract.ts'
import { render } from '#tests/web/render.tsx'
import { provideSlot, registerSlots, Slot, preloadSlots } from './slots.tsx'

const greeting = slot<{ name: string }>('tests.greeting')

it('shows what was put into a place, in order, with what the page hands over', async () => {
  let loads = 0
  registerSlots([
    provideSlot(greeting, async () => {
      loads += 1
      return ({ name }) => <p>Hello {name}</p>
    }),
    provideSlot(slot<object>('tests.other'), async () => () => <p>elsewhere</p>),
    provideSlot(greeting, async () => ({ name }) => <p>Goodbye {name}</p>),
  ])
  await preloadSlots(greeting)
  await render(<Slot of={greeting} props={{ name: 'Anna' }} />)
  await expect.element(page.getByText('Goodbye Anna')).toBeVisible()
  expect(document.body.textContent).toMatch(/Hello Anna.*Goodbye Anna/)
  expect(document.body.textContent).not.toContain('elsewhere')
  expect(loads).toBe(1)
  registerSlots([])
})
