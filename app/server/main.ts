import './compile-cache.ts'

// `npm start`.
const { start } = await import('./start/start.ts')
await start()
