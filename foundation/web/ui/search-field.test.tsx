import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '#tests/web/render.tsx'
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
