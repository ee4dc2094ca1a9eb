import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/**
 * A part whose code is loaded later stands in a Suspense of its own, or is not shown until its code is there. Otherwise the whole page
 * suspends: React hides the page, and the element that had the focus loses it.
 */
export const lateParts: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.endsWith('.tsx'))
    .flatMap((path) => {
      const text = read(path)
      const late = [...text.matchAll(/^const (\w+) = lazyPart[<(]/gm)].map(([, name = '']) => name)
      return late
        .filter((name) => text.includes(`<${name} `) && !isWaitedFor(text, name))
        .map((name) => `${path}: put ${name} into a Suspense, or show it by useLoaded or useLazyDialog.`)
    })

const isWaitedFor = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:useLoaded|useLazyDialog)\\(${name}\\b|<Suspense\\b[^]*?<${name} [^]*?</Suspense>`).test(
    text,
  )

/** A part whose code does not come fails in its place. A whole page that fails takes with it what was typed beside the part. */
export const pagesByRouter: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path !== 'app/web/router.tsx' && path !== LAZY)
    .filter((path) => /\blazyPage\b/.test(read(path)))
    .map((path) => `${path}: make a part of a page by lazyPart; lazyPage is for the router.`)

const LAZY = 'foundation/web/lazy-page.tsx'
