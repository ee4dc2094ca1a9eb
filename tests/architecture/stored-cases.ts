import type { Case } from './small-trees.ts'

const rule = 'an answer stores only what is still asked for'

/** Small trees in which an answer stores something whatever has happened since its call began (rules.test.ts). */
export const stored: Case[] = [
  {
    rule,
    broken: { 'features/hosts/web/hooks.ts': 'keepAnswer({ seen: seeNow() }, key, answer.body)' },
    says: 'features/hosts/web/hooks.ts: pass the answer of the call',
    mended: { 'features/hosts/web/hooks.ts': 'keepAnswer(answer, key, answer.body)' },
  },
  {
    rule,
    broken: {
      'features/auth/web/leave.ts': 'const answer = await call(signOut)\nclearSession(seeSession())',
    },
    says: 'features/auth/web/leave.ts: end or change the session that the call saw',
    mended: {
      'features/auth/web/leave.ts': 'const answer = await call(signOut)\nclearSession(answer.seen.session)',
    },
  },
  {
    rule,
    broken: { 'features/hosts/web/last.ts': "localStorage.setItem('last', answer.body.id)" },
    says: 'features/hosts/web/last.ts: list it in tests/architecture/rules/stored-answers.ts',
    mended: { 'foundation/web/drafts.ts': "localStorage.setItem('draft', text)" },
  },
]

/** Small trees in which two files say the same state (rules.test.ts). */
export const states: Case[] = [
  {
    rule: 'a state has one source of its word',
    broken: {
      'features/hosts/web/a.tsx': '{m.hosts_connected()}',
      'features/chat/web/b.tsx': '{m.hosts_connected()}',
    },
    says: 'hosts_connected is read in features/hosts/web/a.tsx and features/chat/web/b.tsx: take the state from one of them.',
    mended: {
      'features/hosts/web/a.tsx': '{m.hosts_connected()}',
      'features/chat/web/b.tsx': '<Connection />',
    },
  },
]
