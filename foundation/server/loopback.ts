/** True where a host name or address of a URL names this machine. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === '' ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^127\.[\d.]+$|^\[?::1\]?$/.test(hostname)
