import { createElement } from 'react'
import type { LucideProps } from 'lucide-react'

/** The export of a file of `lucide-react/icons/`: the shapes within a square of 24. */
type Drawing = { node: [tag: string, attributes: Record<string, string>][] }

/** Replaces in the build Lucide's own way to make a component of a drawing (vite.config.ts): the same SVG, without classes that name the drawing. */
const createIcon =
  ({ node }: Drawing) =>
  ({ size = 24, ...props }: LucideProps) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': 'aria-label' in props ? undefined : true,
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )

// Lucide's drawings import the default.
// oxlint-disable-next-line import/no-default-export
export default createIcon
