import { isSource } from './tree.ts'
import type { Rule, Tree } from './tree.ts'

// A switch or a menu sends only the value that was chosen in it, so it cannot overwrite a change of another tab with an old value.
const PRESSED = ['changeMailPreferences', 'changeNotificationChoice', 'changeTicket']

// The form of this edit uses `Edits`, which sends only the fields that were changed in the form.
const FIELDS_ALONE = ['saveBilling']

/** Every edit names the version or the value it changes: an edit of a stale state is a 409 (rule 45). */
export const edits: Rule = (tree) => [
  ...writesOf(tree, 'PATCH')
    .filter(({ part }) => !/\bversion\b/.test(part) || !/\bchangedReply\(/.test(part))
    .filter(({ name }) => !PRESSED.includes(name))
    .map(
      ({ path, name }) => `${path}: ${name} takes a version and answers 409 with changedReply(…) (rule 45).`,
    ),
  ...writesOf(tree, 'PUT')
    .filter(({ part }) => !/\b(from|version)\b.*[:,]/.test(part) || !/\b409\b/.test(part))
    .filter(({ name }) => !FIELDS_ALONE.includes(name))
    .map(
      ({ path, name }) =>
        `${path}: ${name} takes what was seen as from, and answers 409 where that is another (rule 45).`,
    ),
]

/** Returns the contracts with this method, except the account calls (style 'auth'), whose shape django-allauth prescribes. */
const writesOf = ({ paths, read }: Tree, method: string) =>
  paths
    .filter((path) => /^features\/([^/]+\/){1,2}contract\.ts$/.test(path))
    .flatMap((path) =>
      read(path)
        .split(/^(?=export const )/m)
        .filter((part) => part.includes(`method: '${method}'`) && !/\bstyle: 'auth'/.test(part))
        .map((part) => ({ path, part, name: /^export const (\w+)/.exec(part)?.[1] ?? '' })),
    )

// These edits need no form over `Edits`: they send one value that was pressed, or that was asked for because there was none; or they send
// the value that was shown as well (`from`), and the answer is 409 if the value has changed since.
const SENT_AS_TYPED = [
  ...PRESSED,
  'makePrimary',
  'resendConfirmation',
  'assignTicket',
  'setAddress',
  'giveRoles',
  'chooseRenewalPlan',
  'chooseRenewalExtras',
  'setBlock',
  'overrideVat',
]

/** A plain form would send back what another tab changed: only forms over `Edits` may call an edit (rule 45). */
export const editForms: Rule = (tree) => {
  const pages = tree.paths
    .filter((path) => isSource(path) && /\/web\//.test(path))
    .map((path) => ({ path, text: tree.read(path).replaceAll(/^import [^]*?from '.*'$/gm, '') }))
    .filter(({ text }) => !/\b(useEditForm|new Edits)\b/.test(text))
  const edit = editsOf(tree).filter((name) => !SENT_AS_TYPED.includes(name))
  for (let known = 0; known < edit.length;) {
    known = edit.length
    for (const { text } of pages) edit.push(...sendersIn(text, edit))
  }
  return pages
    .filter(({ text }) => /\buseForm\(/.test(text))
    .flatMap(({ path, text }) =>
      edit
        .filter((name) => says(text, name))
        .map((name) => `${path}: send ${name} from useEditForm (rule 45).`),
    )
}

/** Every form over `Edits` is on the list of the story that opens each of them in two tabs. */
export const editFormsShown: Rule = ({ paths, read }) =>
  paths
    .filter(
      (path) =>
        /^(app|features)\//.test(path) && isSource(path) && /\b(useEditForm|new Edits)\(/.test(read(path)),
    )
    .filter((path) => !paths.includes(TWO_TABS) || !read(TWO_TABS).includes(`'${path}'`))
    .map((path) => `${path}: list it in ${TWO_TABS}, with its story (rule 45).`)

const TWO_TABS = 'tests/stories/two-tabs.e2e.ts'

const editsOf = ({ paths, read }: Tree): string[] =>
  paths
    .filter((path) => /^features\/([^/]+\/){1,2}contract\.ts$/.test(path))
    .flatMap((path) => read(path).split(/^(?=export const )/m))
    .filter((part) => /\bmethod: '(PATCH|PUT)'/.test(part))
    .flatMap((part) => /^export const (\w+)/.exec(part)?.[1] ?? [])

/** The exported functions of a file that send one of these edits for other files. A component sends for itself and is left out. */
const sendersIn = (text: string, edit: readonly string[]): string[] =>
  text
    .split(/^(?=export )/m)
    .filter((part) => edit.some((name) => says(part, name)))
    .flatMap((part) => /^export (?:async )?(?:function|const) ([a-z]\w*)/.exec(part)?.[1] ?? [])
    .filter((name) => !edit.includes(name) && !SENT_AS_TYPED.includes(name))

const says = (text: string, name: string): boolean =>
  new RegExp(`\\b${name}\\(|\\bcall\\(\\s*(contract\\.)?${name}\\b`).test(text)
