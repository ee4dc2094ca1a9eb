import { CatchBoundary } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '#tests/web/render.tsx'
import { lazyPage, PageLoadError, useShown } from './lazy-page.tsx'

/** A page with a part below its first view, and all that it has shown, in order. */
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

// Red where a fetch took its time: each render fetched again, and the page waited for ever.
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
