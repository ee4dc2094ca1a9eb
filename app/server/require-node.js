// Loaded before anything else (npm start), by whatever Node there is: an older one can't read the rest and would only
// say that it doesn't know the file extension .ts.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Hostdesk needs Node 24 or later, and this is ${major}.${minor}. Install it, or run npm ci, which brings one.\n`,
  )
  process.exit(1)
}
