import { createElement } from 'react'
import type { LucideProps } from 'lucide-react'

/** A drawing, as a file of `lucide-react/icons/` exports it: its shapes in a square of 24 by 24. */
type Drawing = { node: [tag: string, attributes: Record<string, string>][] }

/**
 * Makes a component of a drawing. The build uses it instead of Lucide's own function (vite.config.ts): it makes the same SVG, but
 * without classes that name the drawing.
 */
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

// Lucide's drawings import the default export.
// oxlint-disable-next-line import/no-default-export
export default createIcon
