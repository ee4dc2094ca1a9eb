import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { inAct, render } from '#tests/web/render.tsx'
import { SearchField } from './search-field.tsx'

const searches: string[] = []

async function open() {
  searches.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await render(
    <SearchField label="Find" placeholder="" value="" onSearch={(text) => void searches.push(text)} />,
  )
}
afterEach(() => void vi.useRealTimers())

it('searches once after the last key', async () => {
  await open()
  await userEvent.type(page.getByRole('searchbox'), 'ann')
  expect(searches).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(searches).toEqual(['ann'])
})

it.each(['{Tab}', '{Enter}'])('searches at %s and not again later, when a row may be open', async (key) => {
  await open()
  await userEvent.type(page.getByRole('searchbox'), 'anna')
  await userEvent.keyboard(key)
  expect(searches).toEqual(['anna'])
  vi.advanceTimersByTime(1000)
  expect(searches).toEqual(['anna'])
})

it('does not search when a person leaves the field without typing', async () => {
  await open()
  await userEvent.click(page.getByRole('searchbox'))
  await userEvent.keyboard('{Tab}')
  expect(searches).toEqual([])
})

it('receives the focus on the key /, which is not typed into the field', async () => {
  await open()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await expect.element(page.getByRole('searchbox')).toHaveValue('')
})

/** A list whose rows are others after each search, as those of a page are. A press on a row may lead to another page. */
function List({ press }: { press: () => void }) {
  const [search, setSearch] = useState('')
  const onSearch = (text: string) => {
    searches.push(text)
    setSearch(text)
  }
  return (
    <>
      <SearchField label="Find" placeholder="" value={search} onSearch={onSearch} />
      <button key={search} type="button" onClick={press}>
        Anna
      </button>
    </>
  )
}

/** Types into the field and at once presses a row, whose click comes when the press is over. A row that is gone by then gets none. */
async function typeAndPress(press: () => void) {
  searches.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await render(<List press={press} />)
  await userEvent.type(page.getByRole('searchbox'), 'anna')
  const row = page.getByRole('button').element() as HTMLElement
  row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await inAct(() => row.focus())
  row.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  if (row.isConnected) await inAct(() => row.click())
  await inAct(() => vi.advanceTimersByTime(1000))
}

it('loses no press on a row right after typing, and searches when the press is over', async () => {
  const press = vi.fn(() => expect(searches).toEqual([]))
  await typeAndPress(press)
  expect(press).toHaveBeenCalledOnce()
  expect(searches).toEqual(['anna'])
})

it('does not search after a press that led to another page', async () => {
  const before = window.location.href
  await typeAndPress(() => window.history.pushState(null, '', '/elsewhere'))
  expect(window.location.pathname).toBe('/elsewhere')
  window.history.replaceState(null, '', before)
  await userEvent.click(page.getByRole('searchbox'))
  await userEvent.keyboard('{Tab}')
  expect(searches).toEqual([])
})
