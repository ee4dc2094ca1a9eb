import fastify from 'fastify'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { readConfig } from '#foundation/server/config.ts'
import { serveManifest } from './manifest.ts'

const { operator } = readConfig({}, [])
const served = (settings: Partial<typeof operator>) => {
  const server = fastify()
  serveManifest(server, { ...operator, name: 'Nordic "Hosting"', ...settings }, 'app/web/public/mark.png')
  return server
}

it('lets browsers install the pages by the name and the logo of the operator, or the mark of the product', async () => {
  const green = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const logo = { type: 'image/png', bytes: green, digest: 'd1' }
  for (const [settings, strongest] of [
    [{ logo }, 1],
    [{}, 2],
  ] as const) {
    const server = served(settings)
    const reply = await server.inject('/account/manifest.webmanifest')
    expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const manifest = reply.json<{ icons: { src: string; sizes: string }[] }>()
    expect(manifest).toMatchObject({
      name: 'Nordic "Hosting"',
      start_url: '/account/',
      scope: '/account/',
      display: 'standalone',
    })
    for (const { src, sizes } of manifest.icons) {
      const icon = await server.inject(src)
      const { data, info } = await sharp(icon.rawPayload).raw().toBuffer({ resolveWithObject: true })
      expect(`${info.width}x${info.height}`).toBe(sizes)
      const row = Math.floor(info.height / 2) * info.width * info.channels
      const pixels = Array.from({ length: info.width }, (_, at) => row + at * info.channels)
      const drawn = pixels
        .map((at) => [...data.subarray(at, at + 3)])
        .filter((pixel) => Math.min(...pixel) < 128)
      const colours = must(drawn[Math.floor(drawn.length / 2)])
      expect(colours.indexOf(Math.max(...colours))).toBe(strongest)
      // The corner, which a phone may cut off, is white.
      expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
    }
  }
})
