// The health check of the container: exit code 0 where the process answers.
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).catch(() => ({
  ok: false,
}))
process.exit(ok ? 0 : 1)
