import { expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import { isDelegable } from './delegable.ts'

it('O-02: a tab that acts names the account with every call for helpers', () => {
  const calls = routes.map(({ contract }) => contract)
  const forHelpers = calls.filter(
    ({ access }) => access.who === 'customer' && typeof access.acts === 'object',
  )
  expect(forHelpers.length).toBeGreaterThan(5)
  // A ticket says whose it is, and a file that a person uploads is theirs until a message uses it.
  const saysWhose = /\{(?:chatId|attachmentId)\}|^\/api\/attachments\/$/
  expect(forHelpers.filter(({ path }) => isDelegable(path) === saysWhose.test(path))).toEqual([])
  const own = calls.filter(({ access }) => access.who === 'customer' && access.acts === 'own')
  expect(own.filter(({ path }) => isDelegable(path))).toEqual([])
})
