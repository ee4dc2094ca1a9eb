import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

const ofPerson = 'by the key of the account'
const ofDevice = 'what a person chose on this device'

/** The files that write storage, and why no late answer can undo what they store. All else is stored by `storeAnswer` or `keepAnswer`. */
const storing: Readonly<Record<string, string>> = {
  'app/web/return-to.ts': 'with the id of the person',
  'app/web/shell/folding-section.tsx': ofDevice,
  'app/web/shell/palette-recent.ts': ofPerson,
  'features/announcements/web/notices.tsx': ofDevice,
  'features/announcements/web/kept-notices.ts': 'with the id of the reader',
  'features/customers/web/stored-view.ts': 'loads the page anew',
  'features/sales/web/interrupted-order.ts': ofPerson,
  'features/support/files/web/draft-files.ts': ofPerson,
  'features/support/messages/web/outbox.ts': ofPerson,
  'foundation/web/acting.ts': 'loads the page anew',
  'foundation/web/api/read-after.ts': 'grows only',
  'foundation/web/api/stored-session.ts': 'by what the call saw',
  'foundation/web/drafts.ts': ofPerson,
  'foundation/web/form/kept-texts.ts': 'with the id of the person',
  'foundation/web/hotkeys.ts': ofDevice,
  'foundation/web/i18n/locale.ts': ofDevice,
  'foundation/web/theme/theme.ts': ofDevice,
  'foundation/web/ui/data-table-columns.ts': ofDevice,
}

/** An answer stores only by what its call saw (rule 57): the session and the storage have one place each. The linter keeps the data of queries. */
export const storedAnswers: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && /\/web\//.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [
        ...(!path.startsWith('foundation/web/api/') && /\bseeNow\(/.test(text)
          ? [`${path}: pass the answer of the call, which says what the call saw (rule 57).`]
          : []),
        ...(/\bawait [^\n]*\bcall\([^]*\b(storeAnswer|clearSession)\(seeSession\(\)/.test(text) &&
        !/onClick=\{\(\) => clearSession\(seeSession\(\)\)\}/.test(text)
          ? [`${path}: end or change the session that the call saw: answer.seen.session (rule 57).`]
          : []),
        ...(/\.setItem\(|\btryToStore\(/.test(text) && !(path in storing)
          ? [
              `${path}: list it in tests/architecture/rules/stored-answers.ts, with what no late answer can undo (rule 57).`,
            ]
          : []),
      ]
    })
