import { inFile, type Mutant } from './mutant.ts'

const M = 'features/support/mail/server/'
const hostile = [`${M}hostile-mails.test.ts`]
const whole = [`${M}mail.test.ts`]

/** Mutants of the gates of mails that come in: who gets in, and into which ticket (decision 209). */
export const mailsIn: readonly Mutant[] = [
  ...inFile(`${M}address.ts`, hostile, [
    [
      'timingSafeEqual(Buffer.from(proofOf(key, purpose, named)), given)',
      'true',
      'an id alone is no address',
    ],
    [
      ':${ticket_id}:${user_id}:${purpose}`',
      ':${ticket_id}:${user_id}`',
      'an address for returns takes no answer',
    ],
    ['token.length !== ID_LETTERS + PROOF_LETTERS ||', '', 'an address that was cut off is none'],
  ]),
  ...inFile(`${M}judge.ts`, hostile, [
    ['read && row?.valid ?', 'read && row ?', 'an address whose time is over takes nothing'],
    [
      'if (!sender || (await personOf(app, sender.user_id)) !== user_id)',
      'if (false)',
      'the sender is that very person',
    ],
    ["forged ? { ...held, reason: 'forged' } :", '', 'a forged sender gets nowhere'],
    ["if (!account) return { do: 'hold', reason: 'stranger' }", '', 'a stranger opens no ticket'],
    [
      "if (others.length > 0) return { do: 'hold', reason: 'several_addresses' }",
      '',
      'one mail is in one ticket',
    ],
    [
      "if (isOwn(app, facts, from)) return { do: 'drop', reason: 'own_mail' }",
      '',
      'own mails are no answers',
    ],
  ]),
  ...inFile(
    `${M}judge.ts`,
    [`${M}blocked-customers.test.ts`],
    [
      [
        "verdict.do !== 'answer' && (await isBlocked())",
        '(await isBlocked())',
        'a proof stands above a block',
      ],
    ],
  ),
  ...inFile(`${M}mail.ts`, hostile, [
    ["local === local.normalize('NFKC') ?", 'true ?', 'letters that look alike are not alike'],
  ]),
  ...inFile(`${M}facts.ts`, hostile, [
    ['value === undefined || more.length > 0 ||', 'value === undefined ||', 'two senders are none'],
    ["bare.split('@').length !== 2 ||", '', 'an address in a name without quotes is no sender'],
    ["if (has('list-id') || has('list-unsubscribe')) return 'list'", '', 'lists are dropped'],
  ]),
  ...inFile(`${M}held.ts`, whole, [
    [
      'if (mail.user_id === actor.user_id || mail.owner_id === actor.user_id)',
      'if (false)',
      'nobody decides about their own mail',
    ],
    [
      "if (!canPost(mail)) throw new HttpError(409, [{ code: 'mail_not_postable' }])",
      '',
      'nobody posts a stranger’s mail',
    ],
  ]),
  ...inFile(
    `${M}held.ts`,
    [`${M}blocked-customers.test.ts`],
    [
      ["reason !== 'forged' && !proven", '!proven', 'nobody is blocked for what others forged'],
      ["reason !== 'forged' && !proven.has(from_address)", "reason !== 'forged'", 'no customer is blocked'],
    ],
  ),
  ...inFile(`${M}ticket-mails.ts`, whole, [
    [
      'isStaffView(ticket, actor) || !asked.some(({ id }) => id === params.mailId)',
      'false',
      'the person is asked, and nobody else',
    ],
  ]),
]
