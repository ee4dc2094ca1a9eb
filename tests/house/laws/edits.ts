import type { Law } from './tree.ts'

// A switch or a menu sends the one value that was pressed: there is nothing that it could send back.
const PRESSED = ['changeMailPreferences', 'changeTicket']

/** Every edit names the version it changes: an edit of a stale state is a 409 that says what is there (rule 45). */
export const edits: Law = ({ paths, read }) =>
  paths
    .filter((path) => /^features\/[^/]+\/contract\.ts$/.test(path))
    .flatMap((path) =>
      read(path)
        .split(/^(?=export const )/m)
        .filter((part) => /\bmethod: 'PATCH'/.test(part) && !/\bstyle: 'auth'/.test(part))
        .filter((part) => !/\bversion\b/.test(part) || !/\bchangedReply\(/.test(part))
        .map((part) => /^export const (\w+)/.exec(part)?.[1] ?? '')
        .filter((name) => !PRESSED.includes(name))
        .map((name) => `${path}: ${name} takes a version and answers 409 with changedReply(…) (rule 45).`),
    )
