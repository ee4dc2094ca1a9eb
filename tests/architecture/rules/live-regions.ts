import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

const OPENING_TAG = /<[a-z]+\s(?:=>|[^<>])*>/g
const IS_LIVE = /\brole="(?:status|alert|log)"|\baria-live=/

/** Screen readers miss the text of a live region that appears together with it. */
export const liveRegions: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.endsWith('.tsx'))
    .flatMap((path) =>
      [...read(path).matchAll(OPENING_TAG)]
        .filter(([tag]) => IS_LIVE.test(tag) && /\bempty:hidden\b/.test(tag))
        .map(
          () =>
            `${path}: a live region that is hidden while it is empty comes up together with its text, which screen readers miss. Use empty:sr-only.`,
        ),
    )
