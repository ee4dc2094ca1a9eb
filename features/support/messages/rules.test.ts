import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf, mailDue, mailTimes } from './rules.ts'
import { must } from '#foundation/must.ts'

it.each([
  ['Hello', 'Hello'],
  ['**Done.** See [the guide](https://example.com/x)', 'Done. See the guide'],
  [
    '> you said\n\n# m h dom\n* * * * * run\n~~~ disk ~~~',
    'you said\n# m h dom\n* * * * * run\n~~~ disk ~~~',
  ],
  ['1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\n6 …'],
  ['x'.repeat(600), `${'x'.repeat(500)} …`],
  ['😀'.repeat(501), `${'😀'.repeat(500)} …`],
])(
  '07-pasted-message: a mail shows the first lines without marks, and every other letter: %s',
  (text, shown) => {
    expect(excerptOf(text)).toBe(shown)
  },
)

it.each([
  'Your password is `hunter2-hunter2`.',
  'Use this:\n```\nhunter2-hunter2\n```\nBye',
  'Use this:\n```sh\nhunter2-hunter2',
  'Use this:\n~~~\nhunter2-hunter2\n~~~',
  '``hunter2-hunter2``',
])('text marked as code, as keys and passwords are, goes into no mail: %j', (text) => {
  expect(excerptOf(text)).not.toContain('hunter2')
  expect(excerptOf(text)).toContain('[…]')
})

describe('when a mail of replies is due', () => {
  /**
   * Simulates one ticket with replies of staff, and readings by the customer, at the given seconds. Returns the mails: for each its second,
   * and the seconds of its replies.
   */
  function run(replies: readonly number[], readings: readonly number[] = []) {
    const mails: { at: number; replies: number[] }[] = []
    let unmailed: number[] = []
    let last_mailed: number | undefined
    let due: number | undefined
    const end = Math.max(0, ...replies, ...readings) + 3600
    for (let now = 0; now <= end; now += 1) {
      if (due !== undefined && now >= due) {
        mails.push({ at: now, replies: unmailed })
        unmailed = []
        last_mailed = now
        due = undefined
      }
      if (readings.includes(now)) {
        unmailed = []
        last_mailed = undefined
        due = undefined
      }
      for (const at of replies.filter((at) => at === now)) {
        due = mailDue({ first_unmailed: unmailed[0], last_mailed }, now)
        unmailed.push(at)
      }
    }
    return mails
  }
  const times = fc.array(fc.nat(4000), { maxLength: 40 })

  it('is two quiet minutes after the last, ten after the first, fifteen after the last mail', () => {
    expect(run([0, 30, 60, 90, 120, 150, 185]).map(({ at }) => at)).toEqual([305])
    const half_an_hour = Array.from({ length: 500 }, (_, place) => Math.floor(place * 3.6))
    expect(run(half_an_hour).map(({ at }) => at / 60)).toEqual([10, 25, 40])
    // Replies that were read are not mailed any more, and the next mail need not keep its distance from the last one.
    expect(run([0, 300], [200]).map((mail) => mail)).toEqual([
      { at: 120, replies: [0] },
      { at: 420, replies: [300] },
    ])
  })

  it('never mails twice within fifteen minutes unread, late, or one reply twice or not at all', () => {
    fc.assert(
      fc.property(times, (given) => {
        const replies = given.toSorted((one, other) => one - other)
        const mails = run(replies)
        expect(mails.flatMap((mail) => mail.replies)).toEqual(replies)
        for (const [place, { at, replies: told }] of mails.entries()) {
          const before = mails[place - 1]?.at ?? -Infinity
          expect(at - before).toBeGreaterThanOrEqual(mailTimes.apart_s)
          expect(at).toBeLessThanOrEqual(
            Math.max(must(told[0]) + mailTimes.latest_s, before + mailTimes.apart_s),
          )
          expect(at).toBeGreaterThanOrEqual(
            Math.min(must(told.at(-1)) + mailTimes.quiet_s, must(told[0]) + mailTimes.latest_s),
          )
        }
      }),
      { numRuns: 50 },
    )
  })
})
