// `npm run dev`: the server, started anew when its files change, and Vite with hot replacement before it.
import { spawn } from 'node:child_process'
import { buildTexts } from './build.ts'

const vitePort = process.env['VITE_PORT'] ?? '5173'
await buildTexts(process.cwd())
const children = [
  run(['--watch', 'app/server/main.ts', '--without-pages'], {
    PUBLIC_ORIGIN: `http://localhost:${vitePort}`,
  }),
  run(['node_modules/vite/bin/vite.js', '--port', vitePort, '--strictPort'], {}),
]
for (const child of children) {
  child.on('exit', () => {
    for (const other of children) other.kill('SIGTERM')
  })
}
// Both get the terminal's Ctrl-C themselves; this process only waits for them.
process.on('SIGINT', () => {})

function run(command: string[], environment: Record<string, string>) {
  return spawn(process.execPath, command, { stdio: 'inherit', env: { ...environment, ...process.env } })
}
