// The sentences that the product promises word for word (rows V-07 and K-04) may be in the texts of any feature.
import { expect, it } from 'vitest'
import { checkout } from './rules/tree.ts'

const tree = checkout()
const texts = (language: string): Record<string, unknown> =>
  Object.assign(
    {},
    ...tree.paths
      .filter((path) => path.endsWith(`/messages/${language}.json`))
      .map((path) => JSON.parse(tree.read(path)) as Record<string, unknown>),
  ) as Record<string, unknown>
const [english, german, russian] = [texts('en'), texts('de'), texts('ru')]

it.each([
  'Session expired. Login again to proceed',
  'You are not allowed to access this section',
  'Failed to login. Server error',
  'Failed to submit 2FA code',
  'Signup failure',
  'Failed to change password',
  'Failed to activate 2FA',
  'Failed to deactivate 2FA',
  'Failed to fetch user profile',
  'Profile update error',
  'Profile delete error',
  'Please sign in with your password',
  'See you soon',
  'Field is required',
  'Enter a valid email address',
])('V-07 says in three languages: %s', inThreeLanguages)

it.each([
  'Failed to fetch tickets',
  'Failed to fetch ticket',
  'Failed to fetch messages',
  'Failed to update ticket',
  'Failed to create ticket',
  'Failed to close ticket',
  'Ticket not found',
  'Failed to upload attachments',
])('K-04 says in three languages: %s', inThreeLanguages)

function inThreeLanguages(sentence: string): void {
  const keys = Object.keys(english).filter((key) => String(english[key]).includes(sentence))
  expect(keys, `no text says "${sentence}"`).not.toEqual([])
  for (const key of keys) {
    expect(german[key], key).toMatch(/\p{L}/u)
    expect(german[key], key).not.toBe(english[key])
    expect(russian[key], key).toMatch(/\p{Script=Cyrillic}/u)
  }
}

it('V-07 leaves no Russian text without a Russian word, and no German one in English', () => {
  const untranslated = (texts: Record<string, unknown>) =>
    Object.keys(english).filter(
      (key) =>
        english[key] === texts[key] &&
        // The rule is for texts with several words: "{author}, {time}:" has no word to translate.
        /\p{L}.* | .*\p{L}/u.test(String(english[key]).replaceAll(/\{\w+\}/g, '')),
    )
  expect(untranslated(german)).toEqual([])
  expect(untranslated(russian)).toEqual([])
})
