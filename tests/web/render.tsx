import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { expect } from 'vitest'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

const roots: [Root, HTMLElement][] = []

/** Renders a node into the page of the test. It is removed after each test. */
export async function render(node: ReactNode): Promise<HTMLElement> {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  roots.push([root, container])
  await inAct(() => root.render(node))
  return container
}

/** Lets React finish what `work` began before the test looks. */
export async function inAct(work: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  await act(async () => {
    await work()
  })
  globalThis.IS_REACT_ACT_ENVIRONMENT = false
}

/**
 * Clicks without the pointer: after a change of the window's size, the headless browser no longer paints in time for the driver, which
 * waits for the element to be at rest.
 */
export async function press(target: { element: () => Element }): Promise<void> {
  await expect.poll(() => target.element()).toBeInstanceOf(HTMLElement)
  await inAct(() => (target.element() as HTMLElement).click())
}

/** Removes everything that was rendered. */
export async function takeAway(): Promise<void> {
  for (const [root, container] of roots.splice(0)) {
    await inAct(() => root.unmount())
    container.remove()
  }
}
