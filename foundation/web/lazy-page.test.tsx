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

it('R-17 where it does not load, the page has failed', async () => {
  const { shown } = await open(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect.element(page.getByText('did not load')).toBeVisible()
  expect(shown[0]).toBe('first view')
})
