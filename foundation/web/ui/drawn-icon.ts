import { createElement } from 'react'
import type { ComponentProps } from 'react'

type Data = { node: readonly (readonly [string, Record<string, string>])[] }
type Props = ComponentProps<'svg'> & { size?: number }

/** Draws an icon of lucide in the built pages: of what the package can do they need its shapes alone (tools/vite/lean-icons.ts). */
export const drawnIcon =
  ({ node }: Data) =>
  ({ size = 24, ...rest }: Props) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        // An icon with a name of its own is read aloud, as the package has it.
        'aria-hidden': isNamed(rest) ? undefined : 'true',
        ...rest,
      },
      ...node.map(([shape, attributes]) => createElement(shape, attributes)),
    )

const isNamed = (props: Props) => 'role' in props || 'aria-label' in props || 'aria-labelledby' in props
