import { inFile, type Mutant } from './mutant.ts'

const S = 'features/webhooks/server/'
const tests = [`${S}webhooks.test.ts`]
const changes = [`${S}changes.test.ts`]
const E = 'foundation/server/egress/'

/** Mutants of webhooks, and of the way to addresses that customers give. */
export const webhooks: readonly Mutant[] = [
  ...inFile(
    `${E}allowed-address.ts`,
    [`${E}egress.test.ts`],
    [
      ['if (never.check(address, type)) return false', '', 'no setting opens metadata'],
      [
        'return family === 4 || globalIpv6.check(address, type)',
        'return true',
        'an IPv6 address that carries another one is not public',
      ],
      ['OPENABLE.has(range) && opened', 'opened', 'only private ranges open'],
    ],
  ),
  ...inFile(
    `${E}judged-lookup.ts`,
    [`${E}egress.test.ts`],
    [
      [
        'if (!addresses.every((address) => isAllowedAddress(address, opened)))',
        'if (!addresses.some((address) => isAllowedAddress(address, opened)))',
        'one refused address refuses the name',
      ],
    ],
  ),
  ...inFile(`${S}note-outcome.ts`, tests, [
    [
      'if (!(await lanes.moveOn(tx, lane, event.seq, LEASE_s))) return false',
      'await lanes.moveOn(tx, lane, event.seq, LEASE_s)',
      'the cursor moves with the success',
    ],
    ['attempt.status === rules.GONE', 'false', '410 disables'],
    [
      'rules.givesWay(failed.failures, failed.hours) && (await hasMore(tx, { endpoint, lane, event }))',
      'failed.failures > 19',
      'an event gives way where others wait',
    ],
  ]),
  ...inFile(
    `${S}note-outcome.ts`,
    [`${S}operator.test.ts`],
    [
      [
        'page.events.some((one) => laneOf(endpoint, one) === lane.lane)',
        'page.events.length > 0',
        'an event gives way to others of its lane alone',
      ],
      ['if (!page.hasMore) return false', 'return false', 'the next event of a lane may be far behind'],
    ],
  ),
  ...inFile(`${S}endpoints.ts`, changes, [
    ['if (isMoved && by.actor) assertRecent(app, by.actor)', '', 'another URL wants a proof'],
    ['if (isMoved && by.actor)', 'if (by.actor)', 'a pause wants no proof'],
    ['url_host: urlHost(url)', 'url', 'the audit names the host of a webhook alone'],
    ['if (isMoved) await queries.retryNow(tx, id)', '', 'a mended address is tried at once'],
  ]),
  ...inFile(`${S}deliver.ts`, changes, [
    [
      'if (!isWanted(endpoint, event)) return moveOn(app, lane, event.seq)',
      '',
      'what an endpoint no longer wants is not sent',
    ],
  ]),
  ...inFile(
    `${S}deliver.ts`,
    [`${S}turns.test.ts`],
    [[' || performance.now() >= end_ms', '', 'a slow program gives its place away']],
  ),
  ...inFile(
    `${S}feature.ts`,
    [`${S}forget-erased.test.ts`],
    [['planForgetting(tx)\n', '\n', 'answers about an erased account are forgotten']],
  ),
  ...inFile(
    `${S}forget-erased.ts`,
    [`${S}forget-erased.test.ts`],
    [
      [
        'await goneNumbers(tx, OPERATOR, await answeredNumbers(tx))',
        'await answeredNumbers(tx)',
        'answers about others are kept',
      ],
    ],
  ),
  ...inFile(
    'features/webhooks/web/change-webhook.tsx',
    ['features/webhooks/web/change-webhook.test.tsx'],
    [
      [
        'await withProof(() => call(callsOf(side).change, input))',
        'await call(callsOf(side).change, input)',
        'the page gives the proof that another URL wants',
      ],
    ],
  ),
  ...inFile(`${S}send.ts`, tests, [['.sign(id, at, body))', ".sign(id, at, ''))", 'what is sent is signed']]),
  ...inFile(`${S}due-lane-queries.ts`, tests, [
    ['where place <= case when', 'where true or place <= case when', 'an account holds its share of places'],
  ]),
  ...inFile(`${S}judge-endpoint.ts`, tests, [
    ['.length < wanted.size)', '.length < 0)', 'an endpoint hears of own servers alone'],
    ["if (refusal) throw badRequest(REFUSALS[refusal], 'url')", '', 'an endpoint is public and https'],
  ]),
  ...inFile(`${S}secrets.ts`, tests, [
    [
      'old_secret_until !== null && old_secret_until > now',
      'old_secret_until !== null',
      'a replaced secret ends',
    ],
  ]),
  ...inFile(`${S}queries.ts`, tests, [
    [
      '${shown} where e.id = ${id}::uuid and ${ofOwner(owner)}',
      '${shown} where e.id = ${id}::uuid and (${ofOwner(owner)} or true)',
      'an endpoint is its owner’s alone',
    ],
  ]),
]
