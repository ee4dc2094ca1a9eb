import { inFile, type Mutant } from './mutant.ts'

const H = 'features/help/server/'
const help = [`${H}help.test.ts`]
const D = 'features/drafting/'
const drafting = [`${D}server/drafting.test.ts`]
const A = 'features/support/answers/server/'
const times = [`${A}answers.test.ts`]
const M = 'features/support/mail/server/'

/** Mutants of who reads which article, of what a model is shown, of expected answers, and of what is taken in by mail. */
export const helpCentre: readonly Mutant[] = [
  ...inFile(`${H}public-queries.ts`, help, [
    [
      "where a.is_published and a.audience = 'everybody' order by",
      'where a.is_published order by',
      'articles of staff are on no public page',
    ],
    [
      "where a.id = ${id} and a.is_published and a.audience = 'everybody'",
      'where a.id = ${id}',
      'a public page needs a published text',
    ],
  ]),
  ...inFile(`${H}search-queries.ts`, help, [
    [
      "a.is_published and (${staff} or a.audience = 'everybody')",
      'a.is_published',
      'customers find no article of staff',
    ],
  ]),
  ...inFile(`${H}votes.ts`, help, [
    ['if (isForeign || (', 'if ((', 'a form on another site counts no vote'],
    ['if (!voteIn(request, article.id) && (', 'if ((', 'a browser votes once'],
  ]),
  ...inFile(`${H}publish.ts`, help, [
    [
      "if (row.version !== body.version) throw new HttpError(409, [{ code: 'changed' }])",
      '',
      'what was read is published',
    ],
    ['    await queries.deleteArticle(tx, row.id)\n', '', 'a deleted article is gone'],
    [
      "if (writtenIn(row).length === 0) throw new HttpError(409, [{ code: 'help_article_empty' }])",
      '',
      'no empty page',
    ],
  ]),
  ...inFile(`${D}server/prompt.ts`, drafting, [
    [
      `{ staff: false }, { before: undefined, after: undefined, limit: 40 }),
  ])
  const theirs = user?.locale ?? language
  const names = namesIn(profile ?? {})
  const clean = (text: string) => withoutPrivate(text, names).slice(0, MOST_OF_MESSAGE)
  const said = rows
    .filter((row) => row.kind === 'comment')`,
      `{ staff: true }, { before: undefined, after: undefined, limit: 40 }),
  ])
  const theirs = user?.locale ?? language
  const names = namesIn(profile ?? {})
  const clean = (text: string) => withoutPrivate(text, names).slice(0, MOST_OF_MESSAGE)
  const said = rows`,
      'a note goes to no model',
    ],
    [
      'const clean = (text: string) => withoutPrivate(text, names)',
      'const clean = (text: string) => text',
      'what is private goes to no model',
    ],
  ]),
  ...inFile(`${D}server/drafting.ts`, drafting, [
    [
      'if (!assistant?.topics.includes(ticket.topic))',
      'if (!assistant)',
      'a topic that is switched off goes to no model',
    ],
    ['plainAnswer(answer.text, publicOrigin)', 'answer.text', 'a draft links to this installation alone'],
  ]),
  ...inFile(
    `${D}rules.ts`,
    [`${D}rules.test.ts`],
    [
      [
        '  ...secretForms.map(([form, word]) => [new RegExp(form, `g${form.flags}`), word] as const),\n',
        '',
        'what is offered as a secret goes to no model',
      ],
      ['(?:${secretNames})', '(?:password)', 'a secret behind any of its names goes to no model'],
    ],
  ),
  ...inFile(`${A}answers.ts`, times, [
    [
      '    enqueue(tx, EXPECT_ANEW, {}, { key: EXPECT_ANEW.name })\n',
      '',
      'tickets that wait follow new hours',
    ],
    [
      'if (before.version !== version) return changedTo',
      'if (false) return changedTo',
      'rule 45 for hours and targets',
    ],
  ]),
  ...inFile(
    `${M}receive.ts`,
    [`${M}any-bytes.test.ts`],
    [['if (!isMail) return', 'if (false) return', 'bytes that are no mail are not taken for one another']],
  ),
  ...inFile(
    `${M}blocked.ts`,
    [`${M}blocked.test.ts`],
    [
      [
        "if (!(await queries.unblockSender(tx, body.email))) throw new HttpError(409, [{ code: 'changed' }])",
        '',
        'a block is lifted once',
      ],
    ],
  ),
  ...inFile(
    'features/support/messages/server/split-mails.ts',
    ['features/support/messages/server/split-mails.test.ts'],
    [['customer_seq <= told.seq', 'customer_seq < 0', 'what was mailed is not mailed again after a split']],
  ),
  ...inFile(
    'features/support/tickets/server/undo-acts.ts',
    ['features/support/desk/server/several.test.ts'],
    [['if (row.merged_into_id !== null)', 'if (false)', 'nothing is undone in a merged ticket']],
  ),
]
