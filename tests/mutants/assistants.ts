import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/assistants/server/assistants.test.ts']

/** Mutants of what assistants propose: nothing of it happens until a person confirms it. */
export const assistants: readonly Mutant[] = [
  ...inFile('foundation/server/http/proposing.ts', tests, [
    ["tool === 'propose' && headers[HEADER] === KEY", 'false', 'a tool that proposes moves nothing'],
  ]),
  ...inFile('foundation/server/approvals/with-approval.ts', tests, [
    [
      'asked.always || proposing',
      'asked.always',
      'what an assistant asks of staff waits, whatever its amount',
    ],
  ]),
  ...inFile('features/assistants/server/queries.ts', tests, [
    ["(status = 'proposed' and expires_at > clock_timestamp()", '(true', 'a proposal is decided once'],
    [
      "and ${status} = 'confirmed' and done_at is null",
      "and ${status} = 'confirmed'",
      'what is done is not tried again',
    ],
    [
      "and ${status} = 'confirmed' and done_at is null",
      'and done_at is null',
      'what is confirmed is not refused',
    ],
    ['and (tried_at is null or tried_at < ', 'and (true or tried_at < ', 'two presses are not two calls'],
    ['and decided_at > now() - make_interval(days => ${TRIED_D})', '', 'no attempt outlives its key'],
    ['where id = ${id} and owner_id = ${owner_id} and', 'where id = ${id} and', 'by its owner'],
  ]),
  ...inFile('features/assistants/server/proposals.ts', tests, [
    ["headers: { 'idempotency-key': row.id }", 'headers: {}', 'a call is made with the id of its proposal'],
    ["fieldNames(tool.body).includes('client_id')", 'false', 'or is the same message by it'],
  ]),
  ...inFile('features/assistants/server/tools.ts', tests, [
    [
      'if (ids.some((id) => typeof id !== ',
      'if (ids.every((id) => typeof id !== ',
      'no id leads to another call',
    ],
    [
      "if (!caller.robot) return access.who === 'customer'",
      'if (!caller.robot) return true',
      'a token has the tools of its kind',
    ],
  ]),
  ...inFile('features/assistants/server/mcp.ts', tests, [
    [
      'if (!app.config.assistants) throw notFound()',
      '',
      'assistants are off until somebody switches them on',
    ],
    ["json.replaceAll('<', String.raw`\\u003c`)", 'json', 'no text ends the mark of data'],
  ]),
]
