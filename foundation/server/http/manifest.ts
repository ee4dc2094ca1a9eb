import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#foundation/server/config.ts'

const MANIFEST = '/account/manifest.webmanifest'
const iconPath = (size: number): string => `/account/icon-${size}.png`

/** The sizes that browsers want of an installed page. */
const SIZES = [192, 512] as const

/** The lines in the head of each page by which a browser offers to install it. */
export const manifestLinks = `<link rel="manifest" href="${MANIFEST}"><link rel="apple-touch-icon" href="${iconPath(192)}">`

/** Serves what lets a browser install the pages: the operator's name, and the operator's logo or the product's mark as an icon. */
export function serveManifest(server: FastifyInstance, operator: Config['operator'], mark: string): void {
  server.get(MANIFEST, async (_request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(manifestOf(operator)),
  )
  const icons = new Map<string, Promise<Buffer>>()
  for (const size of SIZES)
    server.get(iconPath(size), async (_request, reply) => {
      // A logo may be changed while the product runs.
      const key = `${operator.logo?.digest ?? ''} ${size}`
      const icon = icons.get(key) ?? iconOf(operator.logo, mark, size)
      icons.set(key, icon)
      return reply
        .type('image/png')
        .header('cache-control', 'public, max-age=3600')
        .send(await icon)
    })
}

const manifestOf = ({ name, accentColor }: Config['operator']) => ({
  id: '/account/',
  name,
  short_name: name,
  start_url: '/account/',
  scope: '/account/',
  display: 'standalone',
  background_color: WHITE,
  theme_color: accentColor ?? WHITE,
  icons: SIZES.flatMap((size) =>
    // The mark keeps to the middle, so that it may be cut to any shape.
    ['any', 'maskable'].map((purpose) => ({
      src: iconPath(size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  ),
})

const WHITE = '#ffffff'

/**
 * Draws the operator's logo, or the product's mark. Once a picture of a message was looked at, this process reads no SVG any more
 * (features/support/files): a logo of that kind then gives way to the mark.
 */
async function iconOf(logo: Config['operator']['logo'], mark: string, size: number): Promise<Buffer> {
  const own = await readFile(mark)
  return logo ? drawIcon(logo.bytes, size).catch(() => drawIcon(own, size)) : drawIcon(own, size)
}

/** Draws a picture in the middle of a white square: within the circle that every shape of a maskable icon leaves. */
async function drawIcon(picture: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const inner = Math.round(size * 0.56)
  const edge = Math.round((size - inner) / 2)
  const drawn = await sharp(picture, { density: 1200, limitInputPixels: 50_000_000 })
    .resize(inner, inner, { fit: 'contain', background: TRANSPARENT })
    .png()
    .toBuffer()
  return sharp({ create: { width: size, height: size, channels: 3, background: WHITE } })
    .composite([{ input: drawn, left: edge, top: edge }])
    .png()
    .toBuffer()
}

const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 }
