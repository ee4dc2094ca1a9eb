import { CatchBoundary } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { ComponentType } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { inAct, render } from '#tests/web/render.tsx'
import { m } from '#texts/messages.js'
import { lazyPage, lazyPart, PageLoadError, useShown } from './lazy-page.tsx'

/** Opens a page with a part below its first view. `shown` collects each state that the page has rendered. */
async function open(load: () => Promise<ComponentType>) {
  const Part = lazyPage(load)
  const shown: string[] = []
  function First() {
    const hasShown = useShown(Part.isLoaded)
    shown.push(hasShown ? 'all' : 'first view')
    return (
      <>
        <h1>First</h1>
        <Suspense fallback={null}>{hasShown ? <Part /> : null}</Suspense>
      </>
    )
  }
  const again = () =>
    render(
      <CatchBoundary
        getResetKey={() => ''}
        errorComponent={({ error }) => <p>{error instanceof PageLoadError ? 'did not load' : 'broke'}</p>}
      >
        <First />
      </CatchBoundary>,
    )
  await again()
  return { shown, again }
}

it('a part below the first view comes when that has shown, and a second time at once', async () => {
  const { shown, again } = await open(async () => () => <p>below</p>)
  await expect.element(page.getByText('below')).toBeVisible()
  expect(shown[0]).toBe('first view')
  shown.splice(0)
  await again()
  expect(shown[0]).toBe('all')
})

// This failed when a fetch took long: each render fetched again, and the page waited for ever.
it.each([0, 200])('R-17 where it does not load within %i ms, the page has failed', async (wait_ms) => {
  let fetched = 0
  const { shown } = await open(async () => {
    fetched += 1
    await new Promise((resolve) => setTimeout(resolve, wait_ms))
    throw new TypeError('Failed to fetch')
  })
  await expect.element(page.getByText('did not load')).toBeVisible()
  expect(shown[0]).toBe('first view')
  expect(fetched).toBe(1)
})

// This failed while nothing stood between a part and the page: a part that threw replaced the form beside it.
it('a part that throws fails in its place, and another try draws it anew', async () => {
  let broken = true
  const Part = lazyPart(async () => () => {
    if (broken) throw new TypeError('broken')
    return <p>the terms</p>
  })
  await render(
    <CatchBoundary getResetKey={() => ''} errorComponent={() => <p>the page is gone</p>}>
      <input aria-label="Amount" />
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </CatchBoundary>,
  )
  const failure = page.getByText(m.ui_part_failed())
  await expect.element(failure).toBeVisible()
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.fill('33')
  await page.getByRole('button', { name: m.ui_retry() }).click()
  await expect.element(failure).toBeVisible()
  broken = false
  await page.getByRole('button', { name: m.ui_retry() }).click()
  await expect.element(page.getByText('the terms')).toBeVisible()
  await expect.element(amount).toHaveValue('33')
})

// This failed while a part threw as a page does: a form, half filled in, was gone with the part below it when the network was away.
it('a part that does not load leaves the page as it is, and comes when the network is back', async () => {
  let fetched = 0
  const Part = lazyPart(async () => {
    fetched += 1
    if (fetched < 3) throw new TypeError('Failed to fetch')
    return () => <p>the terms</p>
  })
  function Form() {
    const [typed, setTyped] = useState('')
    return (
      <>
        <input aria-label="Amount" value={typed} onChange={({ target }) => setTyped(target.value)} />
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </>
    )
  }
  await render(<Form />)
  const amount = page.getByRole('textbox', { name: 'Amount' })
  const failure = page.getByText(m.ui_load_failed())
  await expect.element(failure).toBeVisible()
  await amount.fill('33')
  expect(fetched, 'a page that is drawn anew does not fetch again').toBe(1)
  await inAct(() => window.dispatchEvent(new Event('online')))
  await expect.element(failure).toBeVisible()
  expect(fetched).toBe(2)
  await page.getByRole('button', { name: m.ui_retry() }).click()
  await expect.element(page.getByText('the terms')).toBeVisible()
  await expect.element(amount).toHaveValue('33')
})
