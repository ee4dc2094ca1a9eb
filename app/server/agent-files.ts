import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

const folder = fileURLToPath(new URL('../../agent/', import.meta.url))

/**
 * Serves the files of the agent from the checkout as plain text, for `script=$(curl …/agent/install.sh) && sudo sh -c "$script"`. The
 * operator's address is filled in from the settings; nothing of a request reaches a script that root will run.
 */
export function serveAgentFiles(server: FastifyInstance, publicOrigin: string): void {
  // The files are read at the first request, so that the start does not wait for them.
  let files: Promise<ReadonlyMap<string, string>> | undefined
  server.get<{ Params: { name: string } }>('/agent/:name', async (request, reply) => {
    const text = (await (files ??= readFiles(publicOrigin))).get(request.params.name)
    if (text === undefined) return reply.callNotFound()
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
  server.get<{ Params: { language: string; name: string } }>(
    '/agent/libraries/:language/:name',
    async ({ params: { language, name } }, reply) => {
      const text = (await (files ??= readFiles(publicOrigin))).get(`libraries/${language}/${name}`)
      if (text === undefined) return reply.callNotFound()
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(text)
    },
  )
}

async function readFiles(publicOrigin: string): Promise<ReadonlyMap<string, string>> {
  // A URL may hold a quote, and here it lands between the quotes of a shell script.
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(publicOrigin)) return new Map()
  const names = (await readdir(folder, { recursive: true })).filter((name) => served.test(name))
  const texts = await Promise.all(names.map((name) => readFile(folder + name, 'utf8')))
  return new Map(names.map((name, index) => [name, dress(texts[index] ?? '', publicOrigin)]))
}

const served =
  /^([a-zA-Z-]+\.(mjs|sh|service|md)|libraries\/(README\.md|python\/\w+\.py|go\/\w+\.(go|mod)|php\/\w+\.php|java\/\w+\.java|csharp\/\w+\.cs|rust\/\w+\.(rs|toml)))$/

const dress = (text: string, publicOrigin: string) =>
  text.replaceAll('@PUBLIC_ORIGIN@', publicOrigin).replaceAll('https://account.example.com', publicOrigin)
