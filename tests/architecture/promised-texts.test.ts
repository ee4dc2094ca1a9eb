// The sentences that the product promises word for word (rows V-07 and K-04) may be in the texts of any feature.
import { expect, it } from 'vitest'
import { jobs, routes } from '#app/server/features.ts'
import { checkout } from './rules/tree.ts'
import { promisedActs, SAY_NOTHING } from './staff-acts.ts'

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

// The sentences that say to whom to write, or what "we" do.
const NAMES_AN_ACT =
  /\b(?:contact|write to (?:us|support|our)|(?:open|in) a ticket|tell us|ask (?:us|our|support)|we[’']ll|we will|us in|our support|support (?:team )?(?:will|can)|let us know|reach us|talk to us|get in touch)\b/iu

// Seen red: "we will change it for you", "we'll make room" and "write to support if you need more" had no call of staff.
it('each sentence that promises an act of staff is listed with the call that does it', () => {
  const promising = Object.entries(english)
    .filter(([key, text]) => !key.startsWith('act_') && NAMES_AN_ACT.test(JSON.stringify(text)))
    .map(([key]) => key)
  const missing = promising.filter((key) => !(key in promisedActs) && !SAY_NOTHING.includes(key))
  expect(missing, 'Add them to staff-acts.ts with the call; write the call if there is none.').toEqual([])
  const gone = Object.keys(promisedActs).filter((key) => !promising.includes(key))
  expect(gone, 'These texts promise nothing any more.').toEqual([])
})

it('the acts that texts promise are calls of staff, or calls and jobs of the product', () => {
  const ofStaff = new Set<string>(
    routes.filter(({ contract }) => contract.access.who === 'staff').map(({ contract }) => contract.id),
  )
  const ofProduct = new Set<string>([
    ...routes.map(({ contract }) => contract.id),
    ...jobs.map(({ name }) => name),
  ])
  const unknown = Object.entries(promisedActs).flatMap(([key, act]) =>
    'staff' in act
      ? act.staff.filter((id) => !ofStaff.has(id)).map((id) => `${key}: ${id}`)
      : ofProduct.has(act.itself)
        ? []
        : [`${key}: ${act.itself}`],
  )
  expect(unknown).toEqual([])
})
